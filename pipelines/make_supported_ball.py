#!/usr/bin/env python3
# Writes a print job of our own, a ball that stands on support material, and light that shows where it is glossy.
"""make_supported_ball.py JOB.gcvf LIGHT.pfm [--diameter MM]: a ball of #ff00ff (M of elek2017), below which all is support, of #ff8000; voxels of
42 x 85 x 27 um. The light is an image of the whole sphere with bright windows all around, above and below. Python's standard library alone."""

import argparse
import math
import os
import struct
import zipfile
import zlib

from png import chunk

X_DPI, Y_DPI, SLICE_NM = 600, 300, 27000
AIR, BALL, SUPPORT = b"\0\0\0\xff", b"\xff\0\xff\xff", b"\xff\x80\0\xff"

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("job", metavar="JOB.gcvf")
parser.add_argument("light", metavar="LIGHT.pfm")
parser.add_argument("--diameter", type=float, default=6, metavar="MM")
arguments = parser.parse_args()
radius = arguments.diameter / 2
pitch = 25.4 / X_DPI, 25.4 / Y_DPI, SLICE_NM * 1e-6
base, margin = 0.5, 0.3  # mm of support under the ball, of air around all
half = radius + margin
columns, rows = (math.ceil(2 * half / pitch[axis]) for axis in (0, 1))
slices = math.ceil((base + 2 * radius + margin) / pitch[2])


def find_run(distance, reach):
    """Columns from which and before which a row, this far from the middle, is within reach of the middle."""
    if distance >= reach:
        return 0, 0
    side = math.sqrt(reach * reach - distance * distance)
    return tuple(round((half + sign * side) / pitch[0]) for sign in (-1, 1))


def make_slice(number):
    height = (number + 0.5) * pitch[2] - base - radius
    ball = math.sqrt(max(0.0, radius * radius - height * height))
    data = b""
    for row in range(rows):
        distance = abs((row + 0.5) * pitch[1] - half)
        pixels = [AIR] * columns
        for reach, colour in ((radius if height < 0 else 0, SUPPORT), (ball, BALL)):
            first, end = find_run(distance, reach)
            pixels[first:end] = [colour] * (end - first)
        data += b"\0" + b"".join(pixels)
    header = struct.pack(">IIBBBBB", columns, rows, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")


def write_job(path):
    manifest = f"""<?xml version="1.0"?><GCVF><Version>2</Version>
<Resolution><XDpi>{X_DPI}</XDpi><YDpi>{Y_DPI}</YDpi><SliceThicknessNanoMeter>{SLICE_NM}</SliceThicknessNanoMeter></Resolution>
<SliceDimensions><SliceWidth>{columns}</SliceWidth><SliceHeight>{rows}</SliceHeight></SliceDimensions>
<SliceRange><StartIndex>0</StartIndex><NumberOfSlices>{slices}</NumberOfSlices></SliceRange>
<ImageFilePrefix>layer_</ImageFilePrefix><MaterialList><BackGroundMaterialRGBA>0 0 0 255</BackGroundMaterialRGBA></MaterialList></GCVF>"""
    with zipfile.ZipFile(path + ".partial", "w") as job:
        job.writestr("ConfigFile.xml", manifest)
        for number in range(slices):
            job.writestr(f"layer_{number}.png", make_slice(number))
    os.replace(path + ".partial", path)


def write_light(path, width=512, height=256):
    """Rows of a PFM run upwards."""
    rows = []
    for y in range(height):
        elevation = 180 * (y + 0.5) / height - 90
        lit = 12 < abs(elevation) < 42 and abs(abs(elevation) - 27) > 1
        rows.append(b"".join(struct.pack("<f", 6.0 if lit and (x * 8 / width) % 1 < 0.45 else 0.25) for x in range(width)))
    with open(path + ".partial", "wb") as out:
        out.write(b"Pf\n%d %d\n-1.0\n" % (width, height) + b"".join(rows))
    os.replace(path + ".partial", path)


write_job(arguments.job)
write_light(arguments.light)
