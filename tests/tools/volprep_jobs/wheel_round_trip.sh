# Wheel round trip.
# grep: are air, not 'K'
volprep "$VOLPT_TEST_DATA/j750-colorwheel-slices" --materials elek2017 --air black --printer j750 -o p.vpk
volprep p.vpk --export job.gcvf
volprep job.gcvf --materials elek2017 -o q.vpk
for v in p q; do volprep $v.vpk --export $v.raw --plane label; done
cmp p.raw q.raw
