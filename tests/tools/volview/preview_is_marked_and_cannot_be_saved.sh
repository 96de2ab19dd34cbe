# Preview is marked and cannot be saved.
# grep: volprep
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make noise --dims 16,16,16 --size 3mm --sigma-t 6 --albedo 0.9 -o n.vpk -q
mkdir out
serve n.vpk --resolution 40x30 --out out
client wait 1
client post /preview '{"opacity":"0:0,0.5:0.1,1:1","albedo":null,"crop":null}'
client wait 1
client post /save '{"kind":"vpf"}' --status 409
client get /command.json
test -z "$(ls out)"
client post /preview '{"opacity":null,"albedo":null,"crop":null}'
client wait 1
client post /save '{"kind":"vpf"}'
check_film
