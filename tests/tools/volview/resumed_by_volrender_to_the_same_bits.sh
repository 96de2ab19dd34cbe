# Resumed by volrender to the same bits.
# grep: equal
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make cube --dims 4,4,4 --size 1mm --sigma-t 10 --albedo 0.9 -o c.vpk -q
serve c.vpk --resolution 40x30
client wait 3
client get /film.vpf --output seen.vpf
kill $server
n=$(volinfo seen.vpf --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["samples"] + 5)')
volrender c.vpk --resume seen.vpf --spp $n -q
volrender c.vpk --resolution 40x30 --spp $n -o all.vpf -q
volcompare seen.vpf all.vpf
volinfo seen.vpf --verify full
