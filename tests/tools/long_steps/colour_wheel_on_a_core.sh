# Colour wheel on a core.
# grep: long_steps: on
volprep "$VOLPT_TEST_DATA/j750-colorwheel-slices" --materials elek2017 --air black --pitch 42.3um,84.7um,27um --core 10mm \
    -o w.vpk -q
common='w.vpk --probe top --resolution 96x48 --spp 64'
volrender $common -o plain.vpf -q
volrender $common --long-steps on --seed 2 -o on.vpf -q
volcompare on.vpf plain.vpf --statistical
volrender w.vpk --probe top --resolution 960x480 --spp 1 --long-steps auto -o auto.vpf -q
volinfo auto.vpf
