# Signal to all processes of a task leaves a film.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 -o c.vpk -q
mkdir -p p/log bin
printf '#!/bin/sh\necho $$ >child\nexec %s "$@"\n' $(command -v volrender) >bin/volrender
chmod +x bin/volrender
printf '%s\n' BIN=$PWD/bin DIRECTORY=$PWD VOLUME=c.vpk FIRST=0 COUNT=1000000 CHUNK=1000000 \
    'RENDER=(--resolution 64x64 -q -j 1)' >p/job.sh
{
    bash $VOLPT_TESTS_DIR/../pipelines/render_range.sh p 0 none &
    task=$!
}
for i in {1..100}; do
    if test -s child; then break; fi
    sleep 0.05
done
child=$(cat child)
sleep 0.5
kill -TERM $child
sleep 0.1
kill -0 $child
kill -TERM $task
kill -TERM $child
status=0
wait $task || status=$?
test $status = 1
volinfo p/00000.vpf --verify full >info
grep '^samples: [1-9]' info
grep 'stopped at' p/log/0.log
