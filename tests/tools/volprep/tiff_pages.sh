# Tiff pages.
# grep: 3x2x3 voxels of 0.001x0.001x0.001 mm
# grep: type u16
# grep: cut.tif: page 2: is damaged
python3 -c '
import struct
e = lambda *t: struct.pack(">HHII", *t)
s = lambda t, v: struct.pack(">HHIHH", t, 3, 1, v, 0)
f = b"MM\0*" + struct.pack(">I", 8)
f += b"".join(
    struct.pack(">H", 8)
    + e(256, 4, 1, 3)
    + e(257, 4, 1, 2)
    + s(258, 16)
    + s(259, 1)
    + s(262, 1)
    + e(273, 4, 1, 8 + 3 * 102 + 12 * i)
    + s(277, 1)
    + e(279, 4, 1, 12)
    + struct.pack(">I", 0 if i == 2 else 8 + 102 * (i + 1))
    for i in range(3)
)
n = [(i * 7919) % 65536 for i in range(18)]
open("s.tif", "wb").write(f + struct.pack(">18H", *n))
open("want.raw", "wb").write(struct.pack("<18H", *n))
'
volprep s.tif --pitch 1um -o v.vpk
volprep v.vpk --export got.raw
cmp want.raw got.raw
head -c 345 s.tif >cut.tif
s=0
volprep cut.tif --pitch 1um -o w.vpk || s=$?
test $s = 3
