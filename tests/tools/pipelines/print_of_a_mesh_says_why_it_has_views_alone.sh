# Print of a mesh says why it has views alone.
command -v python3 >/dev/null || { echo 'skipped: no python3'; exit 77; }
python3 -B $VOLPT_TESTS_DIR/tools/make_letter_cube.py
p=$VOLPT_TESTS_DIR/../pipelines
bash $p/print_texture.sh cube.glb out PITCH=0.2mm VIEW_SPP=1 VIEW_PIXELS=24x36
grep -q 'the picture is inside the file: give TEXTURE=picture.png' out/sheet.html
test ! -e out/print.vpf
bash $p/print_texture.sh cube.glb with PITCH=0.2mm VIEW_SPP=1 VIEW_PIXELS=24x36 SPP=1 TEXELS=600 TEXTURE=letters.png
test -s with/print.vpf
for m in cube.obj parts.obj parts.glb; do python3 -B $p/find_texture.py $m; done >said
diff said - <<<$'picture letters.png\nwhy the mesh has several pictures: give TEXTURE=picture.png to print it with one\nwhy the mesh has several pictures: give TEXTURE=picture.png to print it with one'
for kd in '1 1 1' '0 0 0' '0.600000 0.6 0.6'; do
    printf 'newmtl m0\nmap_Kd letters.png\nKd %s\n' "$kd" >cube.mtl
    python3 -B $p/find_texture.py cube.obj | grep '^picture letters.png'
done
echo 'Kd 0.8 0.8 0.8' >>cube.mtl
python3 -B $p/find_texture.py cube.obj | grep 'multiplied by factors'
sed -i 's/usemtl m0/usemtl m9/;1,/^f/s/usemtl m9/usemtl m0/' cube.obj
python3 -B $p/find_texture.py cube.obj | grep 'a plain colour'
