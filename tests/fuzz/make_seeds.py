#!/usr/bin/env python3
# Writes the seeds of the BMP and MetaImage fuzz targets.
"""make_seeds.py FOLDER: FOLDER/bmp and FOLDER/metaimage as tests/fuzz/seeds has them (zlib's bytes may differ with its version)."""

import pathlib
import struct
import sys
import zlib


def bmp(width, height, bits, pixels, palette=b""):
    offset = 54 + len(palette)
    header = struct.pack("<2sIHHI", b"BM", offset + len(pixels), 0, 0, offset)
    return header + struct.pack("<IiiHHIIiiII", 40, width, height, 1, bits, 0, 0, 0, 0, 0, 0) + palette + pixels


def letters(first, count):
    return bytes(range(ord(first), ord(first) + count))


def metaimage(lines, data):
    head = ["ObjectType = Image", "NDims = 3", "DimSize = 2 2 2", *lines, "ElementDataFile = LOCAL"]
    return "".join(line + "\n" for line in head).encode() + data


def main():
    root = pathlib.Path(sys.argv[1])
    grey = b"".join(bytes([v, v, v, 0]) for v in (0, 128, 255))
    numbers = struct.pack("<8H", *range(100, 900, 100))
    deflated = zlib.compress(numbers)
    files = {
        "bmp/alpha.bmp": bmp(2, 2, 32, letters("i", 8) + letters("a", 8)),
        "bmp/colour.bmp": bmp(3, 2, 24, letters("j", 9) + bytes(3) + letters("a", 9) + bytes(3)),
        "bmp/grey.bmp": bmp(3, 2, 8, bytes([2, 1, 0, 0, 0, 1, 2, 0]), grey),
        "metaimage/colour.mha": metaimage(["ElementType = MET_UCHAR", "ElementNumberOfChannels = 3", "BinaryData = True"], bytes(range(24))),
        "metaimage/raw.mha": metaimage(["ElementType = MET_USHORT", "ElementSpacing = 1 1 2", "Offset = 1 2 3", "BinaryData = True",
                                        "BinaryDataByteOrderMSB = False"], numbers),
        "metaimage/zlib.mha": metaimage(["ElementType = MET_USHORT", "BinaryData = True", "CompressedData = True",
                                         f"CompressedDataSize = {len(deflated)}", "TransformMatrix = 0 1 0 -1 0 0 0 0 1"], deflated),
    }
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)


if __name__ == "__main__":
    main()
