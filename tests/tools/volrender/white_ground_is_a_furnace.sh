# White ground is a furnace.
volprep --make cube --dims 4,4,4 --size 2mm --sigma-t 5 --albedo 1 -o c.vpk -q
volrender c.vpk --boundary smooth --ground diffuse:1 --resolution 24x16 --spp 9 --device cpu -o f.vpf -q --json >answer
python3 -c '
import json
a = json.load(open("answer"))
assert a["mean"] == [1.0] and a["standard_error"] == [0.0] and a["lost_paths"] == 0, a
'
