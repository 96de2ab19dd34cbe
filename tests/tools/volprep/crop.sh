# Crop.
# grep: 10x8x9 voxels of 0.5x0.5x0.5 mm
# grep: placement.origin_world_mm: [-2.5,-3.0,-6.0]
volprep --make noise --dims 20,16,24 --size 10mm,8mm,12mm --encode f32 -o a.vpk
volprep a.vpk --export a.mha
volprep a.mha --crop 5:15,2:10,0:9 -o c.vpk
volprep c.vpk --export c.raw
volprep a.vpk --export a.raw
python3 -c '
import struct
n = lambda f: struct.unpack("<%df" % (len(f) // 4), f)
a = n(open("a.raw", "rb").read())
c = n(open("c.raw", "rb").read())
assert list(c) == [a[(z * 16 + y) * 20 + x] for z in range(9) for y in range(2, 10) for x in range(5, 15)]
'
volinfo c.vpk
