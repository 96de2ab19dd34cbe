# Busy port is told.
# grep: --port
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make cube --size 1mm -o c.vpk -q
serve c.vpk --resolution 20x20
port=$(python3 -c 'import json; print(json.load(open("server.json"))["port"])')
status=0
volview c.vpk --resolution 20x20 --port $port --exit-after 1 2>err || status=$?
cat err
test $status = 4
grep -q $port err
