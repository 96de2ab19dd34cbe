# Seeds under a sun pass as pictures where their samples can tell, and are undecided where a few paths have met it.
# grep: pass
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 0.9 -o c.vpk -q
python3 -c '
import struct
p = [1.0] * 8192
p[50 * 128 + 40] = 1e6
open("sun.pfm", "wb").write(b"Pf\n128 64\n-1.0\n" + struct.pack("<8192f", *p))
'
for spp in 16 2048; do
    for s in 1 2; do
        volrender c.vpk -o $spp-$s.exr --env sun.pfm --resolution 32x32 --spp $spp --seed $s -q
    done
done
expect_status 1 volcompare 16-1.exr 16-2.exr --statistical >few
grep -q '^verdict *undecided' few
volcompare 2048-1.exr 2048-2.exr --statistical
