# Pick finds the point under the cursor.
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make cube --dims 2,2,2 --size 2mm --sigma-t 20 --albedo 0.9 -o c.vpk -q
serve c.vpk --resolution 80x60 --boundary smooth --int-ior 1.5 --ortho 4mm --origin 0,0,10 --target 0,0,0 --up 0,1,0
client wait 1
for p in '0.5 0.5' '0.625 0.5' '0.5 0.4' '0.01 0.5'; do
    set -- $p
    client post /pick "{\"x\":$1,\"y\":$2}" >>points
done
cat points
python3 -c '
import json
points = [json.loads(line)["point"] for line in open("points") if line.strip()]
wanted = [[0, 0, 1], [0.5, 0, 1], [0, 0.3, 1]]
assert (
    all(abs(x - y) < 0.06 for p, w in zip(points, wanted) for x, y in zip(p, w)) and points[3] is None and len(points) == 4
), points
'
