# Print of a mesh bounded by voxels has views alone.
command -v python3 >/dev/null || { echo 'skipped: no python3'; exit 77; }
python3 -B $VOLPT_TESTS_DIR/../pipelines/make_figurine.py f.obj --rings 20 --sides 12
bash $VOLPT_TESTS_DIR/../pipelines/print_texture.sh f.obj out SIZE=,,8mm PITCH=0.4mm SURFACE=voxels VIEW_SPP=1 VIEW_PIXELS=24x36
grep -q 'no texture space: the surface is that of the voxels' out/sheet.html
test -s out/sheet.png
test ! -e out/print.vpf
