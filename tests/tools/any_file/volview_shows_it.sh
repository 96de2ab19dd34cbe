# volview shows a file of another program; the line that it copies, and its previews, are of that file.
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
mkdir tmp
export TMPDIR=$PWD/tmp
volprep --make noise --dims 16,16,16 --size 4mm -o n.vpk -q
volprep export n.vpk n.nrrd -q
serve n.nrrd --resolution 40x30
grep 'volprep n.nrrd --window=.* -o n.vpk' server.log
test -z "$(ls -A tmp)"
check_film
client get /command.json | grep 'volrender n.nrrd'
client post /preview '{"opacity":"0:0,1:1","albedo":null,"crop":null}'
test -z "$(ls -A tmp)"
line=$(client get /command.json | python3 -c 'import json, sys; print(json.load(sys.stdin)["lines"][0])')
echo "$line"
expect_status 1 grep -e json-lines -e threads -e window <<<"$line"
bash -euc "$line -q"
test -s n_preview.vpk
# Words after "--" are no options.
volprep --provenance full -o m.vpk -- n.nrrd
kill $server
serve m.vpk --resolution 40x30
client post /preview '{"opacity":"0:0,1:1","albedo":null,"crop":null}'
client get /command.json | grep -e '--opacity 0:0,1:1'
