# Suite pattern fails what has no partner.
# grep: FAIL  picture fresh
# grep: FAIL  picture gone
# grep: <section id="pair3"><h2><span class="pass">pass</span> picture same
volmerge $VOLPT_TESTS_DIR/frozen/tiny.vpf -o a.pfm
mkdir new kept
cp a.pfm new/fresh.pfm
cp a.pfm kept/gone.pfm
cp a.pfm new/same.pfm
cp a.pfm kept/same.pfm
echo '{"schema_version": 1, "pairs": [{"test": "new/*.pfm", "reference": "kept/*.pfm", "name": "picture *"}]}' >s.json
s=0
volcompare --suite s.json --html p.html || s=$?
sed 's/<section/\n&/g' p.html | grep -o '^<section.*</h2>' | tail -n 1
test $s = 1
