# Suite page survives a pair that cannot be read.
# grep: FAIL  absent.pfm
# grep: pass  third
volmerge $VOLPT_TESTS_DIR/frozen/tiny.vpf -o a.pfm
echo '{"schema_version": 1, "pairs": [{"test": "absent.pfm", "reference": "a.pfm"}, {"name": "second", "test": "a.pfm", "reference": "absent.pfm"}, {"name": "third", "test": "a.pfm", "reference": "a.pfm"}]}' >s.json
expect_status 1 volcompare --suite s.json --html p.html
test "$(grep -o '<section ' p.html | wc -l)" -eq 3
