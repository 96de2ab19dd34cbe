# Time limit leaves films that go on.
command -v make >/dev/null || { echo 'skipped: make is not installed'; exit 77; }
s=$VOLPT_TESTS_DIR/../pipelines/parallel_render.sh
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 -o c.vpk -q
common="c.vpk --resolution 64x64 --spp 80 --reproducible -q"
volrender $common -o one.vpf >/dev/null
status=0
bash $s $common --engine make --tasks 2 --jobs 1 -j 1 --time-limit 0.001 -o film.vpf >first || status=$?
test $status = 1
test ! -e film.vpf
grep -q 'missing_tasks: 0-1' first
grep -q 'continue where they stopped: 0-1' first
for i in {1..80}; do
    status=0
    bash $s --engine make --missing film.vpf.parts >answer || status=$?
    if test $status = 0; then break; fi
    test $status = 1
done
cmp film.vpf one.vpf
