# Smooth surface bounds a solid.
volprep --make sphere --dims 24,20,16 --size 6mm,5mm,4mm --sigma-t 8 --albedo 1 --surface smooth --reproducible -j 1 -o v.vpk
volprep --make sphere --dims 24,20,16 --size 6mm,5mm,4mm --sigma-t 8 --albedo 1 --surface smooth --reproducible -j 3 -o w.vpk -q
cmp v.vpk w.vpk
volinfo v.vpk --verify full --json | python3 -c '
import json, sys, math
a = json.load(sys.stdin)
s = a["surface"]
assert abs(s["volume_mm3"] / (math.pi / 6 * 120) - 1) < 0.01 and abs(s["area_mm2"] / 77.5 - 1) < 0.02, a
'
volrender v.vpk --device cpu --env 1 --boundary smooth --int-ior 1.5 --resolution 24x24 --spp 16 -o v.vpf --json | python3 -c '
import json, sys
a = json.load(sys.stdin)
assert a["mean"] == [1] and a["standard_error"] == [0] and a["lost_paths"] == 0, a
'
