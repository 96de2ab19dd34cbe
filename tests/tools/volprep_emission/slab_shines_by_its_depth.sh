# Slab shines by its depth.
volprep --make cube --size 2mm --sigma-t 1.5 --albedo 0 --emission 2 --reproducible -o c.vpk
volinfo c.vpk --verify full --json | python3 -c '
import json, sys
a = json.load(sys.stdin)
assert a["emission"] == {"largest_radiance": [2]}, a
'
volrender c.vpk --device cpu --resolution 1x1 --fov 0.01 --origin 0,0,1000 --target 0,0,0 --up 0,1,0 --spp 20000 -o c.vpf \
    --json | python3 -c '
import json, sys, math
a = json.load(sys.stdin)
t = 2 * (1 - math.exp(-3))
assert abs(a["mean"][0] - t) < 4 * a["standard_error"][0], a
'
