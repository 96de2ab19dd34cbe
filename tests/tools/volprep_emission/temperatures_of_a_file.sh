# Temperatures of a file.
volprep --make sphere --dims 16,16,16 --size 4mm --sigma-t 1 -o s.vpk -q
volprep s.vpk --export s.mha
volprep s.mha --albedo 0.5 --emission-file s.mha --emission-from blackbody --temperature-scale 1500 -o h.vpk
volinfo h.vpk --verify full --json | python3 -c '
import json, sys
a = json.load(sys.stdin)
assert abs(a["emission"]["largest_radiance"][0] / 1.13324e-5 - 1) < 1e-4, a
'
