#!/usr/bin/env python3
# Compares what tev_listener.py received with an .exr, bit for bit. Needs Python's standard library alone.
"""compare_exr.py HEARD FILM.exr

HEARD.json and HEARD.raw are of tev_listener.py; FILM.exr has scanlines of 32-bit floats and ZIP, as volrender writes it, and at least the channels that were
received. Prints "equal". Exit status: 0 equal, 1 not so."""

import itertools
import json
import pathlib
import struct
import sys
import zlib

FLOAT, ZIP, LINES_PER_BLOCK = 2, 3, 16


def read_header(data):
    """The attributes by name, as bytes, and where they end."""
    magic, version = struct.unpack_from("<II", data)
    assert magic == 20000630 and version & 0xff == 2 and not version & 0x1a00, (magic, version)
    attributes, place = {}, 8
    while data[place]:
        name, kind, _ = data[place:place + 600].split(b"\0", 2)
        place += len(name) + len(kind) + 2
        size, = struct.unpack_from("<I", data, place)
        attributes[name.decode()] = data[place + 4:place + 4 + size]
        place += 4 + size
    return attributes, place + 1


def list_channels(text):
    names, place = [], 0
    while text[place]:
        end = text.index(b"\0", place)
        names.append(text[place:end].decode())
        assert struct.unpack_from("<I", text, end + 1)[0] == FLOAT, names[-1]
        place = end + 1 + 16
    return names


def unpack(block, size):
    if len(block) == size:
        return block
    block = zlib.decompress(block)
    assert len(block) == size
    # Bytes are differences to the one before, those at even places first.
    block = bytes(itertools.accumulate(block, lambda before, step: (before + step - 128) & 0xff))
    mixed = bytearray(size)
    mixed[0::2], mixed[1::2] = block[:(size + 1) // 2], block[(size + 1) // 2:]
    return bytes(mixed)


def read_exr(path):
    """Width, height, and the little-endian floats of the channels by name."""
    data = path.read_bytes()
    attributes, place = read_header(data)
    assert attributes["compression"][0] == ZIP
    left, top, right, bottom = struct.unpack("<4i", attributes["dataWindow"])
    width, height = right - left + 1, bottom - top + 1
    names = list_channels(attributes["channels"])
    channels = {name: [] for name in names}
    blocks = (height + LINES_PER_BLOCK - 1) // LINES_PER_BLOCK
    for offset in struct.unpack_from(f"<{blocks}Q", data, place):
        y, size = struct.unpack_from("<iI", data, offset)
        lines = min(LINES_PER_BLOCK, bottom + 1 - y)
        block = unpack(data[offset + 8:offset + 8 + size], lines * len(names) * width * 4)
        rows = (block[i:i + 4 * width] for i in range(0, len(block), 4 * width))
        for _, name in itertools.product(range(lines), names):
            channels[name].append(next(rows))
    return width, height, {name: b"".join(rows) for name, rows in channels.items()}


def main():
    heard, raw = json.loads(pathlib.Path(sys.argv[1] + ".json").read_text()), pathlib.Path(sys.argv[1] + ".raw").read_bytes()
    width, height, channels = read_exr(pathlib.Path(sys.argv[2]))
    assert heard["sizes"][-1] == [width, height], (heard, width, height)
    size = 4 * width * height
    assert len(raw) == size * len(heard["channels"])
    for i, name in enumerate(heard["channels"]):
        assert raw[i * size:(i + 1) * size] == channels[name], f"channel {name} differs"
    print("equal")


if __name__ == "__main__":
    main()
