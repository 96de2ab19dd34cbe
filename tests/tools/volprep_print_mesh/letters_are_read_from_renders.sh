# Letters are read from renders.
# grep: letters read: 6
python3 $VOLPT_TESTS_DIR/tools/make_letter_cube.py
for mesh in cube.glb cube.obj; do
    volprep $mesh --print-mesh --mesh-up +z --size 12mm,, --pitch .2mm --ink-depth .6mm --materials elek2017 -o cube.vpk -q
    python3 $VOLPT_TESTS_DIR/tools/read_letters.py cube.vpk
done
