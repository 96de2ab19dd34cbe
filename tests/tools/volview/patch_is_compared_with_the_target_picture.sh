# Patch is compared with the target picture.
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --slab $VOLPT_TESTS_DIR/../pipelines/data/chart.png --dims 60,40,4 --size 6mm,4mm,1mm --sigma-t 20 -o c.vpk -q
serve c.vpk --probe top --target-picture $VOLPT_TESTS_DIR/../pipelines/data/chart.png
client wait 4
client post /patch '{"x0":0.1,"y0":0.1,"x1":0.2,"y1":0.2}' | python3 -c '
import json, sys
a = json.load(sys.stdin)
assert len(a["target_lab"]) == 3 and 0 <= a["de2000"] < 100, a
'
client get /scene.json | grep '"target": *true'
