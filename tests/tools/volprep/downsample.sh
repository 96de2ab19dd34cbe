# Downsample.
# grep: 10x4x3 voxels of 1x2x1.5 mm
# grep: placement.origin_world_mm: [-5.0,-4.0,-6.0]
volprep --make noise --dims 20,16,24 --size 10mm,8mm,12mm --encode f32 -o a.vpk -q
volprep a.vpk --export a.mha
volprep a.vpk --export a.raw
volprep a.mha --crop 0:20,0:16,0:9 --downsample 2,4,3 --encode f32 -o d.vpk
volprep d.vpk --export d.raw
python3 -c '
import struct
n = lambda f: struct.unpack("<%df" % (len(f) // 4), f)
a = n(open("a.raw", "rb").read())
d = n(open("d.raw", "rb").read())
at = lambda x, y, z: a[(z * 16 + y) * 20 + x]
w = [
    sum(at(2 * x + i, 4 * y + j, 3 * z + k) for k in range(3) for j in range(4) for i in range(2)) / 24
    for z in range(3)
    for y in range(4)
    for x in range(10)
]
assert len(w) == len(d) and max(abs(p - q) for p, q in zip(w, d)) < 1e-7
'
volinfo d.vpk
