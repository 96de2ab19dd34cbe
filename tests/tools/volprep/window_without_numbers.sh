# Window without numbers.
# grep: its extinction is constant
# grep: its extinction is that of materials
# grep: does not say how its densities follow
# grep: does not keep them: f32 from 0 to 1 as density 0 to 1, nothing clamped
for v in '--make cube --size 1mm' '--make noise --dims 8,8,8 --size 1mm' $VOLPT_TESTS_DIR/frozen/tiny_labels.vpk; do
    volprep $v -o a.vpk -q
    s=0
    volprep a.vpk --window 0,1 -o b.vpk || s=$?
    test $s = 2
done
head -c 64 /dev/zero >in.raw
volprep in.raw --dims 4,4,1 --type f32 --window 0,1 -o f.vpk -q
s=0
volprep f.vpk --opacity 0:0,1:1 -o b.vpk || s=$?
test $s = 2
