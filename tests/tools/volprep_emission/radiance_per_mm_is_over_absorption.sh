# Radiance per mm is over absorption.
volprep --make cube --dims 8,8,8 --size 4mm --sigma-t 2 --albedo 0.5,0.75,0 --emission 3 --emission-from radiance-per-mm \
    --emission-scale 2 -o c.vpk
volinfo c.vpk --json | python3 -c '
import json, sys
a = json.load(sys.stdin)
assert a["emission"]["largest_radiance"] == [6, 12, 3], a
'
