# Slice has the proportions of the volume.
volprep --make checker --dims 16,8,8 --size 16mm,24mm,8mm --sigma-t 1 -o v.vpk -q
volinfo v.vpk --slice 0 s.png >/dev/null
volinfo v.vpk --slice 0 n.png --aspect voxel >/dev/null
python3 -c '
import struct
size = lambda n: struct.unpack(">II", open(n, "rb").read()[16:24])
assert size("s.png") == (16, 24) and size("n.png") == (16, 8), (size("s.png"), size("n.png"))
'
