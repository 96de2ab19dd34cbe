# A killed rank leaves a checkpoint for any number of ranks.
volprep --make noise --dims 24,24,24 --size 3mm --sigma-t 10 --albedo 0.9 -o n.vpk -q
mpi="bash $VOLPT_TESTS_DIR/tools/mpi_run.sh"
r="volrender n.vpk --resolution 150x90 --device cpu -j 1"
command -v mpirun >/dev/null || exec $mpi
$mpi 3 bash -c 'if [[ $OMPI_COMM_WORLD_RANK = 2 ]]; then echo $$ >pid; fi; exec "$@"' - $r -o n.vpf --spp 100000000 \
    --checkpoint 0.2 &
job=$!
for i in $(seq 300); do
    sleep 0.1
    test ! -e n.vpf || break
done
kill -9 $(cat pid)
s=0
wait $job || s=$?
test $s = 137
cp n.vpf k.vpf
last=$(volinfo k.vpf --json | python3 -c 'import json, sys; print(64 + max(sum(map(int, r.split(":"))) for t in json.load(sys.stdin)["sample_ranges"] for r in t["samples"].split(", ")))')
$mpi 2 $r --resume k.vpf -o k.vpf --spp $last --reproducible
$r -o whole.vpf --spp $last --reproducible
cmp k.vpf whole.vpf
