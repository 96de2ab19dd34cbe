"""Pictures for tests. make_pictures.py claim|rgb OUT.png WIDTH HEIGHT, or bmp OUT.bmp OUT.png.

claim: a grey PNG whose image data, 900 kB, are no zlib stream: its header alone can be read
rgb: a PNG of colours
bmp: a BMP of 32 bits without a mask of alpha, with fourth bytes of 0xAB, and the same colours as a PNG
"""

import struct
import sys
import zlib


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def write_png(name, width, height, colour, compressed):
    header = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    with open(name, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", compressed) + chunk(b"IEND", b""))


def compress_rows(width, height, colour_at):
    packer = zlib.compressobj(1)
    data = b""
    for y in range(height):
        data += packer.compress(b"\0" + b"".join(bytes(colour_at(x, y)) for x in range(width)))
    return data + packer.flush()


def make_rgb(name, width, height):
    row = bytes(255 * x // width for x in range(width) for _ in range(3))
    packer = zlib.compressobj(1)
    data = b"".join(packer.compress(b"\0" + row) for _ in range(height))
    write_png(name, width, height, 2, data + packer.flush())


def make_bmp(bmp_name, png_name):
    def colour_at(x, y):
        return (13 * x) % 256, (29 * y) % 256, (7 * x + 11 * y) % 256

    pixels = b"".join(bytes((*reversed(colour_at(x, y)), 0xAB)) for y in range(16) for x in range(16))
    with open(bmp_name, "wb") as file:
        file.write(struct.pack("<2sIHHI", b"BM", 54 + len(pixels), 0, 0, 54))
        file.write(struct.pack("<IiiHHIIiiII", 40, 16, -16, 1, 32, 0, len(pixels), 2835, 2835, 0, 0) + pixels)
    write_png(png_name, 16, 16, 2, compress_rows(16, 16, colour_at))


if __name__ == "__main__":
    kind, *names = sys.argv[1:]
    if kind == "claim":
        write_png(names[0], int(names[1]), int(names[2]), 0, bytes(900_000))
    elif kind == "rgb":
        make_rgb(names[0], int(names[1]), int(names[2]))
    else:
        make_bmp(*names)
