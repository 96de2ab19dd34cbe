# Writes 8-bit RGB PNG files with Python's standard library, for the scripts that draw the textures.
"""write_png(path, width, height, rows): `rows` holds `height` byte strings of 3 * width values, top row first."""

import os
import struct
import zlib


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def write_png(path, width, height, rows):
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    partial = f"{path}.partial"
    with open(partial, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b""))
    os.replace(partial, path)
