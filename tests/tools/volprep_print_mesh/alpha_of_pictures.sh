# Alpha of pictures.
python3 $VOLPT_TESTS_DIR/tools/make_letter_cube.py
print="--print-mesh --pitch .1mm --ink-depth .3mm --materials elek2017 -q --export"
volprep cube.glb $print want.gcvf
volprep opaque.glb $print got.gcvf
cmp want.gcvf got.gcvf
volprep cube.glb $print want.gcvf --colour '#ffffff'
volprep blend.glb $print got.gcvf
cmp want.gcvf got.gcvf
