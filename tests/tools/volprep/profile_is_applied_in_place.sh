# A profile is applied in place where a copy of the picture exceeds the bound on memory, to the same bits.
# grep: is converted to sRGB from the colour profile
python3 -B "$VOLPT_TESTS_DIR/tools/make_pictures.py" bmp plain.bmp plain.png
for name in adobe p3; do
    tail -c +2 "$VOLPT_TESTS_DIR/fuzz/seeds/icc/$name.icc" >$name.icc
    print="volprep --print plain.png --size 2mm,2mm --core 1mm --materials elek2017 --picture-profile $name.icc --reproducible"
    $print -o copied.vpk
    # 16 x 16 pixels in R G B take 3072 bytes as floats, and 256 more while they are made: there is no room for a copy.
    $print --picture-memory 3328 -o in_place.vpk
    cmp copied.vpk in_place.vpk
done
