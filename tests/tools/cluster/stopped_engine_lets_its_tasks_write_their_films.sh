# Stopped engine lets its tasks write their films.
command -v make >/dev/null || { echo 'skipped: make is not installed'; exit 77; }
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 -o c.vpk -q
{
    bash $VOLPT_TESTS_DIR/../pipelines/parallel_render.sh --engine make c.vpk --resolution 64x64 --spp 2000000 --tasks 2 \
        --jobs 1 -j 1 -q -o film.vpf >out &
    p=$!
}
for i in {1..100}; do
    if test -e film.vpf.parts/log/tasks; then break; fi
    sleep 0.05
done
sleep 0.7
kill -TERM $p
status=0
wait $p || status=$?
test $status = 1
grep 'missing_tasks: 0-1' out
grep 'stopped at' film.vpf.parts/log/0.log
