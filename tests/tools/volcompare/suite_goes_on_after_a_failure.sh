# Suite goes on after a failure.
# grep: FAIL  absent.pfm
# grep: pass  second
volmerge $VOLPT_TESTS_DIR/frozen/tiny.vpf -o a.pfm
echo '{"schema_version": 1, "pairs": [{"test": "absent.pfm", "reference": "a.pfm"}, {"name": "second", "test": "a.pfm", "reference": "a.pfm"}]}' >s.json
expect_status 1 volcompare --suite s.json
