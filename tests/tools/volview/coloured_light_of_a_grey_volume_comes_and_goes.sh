# Coloured light of a grey volume comes and goes.
# grep: "bands":1
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make cube --dims 2,2,2 --size 1mm --sigma-t 5 --albedo 0.9 -o c.vpk -q
serve c.vpk --resolution 40x30
client wait 2
check_film grey
client post /options '{"set":{"env":"0.4,0.5,0.7"}}'
client post /display '{"band":2}'
client wait 2
check_film coloured
client post /preview '{"crop":[0,0,0,1,2,2]}'
client post /options '{"set":{"env":null}}'
client post /options '{"set":{"env":"0.7,0.5,0.4"}}'
client wait 2
client post /preview '{}'
client wait 2
check_film other
client post /options '{"set":{"env":null}}'
client wait 2
check_film again
client get /frame.png --output frame.png
client get /scene.json
