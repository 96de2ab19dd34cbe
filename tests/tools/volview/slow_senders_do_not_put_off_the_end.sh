# Slow senders do not put off the end.
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make cube --size 1mm -o c.vpk -q
serve c.vpk --resolution 20x20 --clients 1
client drip --seconds 7 >begun &
dripping=$!
for i in $(seq 100); do
    if test -s begun; then break; fi
    sleep .1
done
kill $server
wait $dripping
wait $server
