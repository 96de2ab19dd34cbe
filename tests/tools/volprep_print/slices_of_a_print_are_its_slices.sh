# Slices of a print are its slices.
volprep --print $VOLPT_TESTS_DIR/../pipelines/data/chart.png --size 3mm,2mm --ink-depth 0.216mm --core 0.27mm \
    --materials elek2017 -o p.vpk
mkdir s t
volprep p.vpk --export 's/l%02d.png'
mv s/l1[0-7].png t
volprep t --materials elek2017 --pitch 42.3um,84.7um,27um --core 0.27mm -o q.vpk
volinfo p.vpk | grep -E '^(data_checksum|placement)' >p.txt
volinfo q.vpk | grep -E '^(data_checksum|placement)' >q.txt
cmp p.txt q.txt
