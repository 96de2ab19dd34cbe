# Ranks make banks of long steps alike.
volprep --make cube --dims 1,1,1 --size 9mm --sigma-t 20 --albedo 0.99 -o c.vpk -q
r="volrender c.vpk --resolution 70x70 --device cpu -j 1 --spp 96 --reproducible --long-steps on"
$r -o one.vpf
bash $VOLPT_TESTS_DIR/tools/mpi_run.sh 3 $r -o three.vpf
cmp one.vpf three.vpf
