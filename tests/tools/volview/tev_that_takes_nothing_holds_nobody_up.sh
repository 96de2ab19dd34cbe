# Tev that takes nothing holds nobody up.
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make cube --size 1mm -o c.vpk -q
hear tev 0 --stall 200
serve c.vpk --resolution 1200x1000 --tev 127.0.0.1:$tev_port
client wait 2
client post /options '{"set":{"resolution":"40x30"},"moving":false}'
client wait 2
check_film
for i in $(seq 300); do
    if grep -q "takes no more" server.log; then break; fi
    sleep .1
done
kill $server
timeout 60 tail --pid=$server -f /dev/null
status=0
wait $server || status=$?
kill $listener
grep "takes no more" server.log
test $status = 0
