#!/usr/bin/env python3
# Writes files of several volumes and channels into the working folder, with the standard library alone:
#   cells.ome.tif  OME: 4 x 3 pixels, slices Z 2, channels DAPI and GFP, times 2, planes in the order XYCZT; u16, voxels of .5 x .25 x 2 um;
#                  a pixel is 1000 t + 100 c + 10 z + its number
#   times.nii      NIfTI: 4 x 3 x 2 voxels of 2 x 3 x 4 mm at three times, u8: 50 t + number of the voxel
import struct


def make_tiff(pages, width, height, description):
    out, links = bytearray(b"II*\0\0\0\0\0"), 4
    for number, page in enumerate(pages):
        strip = len(out)
        out += struct.pack(f"<{len(page)}H", *page)
        tags = {256: width, 257: height, 258: 16, 259: 1, 262: 1, 273: strip, 277: 1, 278: height, 279: 2 * len(page)}
        text = len(out)
        if number == 0:
            out += description.encode() + b"\0" * (2 - len(description.encode()) % 2)
        directory = len(out)
        out[links:links + 4] = struct.pack("<I", directory)
        entries = [(tag, 4, 1, value) for tag, value in tags.items()]
        if number == 0:
            entries.append((270, 2, directory - text, text))
        out += struct.pack("<H", len(entries))
        for entry in sorted(entries):
            out += struct.pack("<HHII", *entry)
        links = len(out)
        out += b"\0\0\0\0"
    return bytes(out)


ome = ('<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0" Name="cells">'
       '<Pixels ID="Pixels:0" DimensionOrder="XYCZT" Type="uint16" SizeX="4" SizeY="3" SizeZ="2" SizeC="2" SizeT="2" PhysicalSizeX="0.5" '
       'PhysicalSizeY="0.25" PhysicalSizeZ="2000" PhysicalSizeZUnit="nm"><Channel ID="Channel:0:0" Name="DAPI"/><Channel ID="Channel:0:1" Name="GFP"/>'
       '<TiffData/></Pixels></Image></OME>')
planes = [[1000 * t + 100 * c + 10 * z + i for i in range(12)] for t in range(2) for z in range(2) for c in range(2)]
with open("cells.ome.tif", "wb") as file:
    file.write(make_tiff(planes, 4, 3, ome))

header = struct.pack("<i36x8h", 348, 4, 4, 3, 2, 3, 1, 1, 1) + struct.pack("<14xhhh", 2, 8, 0)
header += struct.pack("<8f", 1, 2, 3, 4, 1, 0, 0, 0) + struct.pack("<f", 352)
header = header.ljust(344, b"\0") + b"n+1\0" + b"\0" * 4
with open("times.nii", "wb") as file:
    file.write(header + bytes(50 * t + i for t in range(3) for i in range(24)))
