# Smooth surface of data.
# grep: cavities in the solid
# grep: values below
volprep "$VOLPT_TEST_DATA/elastix/3DCT_lung.mha" --window -500,1000 --scale 2 --surface smooth -o l.vpk
volinfo l.vpk --verify full >/dev/null
volrender l.vpk --device cpu --resolution 60x60 --spp 4 -o l.vpf --json | python3 \
    -c 'import json,sys; a=json.load(sys.stdin); assert a["lost_paths"]==0, a'
