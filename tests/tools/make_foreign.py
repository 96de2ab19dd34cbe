#!/usr/bin/env python3
# Writes files as other programs do, with the standard library alone: make_foreign.py NAME..
#   ct.mha       Hounsfield numbers, i16, 24^3 voxels of 4 mm: air of -1000, a ball of soft tissue of 40, bone of 900 inside
#   bad.nrrd     f32, 12^3: a ball of 5 on -0.5 with a NaN
#   cells.nrrd   u16, 16^3: background around 100, a ball from 900 to 1500
#   slices/      eight PNG of 12 x 10 pixels: cyan on white, a print job
#   photos/      four PNG of 12 x 10 pixels, grey ramps
#   cube.stl     a closed cube of 20 mm; open.stl lacks its top; turned.stl has a triangle the wrong way round
#   cube.ply     a cube of 20 mm whose corners have colours
#   drawing.png  24 x 16 pixels in colour
import os
import struct
import sys
import zlib

QUADS = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
CORNERS = [(20 * (i & 1), 20 * (i >> 1 & 1), 20 * (i >> 2)) for i in range(8)]
TRIANGLES = [t for a, b, c, d in QUADS for t in ((a, b, c), (a, c, d))]


def distance(i, n):
    x, y, z = i % n, i // n % n, i // n // n
    return max(1e-9, ((x - n / 2 + .5) ** 2 + (y - n / 2 + .5) ** 2 + (z - n / 2 + .5) ** 2) ** .5) / (n / 2)


def write(name, data):
    with open(name, "wb") as file:
        file.write(data)


def write_ball(name, head, n, letter, value):
    numbers = [value(distance(i, n), i) for i in range(n ** 3)]
    write(name, head.encode() + struct.pack(f"<{n ** 3}{letter}", *numbers))


def nrrd(kind, n):
    return f"NRRD0004\ntype: {kind}\ndimension: 3\nsizes: {n} {n} {n}\nspacings: 2 2 2\nendian: little\nencoding: raw\n\n"


def write_png(name, width, height, channels, pixel):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width)) for y in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 3: 2}[channels], 0, 0, 0)
    write(name, b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def write_stl(name, triangles):
    data = b"\0" * 80 + struct.pack("<I", len(triangles))
    for triangle in triangles:
        data += struct.pack("<12f", 0, 0, 0, *[c for i in triangle for c in CORNERS[i]]) + b"\0\0"
    write(name, data)


def write_ply(name):
    text = "ply\nformat ascii 1.0\nelement vertex 8\n" + "".join(f"property float {c}\n" for c in "xyz")
    text += "".join(f"property uchar {c}\n" for c in ("red", "green", "blue"))
    text += "element face 12\nproperty list uchar int vertex_indices\nend_header\n"
    text += "".join(f"{x} {y} {z} {200 * (x > 0) + 40} 90 {200 * (z > 0) + 40}\n" for x, y, z in CORNERS)
    write(name, (text + "".join("3 %d %d %d\n" % t for t in TRIANGLES)).encode())


for name in sys.argv[1:]:
    if name == "ct.mha":
        head = ("ObjectType = Image\nNDims = 3\nDimSize = 24 24 24\nElementSpacing = 4 4 4\nElementType = MET_SHORT\n"
                "ElementDataFile = LOCAL\n")
        write_ball(name, head, 24, "h", lambda r, i: 900 if r < .4 else 40 if r < .9 else -1000)
    elif name == "bad.nrrd":
        write_ball(name, nrrd("float", 12), 12, "f", lambda r, i: float("nan") if i == 7 else 5 if r < .8 else -.5)
    elif name == "cells.nrrd":
        write_ball(name, nrrd("uint16", 16), 16, "H", lambda r, i: 100 + i % 7 if r > .8 else 900 + i % 600)
    elif name in ("slices", "photos"):
        os.mkdir(name)
        for z in range(8 if name == "slices" else 4):
            if name == "slices":
                write_png(f"{name}/s{z}.png", 12, 10, 3, lambda x, y: (0, 255, 255) if 2 < x < 9 else (255, 255, 255))
            else:
                write_png(f"{name}/s{z}.png", 12, 10, 1, lambda x, y: (20 * x,))
    elif name == "drawing.png":
        write_png(name, 24, 16, 3, lambda x, y: (10 * x, 15 * y, 120))
    elif name == "cube.ply":
        write_ply(name)
    else:
        flipped = [TRIANGLES[0][::-1]] + TRIANGLES[1:]
        write_stl(name, {"cube.stl": TRIANGLES, "open.stl": TRIANGLES[:-2], "turned.stl": flipped}[name])
