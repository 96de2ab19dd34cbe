# Inks of a print.
# grep: 1000x500x6 voxels of 0.0423x0.0847x0.027 mm
# grep: histogram.counts.W
volprep "$VOLPT_TEST_DATA/j750-colorwheel-slices" --palette elek2017 --air black --pitch 42.3um,84.7um,27um -o p.vpk
mkdir s
volprep p.vpk --export 's/l%02d.png'
volprep s --palette elek2017 --air black --pitch 42.3um,84.7um,27um -o q.vpk
volinfo p.vpk | grep data_checksum >p.txt
volinfo q.vpk | grep data_checksum >q.txt
cmp p.txt q.txt
volinfo p.vpk --histogram
