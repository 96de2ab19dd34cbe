# Saved files are named by the server and replace nothing.
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make cube --dims 2,2,2 --size 1mm --sigma-t 5 -o c.vpk -q
mkdir out
serve c.vpk --resolution 20x20 --out out
client wait 1
for kind in vpf vpf png exr png; do
    client post /save "{\"kind\":\"$kind\"}" >>saved
    sha256sum out/* >sums.new
    if test -e sums; then sha256sum --quiet -c sums; fi
    mv sums.new sums
done
cat saved
test $(ls out | wc -l) = 5
python3 -c '
import json, os
files = [json.loads(line)["file"] for line in open("saved") if line.strip()]
assert len(set(files)) == 5 and all(os.path.basename(f) == f for f in files) and sorted(files) == sorted(os.listdir("out")), files
'
for f in out/*.vpf; do volinfo $f --verify full; done
client post /save '{"kind":"vpf","file":"x.vpf"}' --status 400
test $(ls out | wc -l) = 5
ls >../names
expect_status 1 grep -v -x -e c.vpk -e out -e saved -e 'server.*' -e token -e 'sums.*' ../names
