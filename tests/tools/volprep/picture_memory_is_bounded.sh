# Pictures that take too much memory are refused before it is taken, by all programs that read them (ulimit: 4 GB of address space).
# grep: volprep: error: huge.png: 42000 x 42000 pixels of 1 channel take 1.64 GiB of memory in a file of
# grep: volcompare: error: big.png: 30000 x 30000 pixels of 1 channel take 3.35 GiB of memory in a file of 0.9 MB
# grep: volrender: error: big.png: 30000 x 30000
# grep: allow more with --picture-memory
python3 -B "$VOLPT_TESTS_DIR/tools/make_pictures.py" claim big.png 30000 30000
python3 -B "$VOLPT_TESTS_DIR/tools/make_pictures.py" claim huge.png 42000 42000
python3 -B "$VOLPT_TESTS_DIR/tools/make_pictures.py" rgb small.png 200 100
volprep --make cube --size 1mm --sigma-t 1 --albedo .9 -o c.vpk -q
printf 'mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nusemtl m\nf 1/1 3/1 2/1\nf 1/1 2/1 4/1\nf 2/1 3/1 4/1\nf 1/1 4/1 3/1\n' >m.obj
printf 'newmtl m\nmap_Kd huge.png\n' >m.mtl
for line in \
    'volprep --slab huge.png --dims 4,4,4 --size 1mm -o o.vpk' \
    'volprep --print huge.png --size 2mm,2mm --core 1mm --materials elek2017 -o o.vpk' \
    'volprep --print-mesh m.obj --size 10mm,, --materials elek2017 -o o.vpk' \
    'volcompare big.png small.png' \
    'volcompare small.png big.png' \
    'volrender c.vpk --env big.png --resolution 8x8 --spp 1 -o o.vpf'; do
    expect_status 3 bash -euc "ulimit -v 4000000; exec $line"
done
# The option: 60000 bytes are what 200 x 100 pixels in R G B take as bytes, 240000 as floats.
volprep --slab small.png --dims 4,4,4 --size 1mm --picture-memory 60000 -o o.vpk -q
volcompare small.png small.png --picture-memory 240000
for line in \
    'volprep --slab small.png --dims 4,4,4 --size 1mm --picture-memory 59999 -o o.vpk' \
    'volcompare small.png small.png --picture-memory 239999' \
    'volrender c.vpk --env small.png --picture-memory 239999 --resolution 8x8 --spp 1 -o o.vpf'; do
    expect_status 3 $line
done
expect_status 2 volcompare small.png small.png --picture-memory much
