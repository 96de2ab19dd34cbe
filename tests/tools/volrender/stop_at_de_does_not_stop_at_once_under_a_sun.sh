# Stop at de does not stop at once under a sun.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 0.9 -o c.vpk -q
python3 -c '
import struct
p = [1.0] * 8192
p[50 * 128 + 40] = 1e6
open("sun.pfm", "wb").write(b"Pf\n128 64\n-1.0\n" + struct.pack("<8192f", *p))
'
volrender c.vpk -o c.vpf --env sun.pfm --resolution 32x32 --stop-at-de 1 --spp 48 --json >a
python3 -c '
import json
a = json.load(open("a"))
assert a["samples"] == 48 and a["standard_error"][0] > 1e-3 and a["dim_share"] == 0, a
'
