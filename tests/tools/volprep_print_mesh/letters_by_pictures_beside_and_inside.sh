# Letters by pictures beside and inside.
# grep: pictures on the surface are left out
python3 $VOLPT_TESTS_DIR/tools/make_letter_cube.py
print="--print-mesh --mesh-up +z --pitch .1mm --ink-depth .3mm --materials elek2017 -q --export"
volprep cube.obj $print want.gcvf --texture letters.png
for m in cube.obj cube.glb cube.gltf cube.3mf project.3mf; do
    volprep $m $print got.gcvf
    cmp want.gcvf got.gcvf
done
volprep cube.obj $print want.gcvf --texture seen.png
for m in parts.obj parts.glb; do
    volprep $m $print got.gcvf
    cmp want.gcvf got.gcvf
done
volprep parts.glb $print got.gcvf --texture seen.png
cmp want.gcvf got.gcvf
volprep cube.glb --sigma-t 20 --albedo .9 -o v.vpk
