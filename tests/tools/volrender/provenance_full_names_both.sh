# Provenance full names both.
volprep --make cube --dims 1,1,1 --size 1mm -o c.vpk --provenance full -q
volrender c.vpk -o c.vpf --spp 1 --resolution 2x2 --provenance full
volinfo c.vpk --json >v.json
volinfo c.vpf --json >f.json
python3 -c '
import json
v, f = [json.load(open(n + ".json"))["provenance"] for n in "vf"]
assert v["host"] and "-o c.vpk" in v["command_line"] and f["volume"] == "c.vpk", (v, f)
'
