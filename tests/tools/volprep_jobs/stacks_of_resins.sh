# Stacks of resins, by their text or its folder.
# grep: VeroCY-V is C, VeroPureWht is W
# grep: VeroClear is clear
# grep: 24x10x8 voxels of 0.0423333x0.0846667x0.03 mm
# grep: 480 voxels, 25.0 %
python3 $VOLPT_TESTS_DIR/tools/make_stacks.py s VeroCY-V VeroPureWht VeroClear
volprep s --materials elek2017 -o v.vpk
volprep s/print.txt --materials elek2017 -o w.vpk
for v in v w; do volprep $v.vpk --export $v.raw --plane label; done
cmp v.raw w.raw
python3 -c '
for z in range(8):
    for y in range(10):
        for x in range(24):
            label = open("v.raw", "rb").read()[(z * 10 + y) * 24 + x]
            assert (label == 0) == ((x + y + z) % 4 == 1), (x, y, z, label)
'
