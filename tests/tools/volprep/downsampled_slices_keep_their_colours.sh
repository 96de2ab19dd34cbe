# Downsampled slices keep their colours.
# grep: voxels of 0.0846x0.1694x0.054 mm
volprep --print $VOLPT_TESTS_DIR/../pipelines/data/chart.png --size 2mm,2mm --core 0.5mm --materials elek2017 -o p.vpk -q
mkdir s
volprep p.vpk --export 's/slice%04d.png'
volprep s --materials elek2017 --pitch 42.3um,84.7um,27um --downsample 2 -o d.vpk
