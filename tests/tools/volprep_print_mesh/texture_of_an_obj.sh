# Texture of an obj.
# grep: names the picture p.ppm, which is not there
printf 'mtllib t.mtl\nusemtl m\nv 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 3/2 2/3\nf 1/1 2/2 4/3\nf 1/1 4/2 3/3\nf 2/1 3/2 4/3\n' >t.obj
printf 'newmtl m\nmap_Kd p.ppm\n' >t.mtl
s=0
volprep t.obj --print-mesh --pitch 0.1mm --materials elek2017 -o v.vpk || s=$?
test $s = 3
test ! -e v.vpk
cp $VOLPT_TESTS_DIR/../pipelines/data/chart.png c.png
printf 'newmtl m\nmap_Kd c.png\n' >t.mtl
volprep t.obj --print-mesh --pitch 0.1mm --ink-depth 0.2mm --materials elek2017 --reproducible -o v.vpk
volprep t.obj --print-mesh --pitch 0.1mm --ink-depth 0.2mm --texture c.png --materials elek2017 --reproducible -o w.vpk \
    --json >j.txt
python3 -c 'import json; assert json.load(open("j.txt"))["colours"]>3'
volinfo v.vpk | grep ^data_checksum >v.txt
volinfo w.vpk | grep ^data_checksum >w.txt
cmp v.txt w.txt
