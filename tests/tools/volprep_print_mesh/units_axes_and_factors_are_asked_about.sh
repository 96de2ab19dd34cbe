# A tetrahedron in metres, in inches, too large; glTF on its feet; a picture that Kd darkens.
# grep: has only 4 voxels along its longest side: did you mean --mesh-scale 1000 (100 x 100 x 100 mm, if its file is in metres)?
# grep: --mesh-scale 25.4 (50.8 x 50.8 x 50.8 mm, if its file is in inches)
# grep: and a tray 490 x 390 x 200 mm: did you mean --mesh-scale 0.001 (40 x 40 x 40 mm, if its file is in micrometres)?
# grep: has only 4 voxels along its longest side: did you mean another --size?
# grep: darken its pictures to 50 % of their light on average, 50 % at the least; --ignore-factors
# grep: glTF has +y up
write() { printf 'v 0 0 0\nv %s 0 0\nv 0 %s 0\nv 0 0 %s\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' $1 $1 $1 >$2; }
write 0.1 metres.obj
write 2 inches.obj
write 40000 large.obj
write 3 sound.obj
print='--print-mesh --colour #208040 --materials elek2017'
volprep metres.obj $print -o v.vpk
volprep inches.obj $print --pitch .11mm -o v.vpk
s=0
volprep large.obj $print --pitch 2um -o l.vpk || s=$?
test $s = 2
volprep inches.obj $print --size .1mm,, -o v.vpk
volprep sound.obj $print --pitch .1mm -o v.vpk 2>err
expect_status 1 grep 'did you mean' err
# As trimesh writes it: a factor beside each picture, which is not meant.
python3 -B $VOLPT_TESTS_DIR/tools/make_letter_cube.py
print='--print-mesh --pitch .1mm --ink-depth .3mm --materials elek2017'
sed -i 's/^map_Kd/Kd .737 .737 .737\nmap_Kd/' cube.mtl
volprep cube.obj $print --export dark.gcvf
volprep cube.obj $print --ignore-factors --export got.gcvf 2>err
expect_status 1 grep darken err
volprep cube.obj $print -q --texture letters.png --export want.gcvf
cmp want.gcvf got.gcvf
expect_status 1 cmp -s want.gcvf dark.gcvf
volprep cube.glb $print --export up.gcvf
volprep cube.glb $print -q --mesh-up +y --export told.gcvf
cmp up.gcvf told.gcvf
expect_status 1 cmp -s up.gcvf want.gcvf
