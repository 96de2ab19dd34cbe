# Voxels bound a solid.
# grep: surface
volprep --make sphere --dims 24,20,16 --size 6mm,10mm,4mm --sigma-t 8 --albedo 1 --surface voxels --reproducible -j 1 -o v.vpk
volprep --make sphere --dims 24,20,16 --size 6mm,10mm,4mm --sigma-t 8 --albedo 1 --surface voxels --reproducible -j 3 -o w.vpk -q
cmp v.vpk w.vpk
volinfo v.vpk --verify full --json | python3 -c '
import json, sys, math
a = json.load(sys.stdin)
s = a["surface"]
assert abs(s["volume_mm3"] / (math.pi / 6 * 240) - 1) < 0.03 and a["dims"] == [24, 20, 16], a
'
volrender v.vpk --device cpu --env 1 --boundary smooth --int-ior 1.5 --resolution 24x24 --spp 16 -o v.vpf --json | python3 -c '
import json, sys
a = json.load(sys.stdin)
assert a["mean"] == [1] and a["standard_error"] == [0] and a["lost_paths"] == 0, a
'
