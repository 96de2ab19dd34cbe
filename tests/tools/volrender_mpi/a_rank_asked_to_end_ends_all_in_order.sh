# A rank asked to end ends all in order.
# grep: interrupted; the samples done so far are written
volprep --make noise --dims 24,24,24 --size 3mm --sigma-t 10 --albedo 0.9 -o n.vpk -q
mpi="bash $VOLPT_TESTS_DIR/tools/mpi_run.sh"
command -v mpirun >/dev/null || exec $mpi
$mpi 3 bash -c 'if [[ $OMPI_COMM_WORLD_RANK = 1 ]]; then echo $$ >pid; fi; exec "$@"' - volrender n.vpk --resolution 150x90 \
    --device cpu -j 1 -o n.vpf --spp 100000000 --checkpoint 0.2 &
job=$!
for i in $(seq 300); do
    sleep 0.1
    test ! -e n.vpf || break
done
kill -TERM $(cat pid)
s=0
wait $job || s=$?
test $s = 4
volinfo --verify full n.vpf
