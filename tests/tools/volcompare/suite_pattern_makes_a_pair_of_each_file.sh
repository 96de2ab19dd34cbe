# Suite pattern makes a pair of each file.
# grep: pass  one.pfm
# grep: pass  two.pfm
volmerge $VOLPT_TESTS_DIR/frozen/tiny.vpf -o a.pfm
mkdir new kept
for name in one two; do
    cp a.pfm new/$name.pfm
    cp a.pfm kept/$name.pfm
done
cp a.pfm kept/one.before.pfm
echo '{"schema_version": 1, "defaults": {"threshold": "rmse<=0"}, "pairs": [{"test": "new/*.pfm", "reference": "kept/*.pfm"}]}' \
    >s.json
volcompare --suite s.json --html p.html >out
cat out
test "$(wc -l <out)" -eq 2
grep -q '2 of 2 passed' p.html
