# Probe is shown and measured but not moved.
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make checker --dims 16,16,4 --size 2mm,2mm,1mm --sigma-t 10 --albedo 0.9,0.5,0.2 -o c.vpk -q
serve c.vpk --probe top --dpi 200
client wait 4
check_film
client post /patch '{"x0":0,"y0":0,"x1":1,"y1":1}' | python3 -c '
import json, sys
a = json.load(sys.stdin)
assert (
    len(a["lab"]) == 3 and 0 < a["lab"][0] < 110 and a["noise_de"] is not None and a["target_lab"] is None and a["de2000"] is None
), a
'
client get /scene.json | python3 -c 'import json, sys; assert json.load(sys.stdin)["can_move"] is False'
client post /camera '{"origin":[3,4,5],"target":[0,0,0],"up":[0,0,1],"moving":false}' --status 409
