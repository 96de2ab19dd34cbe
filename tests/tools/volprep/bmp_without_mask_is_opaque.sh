# The fourth byte of a BMP without a mask of alpha is unused: as a picture and as a slice.
python3 -B "$VOLPT_TESTS_DIR/tools/make_pictures.py" bmp unused.bmp plain.png
for picture in unused.bmp plain.png; do
    volprep --slab $picture --dims 16,16,2 --size 4mm,4mm,1mm --sigma-t 5 --base-albedo 0.5 -q -o u.vpk
    volprep u.vpk --plane albedo --export $picture.raw
    mkdir $picture.slices
    cp $picture $picture.slices/s0.${picture##*.}
    volprep $picture.slices --pitch 1 -q -o v.vpk
    volprep v.vpk --plane albedo --export $picture.slices.raw
done
cmp unused.bmp.raw plain.png.raw
cmp unused.bmp.slices.raw plain.png.slices.raw
volcompare unused.bmp plain.png --threshold 'rmse<1e-7' -q
