# Range that is still short is told.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 0.9 -o c.vpk -q
python3 -c '
import struct
p = [0.2] * 8192
p[50 * 128 + 40] = 1e9
open("sun.pfm", "wb").write(b"Pf\n128 64\n-1.0\n" + struct.pack("<8192f", *p))
'
volrender c.vpk -o c.vpf --env sun.pfm --resolution 32x32 --spp 16 --json 2>err >a
grep -q 'lower the brightest light' err
python3 -c '
import json
a = json.load(open("a"))
assert a["dim_share"] > 0.5 and a["mean"][0] > 0.1, a
'
