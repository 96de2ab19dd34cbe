# Slices python.
# grep: type u16
python3 -c '
import struct, zlib
c = lambda t, d: struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d))
[
    open(f"s{i}.png", "wb").write(
        b"\x89PNG\r\n\x1a\n"
        + c(b"IHDR", struct.pack(">IIBBBBB", 2, 1, 16, 0, 0, 0, 0))
        + c(b"IDAT", zlib.compress(bytes([0, i, 1, 255, 254])))
        + c(b"IEND", b"")
    )
    for i in range(3)
]
open("want.raw", "wb").write(b"".join(struct.pack("<HH", 256 * i + 1, 65534) for i in range(3)))
'
volprep . --pitch 1mm -o v.vpk
volprep v.vpk --export got.raw
cmp want.raw got.raw
