# Picture with a profile.
# grep: note: p.png has the colour profile 'Wide Gamut', which is ignored
python3 -c '
import struct, zlib
c = lambda t, d: struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d))
open("p.png", "wb").write(
    b"\x89PNG\r\n\x1a\n"
    + c(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    + c(b"iCCP", b"Wide Gamut\0\0" + zlib.compress(b"no profile"))
    + c(b"IDAT", zlib.compress(b"\0abc"))
    + c(b"IEND", b"")
)
'
volprep --print p.png --size 1mm,1mm --core 0.2mm --ink-depth 0.1mm --materials elek2017 -o p.vpk --json >j
grep -q 'colour profile' j
volprep --slab p.png --dims 4,4,4 --size 1mm -o s.vpk
s=0
volrender s.vpk --env p.png --spp 1 --resolution 4x4 --device cpu -o f.vpf 2>r || s=$?
test $s = 3
grep -q 'colorspace RGB LIGHT.pfm' r
grep -q "profile 'Wide Gamut'" r
volcompare p.png p.png >c 2>&1
grep -q 'colour profile' c
