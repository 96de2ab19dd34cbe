# Damaged film of a task is named.
# grep: 00001.vpf
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 1 -o c.vpk -q
s="bash $VOLPT_TESTS_DIR/../pipelines/parallel_render.sh --engine make"
$s c.vpk -o f.vpf --resolution 4x4 -q --tasks 2 --spp 8 >/dev/null
truncate -s -1 f.vpf.parts/00001.vpf
expect_status 3 $s --missing f.vpf.parts
