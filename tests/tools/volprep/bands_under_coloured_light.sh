# Bands under coloured light.
# grep: light_channels: [1]
python3 -c '
import struct
rows = [[(1 + x % 3, 0.25 * (x % 5), 0.5 + y) for x in range(16)] for y in range(8)]
open("sky.pfm", "wb").write(b"PF\n16 8\n-1\n" + b"".join(struct.pack("<3f", *p) for r in rows for p in r))
'
common='--env sky.pfm --resolution 12x9 --spp 4 --roulette off --reproducible -q'
volprep --make cube --size 10mm --sigma-t .1,.2,.3 --albedo .9,.8,.7 -o chromatic.vpk
volprep --make checker --dims 16,16,16 --size 10mm --albedo .9,.8,.7 -o grey.vpk
for v in chromatic grey; do
    volrender $v.vpk -o $v.exr -o $v.pfm $common
    for b in 0 1 2; do
        volprep $v.vpk --bands $b -o $v$b.vpk
        volrender $v$b.vpk -o $v$b.pfm $common
    done
    python3 -c '
import sys
read = lambda n: open(n + ".pfm", "rb").read().split(b"\n", 3)[3]
v = sys.argv[1]
whole = read(v)
assert all(
    whole[4 * b + 12 * i : 4 * b + 12 * i + 4] == read(v + str(b))[4 * i : 4 * i + 4] for b in range(3) for i in range(108)
)
' $v
done
volinfo grey1.vpk
