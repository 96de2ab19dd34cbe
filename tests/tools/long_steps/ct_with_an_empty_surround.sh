# Ct with an empty surround.
# grep: long_steps: on
volprep "$VOLPT_TEST_DATA/elastix/3DCT_lung.mha" --window -900,-500 --scale 3 --albedo 0.99,0.95,0.9 -o ct.vpk -q
common='ct.vpk --resolution 96x96 --spp 64'
volrender $common -o plain.vpf -q
volrender $common --long-steps on --seed 2 -o on.vpf -q
volinfo on.vpf
volcompare on.vpf plain.vpf --statistical
