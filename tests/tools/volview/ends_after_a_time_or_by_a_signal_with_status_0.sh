# Ends after a time or by a signal with status 0.
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make cube --size 1mm -o c.vpk -q
volview c.vpk --resolution 20x20 --exit-after 1 >answer
for signal in INT TERM; do
    rm -f server.json token
    (
        trap - INT
        exec env --default-signal=INT volview c.vpk --resolution 20x20 --token-file token --json >server.json
    ) &
    server=$!
    for i in $(seq 100); do
        if test -s server.json; then break; fi
        sleep .1
    done
    client wait 1
    kill -$signal $server
    status=0
    wait $server || status=$?
    echo $signal $status
    test $status = 0
done
