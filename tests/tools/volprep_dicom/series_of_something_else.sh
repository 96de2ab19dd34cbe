# Series of something else.
# grep: it requires a DICOM series
# grep: --series has no meaning for in.raw
for i in 'in.raw --dims 2,2,2 --type u8' '--make cube --size 1mm' $VOLPT_TESTS_DIR/fuzz/seeds/metaimage/raw.mha; do
    head -c 8 /dev/zero >in.raw
    s=0
    volprep $i --series 1 -o o.vpk || s=$?
    test $s = 2
done
s=0
volinfo in.raw --dims 2,2,2 --type u8 --series 1 || s=$?
test $s = 2
