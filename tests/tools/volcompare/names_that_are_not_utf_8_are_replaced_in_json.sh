# Names that are not utf 8 are replaced in json.
volmerge $VOLPT_TESTS_DIR/frozen/tiny.vpf -o t.exr
python3 -c '
b = open("t.exr", "rb").read()
c = b.replace(b"standard_error.G", b"stand\xffrd_error.G")
assert b != c
open("bad.exr", "wb").write(c)
'
s=0
volcompare bad.exr t.exr --html a.html --json >a.json || s=$?
[[ $s = 1 || $s = 0 ]]
volmerge $VOLPT_TESTS_DIR/frozen/tiny.vpf -o t.vpf
cp t.vpf "$(printf 'bad\377.vpf')"
volinfo "$(printf 'bad\377.vpf')" --json >b.json
printf '{"schema_version": 1, "pairs": [{"test": "t.exr", "reference": "t.exr", "name": "n"}]}' >"$(printf 's\377.json')"
volcompare --suite "$(printf 's\377.json')" --json >c.json
python3 -c 'import json; [json.load(open(f + ".json")) for f in "abc"]'
