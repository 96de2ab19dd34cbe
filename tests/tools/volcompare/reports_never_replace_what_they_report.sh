# Reports never replace what they report.
volmerge $VOLPT_TESTS_DIR/frozen/tiny.vpf -o t.exr
cp t.exr ref.exr
cp t.exr map.png
sum=$(cat t.exr ref.exr | sha256sum)
for o in '--junit ref.exr' '--html ./ref.exr' '--map bias ref.exr' '--junit t.exr'; do
    s=0
    volcompare t.exr ref.exr $o 2>err || s=$?
    test $s = 2
    grep -q 'same file' err || exit 1
done
s=0
volcompare t.exr ref.exr --junit r --html r 2>err || s=$?
test $s = 2
grep -q 'two outputs' err
test "$sum" = "$(cat t.exr ref.exr | sha256sum)"
