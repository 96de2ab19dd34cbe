# Keep values where there are none.
# grep: it keeps a file's values
# grep: give it when you pack the source file
# grep: --keep-values has no effect
# grep: s.vpk does not say
for v in '--make cube --size 1mm' $VOLPT_TESTS_DIR/frozen/tiny.vpk; do
    s=0
    volprep $v --keep-values -o o.vpk || s=$?
    test $s = 2
done
printf '\0\2\2\2\2\2\2\2' >in.raw
volprep in.raw --dims 2,2,2 --type u8 --surface voxels --keep-values -o s.vpk
s=0
volprep s.vpk --window 0,1 -o o.vpk || s=$?
test $s = 2
