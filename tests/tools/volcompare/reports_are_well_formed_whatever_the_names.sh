# Names of files, layers and suites that are no UTF-8 leave JUnit, HTML and both outputs readable (expat; UTF-8 of Python).
volmerge $VOLPT_TESTS_DIR/frozen/tiny.vpf -o t.exr -o t.vpf
python3 -c '
b = open("t.exr", "rb").read()
c = b.replace(b"standard_error.G", b"stand\xffrd_error.G").replace(b"R\0", b"\xfe\0", 1)
assert b != c
open("bad.exr", "wb").write(c)
'
bad=$(printf 'f\377\001<&>.vpf')
cp t.vpf "$bad"
volcompare "$bad" t.vpf --junit a.xml --html a.html >a.out 2>a.err
expect_status 1 volcompare bad.exr t.exr --junit b.xml --html b.html --metric de2000,rmse >b.out 2>b.err
printf '{"schema_version": 1, "pairs": [{"name": "n", "test": "bad.exr", "reference": "bad.exr"}, {"name": "m", "test": "bad.exr", "reference": "t.exr"}]}' >"$(printf 's\377.json')"
expect_status 1 volcompare --suite "$(printf 's\377.json')" --junit c.xml --html c.html >c.out 2>c.err
volcompare t.exr t.exr --sheet d.html --note "$(printf 'n\377')" >d.out 2>d.err
expect_status 3 volcompare "$(printf 'none\377.exr')" t.exr >e.out 2>e.err
grep -qF 'none\xff.exr' e.err
cat >check.py <<'END'
import glob, xml.parsers.expat
for name in glob.glob("*.xml"):
    xml.parsers.expat.ParserCreate().Parse(open(name, "rb").read(), True)
for name in glob.glob("*.html") + glob.glob("*.out") + glob.glob("*.err"):
    open(name, "rb").read().decode("utf-8")
assert len(glob.glob("*.xml")) == 3 and len(glob.glob("*.html")) == 4, glob.glob("*")
assert chr(0xfffd) in open("a.xml", encoding="utf-8").read()
END
python3 check.py
