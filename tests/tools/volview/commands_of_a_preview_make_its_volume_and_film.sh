# Commands of a preview make its volume and film.
# grep: --opacity
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
python3 -c 'import sys; sys.stdout.buffer.write(bytes(range(0, 256, 4)) * 8)' >v.raw
volprep v.raw --dims 8,8,8 --type u8 --pitch 0.5mm --window 0,255 --scale 3 --albedo 0.9 -o n.vpk -q
serve n.vpk --resolution 40x30
client post /preview '{"opacity":"0:0,0.5:0.2,1:1","albedo":null,"crop":[0,0,0,4,8,4]}'
client wait 2
client get /scene.json | grep '"preview": *{'
client get /command.json | python3 -c 'import json, sys; print(*json.load(sys.stdin)["lines"], sep="\n")' >lines
cat lines
sed -E 's/--spp [0-9]+/--spp 4/; s/SOURCE/v/' lines >few
bash -eu few
ls
volinfo $(sed -nE 's/.*volrender.* -o ([^ ]+).*/\1/p' few) --verify full
vpk=$(sed -nE 's/^volprep .* --output ([^ ]+).*/\1/p' few)
volinfo $vpk --json --histogram | python3 -c '
import json, sys
a = json.load(sys.stdin)
h = a["histogram"]
wanted = 0.2 + 0.8 * (236 / 255 - 0.5) / 0.5
assert a["dims"] == [4, 8, 4] and h["min"] == 0 and abs(h["max"] - wanted) < 0.005, (a["dims"], h)
'
