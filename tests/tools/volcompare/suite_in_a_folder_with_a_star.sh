# Suite in a folder with a star.
# grep: pass  one.pfm
# grep: pass  plain *
volmerge $VOLPT_TESTS_DIR/frozen/tiny.vpf -o a.pfm
mkdir -p 's*/new' 's*/kept'
for f in new/one.pfm kept/one.pfm a.pfm; do cp a.pfm "s*/$f"; done
echo '{"schema_version": 1, "pairs": [{"test": "new/*.pfm", "reference": "kept/*.pfm"}, {"name": "plain *", "test": "a.pfm", "reference": "a.pfm"}]}' >'s*/s.json'
volcompare --suite 's*/s.json'
