# Pictures that are damaged.
# grep: in/cut.glb: picture 1 inside
# grep: in/outside.glb: picture 1 inside has the bytes
# grep: in/raised.glb: buffer 0 announces
# grep: in/bomb.glb: picture 1 inside: header claims 60000 x 60000
# grep: in/text.glb: picture 1 inside: is no image
# grep: names the picture none.png, which is not there
# grep: names the picture ../letters.png, which lies outside
python3 $VOLPT_TESTS_DIR/tools/make_letter_cube.py
mkdir in
mv *.glb *.gltf in
for m in cut.glb outside.glb raised.glb bomb.glb text.glb missing.gltf traversal.gltf; do
    s=0
    volprep in/$m --print-mesh --pitch .1mm --materials elek2017 -o v.vpk || s=$?
    test $s = 3
    test ! -e v.vpk
done
test $s = 3
