# Slices bmp.
# grep: 2x2x3 voxels
# grep: type u8
python3 -c '
import struct
[
    open(f"s{i}.bmp", "wb").write(
        b"BM"
        + struct.pack("<IIIIiiHHIIiiII", 70, 0, 62, 40, 2, -2, 1, 8, 0, 0, 0, 0, 2, 0)
        + bytes([0, 0, 0, 0, 7, 7, 7, 0])
        + bytes([i % 2, 1, 0, 0, 0, 1, 0, 0])
    )
    for i in range(8, 11)
]
open("want.raw", "wb").write(b"".join(bytes([7 * (i % 2), 7, 0, 7]) for i in range(8, 11)))
'
volprep . --pitch 1mm -o v.vpk
volprep v.vpk --export got.raw
cmp want.raw got.raw
