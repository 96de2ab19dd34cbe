# Ends while clients are connected.
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make cube --size 1mm -o c.vpk -q
serve c.vpk --resolution 40x30
(
    client many --clients 16 >/dev/null 2>&1 &
    client stall --seconds 5 >/dev/null 2>&1 &
    sleep 1
)
kill $server
timeout 8 tail --pid=$server -f /dev/null
status=0
wait $server || status=$?
test $status = 0
