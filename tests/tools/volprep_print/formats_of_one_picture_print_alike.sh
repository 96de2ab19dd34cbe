# Formats of one picture print alike.
python3 -c '
import struct, zlib, random
random.seed(3)
w, h = 7, 5
p = bytes(random.randrange(256) for _ in range(w * h * 3))
rows = [p[i * w * 3 : (i + 1) * w * 3] for i in range(h)]
c = lambda t, d: struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d))
open("a.png", "wb").write(
    b"\x89PNG\r\n\x1a\n"
    + c(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 2, 0, 0, 0))
    + c(b"IDAT", zlib.compress(b"".join(b"\0" + r for r in rows)))
    + c(b"IEND", b"")
)
bgr = b"".join(b"".join(r[i : i + 3][::-1] for i in range(0, w * 3, 3)).ljust(24, b"\0") for r in rows[::-1])
open("a.bmp", "wb").write(
    struct.pack("<2sIHHIIiiHHIIiiII", b"BM", 54 + len(bgr), 0, 0, 54, 40, w, h, 1, 24, 0, 0, 0, 0, 0, 0) + bgr
)
tiff = (
    lambda kind, n, data: struct.pack("<2sHIH", b"II", 42, 8, 8)
    + b"".join(
        struct.pack("<HHII", *e)
        for e in [
            (256, 3, 1, w),
            (257, 3, 1, h),
            (258, 3, 1, 8),
            (262, 3, 1, kind),
            (273, 4, 1, 110),
            (277, 3, 1, n),
            (278, 3, 1, h),
            (279, 4, 1, len(data)),
        ]
    )
    + struct.pack("<I", 0)
    + data
)
open("a.tif", "wb").write(tiff(2, 3, p))
open("inks.tif", "wb").write(tiff(5, 4, bytes(w * h * 4)))
'
for f in a.png a.bmp a.tif; do
    volprep --print $f --size .4mm,.5mm --core 0.2mm --ink-depth 0.1mm --materials elek2017 -o p.vpk 2>n
    grep -q "$f has no colour profile: its values are taken as sRGB" n
    volinfo p.vpk | grep data_checksum >$f.sum
done
cmp a.png.sum a.bmp.sum
cmp a.png.sum a.tif.sum
volcompare a.tif a.bmp
cp inks.tif not.icc
s=0
volprep --print inks.tif --size .4mm,.5mm --core 0.2mm --materials elek2017 -o q.vpk 2>n || s=$?
test $s = 3
grep -q 'CMYK and has no colour profile.*--picture-profile' n
s=0
volprep --print inks.tif --picture-profile not.icc --size .4mm,.5mm --core 0.2mm --materials elek2017 -o q.vpk 2>n || s=$?
test $s = 3
grep -q 'not.icc: cannot be used for inks.tif' n
test ! -e q.vpk
