# Ranks play no part.
volprep --make noise --dims 24,24,24 --size 3mm --sigma-t 10 --albedo 0.9 -o n.vpk -q
r="volrender n.vpk --resolution 150x90 --device cpu -j 1 --spp 96 --reproducible"
$r -o one.vpf
for n in 1 2 3 5; do
    bash $VOLPT_TESTS_DIR/tools/mpi_run.sh $n $r -o $n.vpf
    cmp one.vpf $n.vpf
done
