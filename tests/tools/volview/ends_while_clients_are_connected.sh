# Ends while clients are connected.
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make cube --size 1mm -o c.vpk -q
serve c.vpk --resolution 40x30
# The end of the server is a failure to them.
for clients in 'many --clients 16' 'stall --seconds 5'; do
    (
        trap - ERR
        client $clients >/dev/null 2>&1
    ) &
done
sleep 1
kill $server
timeout 8 tail --pid=$server -f /dev/null
status=0
wait $server || status=$?
test $status = 0
