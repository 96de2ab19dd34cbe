# Round trip.
# grep: 71x24x56 numbers
# grep: 0.0423333x0.0846667x0.027 mm
volprep --print $VOLPT_TESTS_DIR/../pipelines/data/chart.png --size 3mm,2mm --ink-depth 0.5mm --core 1mm --materials elek2017 \
    --printer j750 -o p.vpk
volprep p.vpk --export job.gcvf --printer j750
volprep job.gcvf --materials elek2017 -o q.vpk
for v in p q; do volprep $v.vpk --export $v.raw --plane label; done
cmp p.raw q.raw
for v in p q; do volinfo $v.vpk | grep -E '^(pitch|placement)' >$v.txt; done
cmp p.txt q.txt
