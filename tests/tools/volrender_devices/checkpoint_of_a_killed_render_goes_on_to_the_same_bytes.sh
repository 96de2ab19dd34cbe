# Checkpoint of a killed render goes on to the same bytes.
volprep --make noise --dims 12,12,12 --size 1mm --sigma-t 10 --albedo 0.9 -o n.vpk -q
r="volrender n.vpk --resolution 90x70 --device cpu"
$r -o n.vpf --spp 100000000 --checkpoint 0.2 &
pid=$!
for i in $(seq 300); do
    sleep 0.1
    test ! -e n.vpf || break
done
kill -9 $pid
s=0
wait $pid || s=$?
test $s = 137
last=$(volinfo n.vpf --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["samples_max"] + 64)')
$r --resume n.vpf -o n.vpf --spp $last --reproducible -q
$r -o whole.vpf --spp $last --reproducible -q
cmp n.vpf whole.vpf
