# Long steps on a ground.
volprep --make cube --dims 16,16,16 --size 2mm --sigma-t 40 --albedo 0.99 -o c.vpk -q
for l in on off; do
    volrender c.vpk --long-steps $l --ground diffuse:.5 --resolution 40x40 --spp 64 --bank-cache off -o $l.vpf -q --json >$l.json
done
volcompare on.vpf off.vpf --statistical
python3 -c '
import json
a = json.load(open("on.json"))
assert a["long_steps"] > a["paths"] / 20 and a["lost_paths"] == 0, a
'
