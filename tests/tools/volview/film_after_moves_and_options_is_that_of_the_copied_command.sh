# Film after moves and options is that of the copied command.
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make noise --dims 16,16,16 --size 3mm --sigma-t 6 --albedo 0.9 -o 'a volume.vpk' -q
serve 'a volume.vpk' --resolution 90x70 -j 2
client wait 2
client post /camera '{"origin":[4.1,-5.3,3.7000000000000002],"target":[0.1,0.2,0.3],"up":[0,0.1,1],"fov":33.3,"moving":true}'
client post /options '{"set":{"g":"0.4","boundary":"rough","alpha":"0.2","int-ior":"1.4","env":"1.5","env-below":"0.1","env-up":"+z","ground":"checker:.2:.6","scale":"2"},"moving":false}'
client wait 4
check_film a
client post /camera '{"origin":[0,0,9],"target":[0,0,0],"up":[0,1,0],"ortho":4,"moving":false}'
client post /options '{"set":{"g":null,"boundary":null,"alpha":null,"int-ior":null,"ground":null,"resolution":"31x47"}}'
client wait 4
check_film b
volinfo b.vpf | grep 'ortho_width_mm: 4'
volinfo a.vpf >a.txt
grep -i 'ground.kind: checker' a.txt
