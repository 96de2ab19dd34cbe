# Tev that is absent or ends is told once and found again.
# grep: cannot be reached
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make cube --dims 2,2,2 --size 1mm --sigma-t 5 --albedo 0.9,0.8,0.6 -o c.vpk -q
tev_port=$(python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])')
serve c.vpk --resolution 400x300 --transparent --device cpu -j 2 --tev 127.0.0.1:$tev_port
client wait 2
hear first $tev_port --pictures 2
check_heard first
client wait 2
hear second $tev_port --pictures 2
wait $listener
cat server.log
test $(grep -c 'note: --tev' server.log) = 1
