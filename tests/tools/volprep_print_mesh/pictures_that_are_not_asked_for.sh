# Pictures that are not asked for.
# grep: pictures on the surface are left out
python3 $VOLPT_TESTS_DIR/tools/make_letter_cube.py
print="--print-mesh --mesh-up +z --pitch .1mm --ink-depth .3mm --materials elek2017 -q --export"
volprep cube.glb $print want.gcvf
volprep cube.glb $print white.gcvf --colour '#ffffff'
mkdir in
mv text.glb missing.gltf traversal.gltf in
for m in text.glb missing.gltf traversal.gltf; do
    volprep in/$m $print got.gcvf --texture letters.png
    cmp want.gcvf got.gcvf
    volprep in/$m $print got.gcvf --colour '#ffffff'
    cmp white.gcvf got.gcvf
    volprep in/$m --sigma-t 20 --albedo .9 -o v.vpk
done
