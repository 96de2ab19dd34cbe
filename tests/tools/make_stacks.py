# make_stacks.py FOLDER [RESIN..]: a job of one stack of 1-bit BMP per material, of 8 slices of 24 x 10, and its text, print.txt.
import os
import struct
import sys

WIDTH, HEIGHT, SLICES = 24, 10, 8
folder, resins = sys.argv[1], sys.argv[2:]
stacks = len(resins) or 2
ROW_BYTES = (WIDTH + 31) // 32 * 4


def write_bmp(path, is_printed):
    rows = []
    for y in reversed(range(HEIGHT)):
        bits = "".join("1" if is_printed(x, y) else "0" for x in range(WIDTH)).ljust(8 * ROW_BYTES, "0")
        rows.append(int(bits, 2).to_bytes(ROW_BYTES, "big"))
    size = ROW_BYTES * HEIGHT
    header = struct.pack("<2sIHHI", b"BM", 62 + size, 0, 0, 62) + struct.pack("<IiiHHIIiiII", 40, WIDTH, HEIGHT, 1, 1, 0, size, 0, 0, 2, 2)
    with open(path, "wb") as file:
        file.write(header + bytes((0, 0, 0, 0, 255, 255, 255, 0)) + b"".join(rows))


lines = ["[Build]", "Format version = 1;", "Layer thickness = 0.03;", f"Number of slices = {SLICES};"]
if resins:
    lines += ["[Resin Type]"] + [f"{'Color' if i == 0 else f'Resin{i + 1}'} = {resin};" for i, resin in enumerate(resins)]
lines += ["[Materials]"]
for i in range(1, stacks + 1):
    lines.append(f"Material{i} = C:\\jobs\\Mat{i}\\Mat{i}_xxxx.bmp;")
    os.makedirs(f"{folder}/Mat{i}")
    for z in range(SLICES):
        write_bmp(f"{folder}/Mat{i}/Mat{i}_{z:04d}.bmp", lambda x, y, i=i, z=z: (x + y + z) % (stacks + 1) == i)
with open(f"{folder}/print.txt", "w") as file:
    file.write("\r\n".join(lines))
