# Emission stays when packed again.
volprep --make sphere --dims 16,16,16 --size 4mm --albedo .1,.2,.3 --emission 1,2,3 --reproducible -o a.vpk -q
volprep a.vpk --reproducible -o b.vpk
cmp a.vpk b.vpk
volprep a.vpk --bands 2 -o c.vpk
volinfo c.vpk --json | python3 -c '
import json, sys
a = json.load(sys.stdin)
assert a["emission"]["largest_radiance"] == [3], a
'
