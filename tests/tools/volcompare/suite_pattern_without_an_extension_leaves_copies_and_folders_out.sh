# Suite pattern without an extension leaves copies and folders out.
# grep: pass  one.pfm
volmerge $VOLPT_TESTS_DIR/frozen/tiny.vpf -o a.pfm
mkdir new kept kept/folder kept/folder.pfm
for name in one.pfm one.before.pfm two.before; do cp a.pfm kept/$name; done
cp a.pfm new/one.pfm
echo '{"schema_version": 1, "pairs": [{"test": "new/*", "reference": "kept/*"}]}' >s.json
volcompare --suite s.json >out
cat out
test "$(wc -l <out)" -eq 1
