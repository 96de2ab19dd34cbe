# Tev gets the pixels of the film in every size.
# grep: equal
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make checker --dims 8,8,8 --size 2mm --sigma-t 10 --albedo 0.9,0.8,0.6 -o c.vpk -q
hear tev 0 --pictures 3 --until 330x211
serve c.vpk --resolution 400x300 --transparent --env 1,.9,.8 --device cpu -j 2 --tev localhost:$tev_port
client wait 2
client post /options '{"set":{"resolution":"330x211"},"moving":false}'
check_heard tev
python3 -c '
import json
heard = json.load(open("tev.json"))
assert heard["name"] == "c.vpk" and heard["channels"] == list("RGBA") and heard["sizes"][-1] == [330, 211], heard
'
