# Light image and hints of the start are in the copied command.
# grep: sky.pfm
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make cube --dims 2,2,2 --size 1mm --sigma-t 5 --albedo 0.9 -o c.vpk -q
printf 'Pf\n2 1\n-1.0\n\0\0\200\77\0\0\0\100' >sky.pfm
serve c.vpk --resolution 40x30 --env sky.pfm --env-rotate 30 --transparent --long-steps off --roulette 0.25
client wait 2
check_film image
client post /options '{"set":{"env":"0.5","env-rotate":null}}'
client wait 2
check_film number
client post /options '{"set":{"env":"image"}}'
client wait 2
check_film again
client get /command.json
