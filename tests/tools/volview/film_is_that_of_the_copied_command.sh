# Film is that of the copied command.
# grep: equal
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make checker --dims 8,8,8 --size 2mm --sigma-t 10 --albedo 0.9,0.8,0.6 -o c.vpk -q
serve c.vpk --resolution 64x48 --boundary smooth --int-ior 1.5 --env 1,.9,.8 --seed 7 -j 2
client wait 8
check_film
