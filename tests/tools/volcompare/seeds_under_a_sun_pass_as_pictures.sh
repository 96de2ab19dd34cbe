# Seeds under a sun pass as pictures.
# grep: pass
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 0.9 -o c.vpk -q
python3 -c '
import struct
p = [1.0] * 8192
p[50 * 128 + 40] = 1e6
open("sun.pfm", "wb").write(b"Pf\n128 64\n-1.0\n" + struct.pack("<8192f", *p))
'
for s in 1 2; do
    volrender c.vpk -o $s.exr --env sun.pfm --resolution 32x32 --spp 16 --seed $s || exit
done
volcompare 1.exr 2.exr --statistical
