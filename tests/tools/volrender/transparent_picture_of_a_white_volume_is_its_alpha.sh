# Transparent picture of a white volume is its alpha.
volprep --make noise --dims 8,8,8 --size 2mm --sigma-t 4 --albedo 1 -o c.vpk -q
volrender c.vpk -o c.vpf -o c.exr -o c.png -o c.jpg --resolution 40x30 --spp 8 --transparent --env 1 -q
volinfo c.vpf --json | python3 -c '
import json, sys
v = json.load(sys.stdin)
assert 0 < v["coverage"] < 1, v["coverage"]
assert abs(v["mean"][0] - v["coverage"]) < 1e-9 and v["uncovered_pixels"] > 0
'
python3 -c 'import struct; d=open("c.png","rb").read(); assert d[25] in (4, 6), d[25]'
expect_status 2 volrender c.vpk -o d.vpf --probe top --transparent 2>err
grep -q 'needs a camera' err
