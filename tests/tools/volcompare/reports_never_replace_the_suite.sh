# Reports never replace the suite.
volmerge $VOLPT_TESTS_DIR/frozen/tiny.vpf -o t.exr
cp t.exr r.exr
echo '{"schema_version": 1, "pairs": [{"test": "t.exr", "reference": "r.exr"}]}' >s.json
sum=$(cat t.exr r.exr s.json | sha256sum)
for o in r.exr t.exr s.json; do
    s=0
    volcompare --suite s.json --junit $o 2>err || s=$?
    test $s = 2 || exit 1
done
test "$sum" = "$(cat t.exr r.exr s.json | sha256sum)"
