#!/usr/bin/env python3
# What inputs of strangers that are large, or made to be slow, take: peak memory and seconds, as a table.
"""strangers_inputs.py --bin BUILD/bin [--only pictures|meshes]

Pictures: a grey PNG of 30,000 x 30,000 and an R G B one of 77 megapixels, printed by --slab and --print; one byte a value, plus rows, is the
bound. Meshes, by --check-mesh: 20,000 nested shells, 2,000 cubes in one place, 20,000 cubes apart, and a polygon of 900,000 corners in the
form of a star; what would take longer than a few seconds is refused in words (status 3 or 1). Needs 2 GB of space for temporary files. Standard library alone."""

import argparse
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import zlib

CUBE = [(0, 3, 1), (0, 2, 3), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4), (2, 7, 3), (2, 6, 7), (0, 6, 2), (0, 4, 6), (1, 3, 7), (1, 7, 5)]
PICTURES = {"grey PNG, 30000 x 30000": (30000, 30000, 1), "R G B PNG, 10000 x 7700": (10000, 7700, 3)}
PRINTS = {"--slab": "--dims 100,100,10 --size 10mm,10mm,1mm --sigma-t 10", "--print": "--size 10mm,10mm --core 1mm --materials elek2017"}


def write_png(path, width, height, channels):
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    packer, row = zlib.compressobj(1), b"\0" + bytes(x % 251 for x in range(width * channels))
    rows = b"".join([*(packer.compress(row) for _ in range(height)), packer.flush()])
    head = struct.pack(">IIBBBBB", width, height, 8, 0 if channels == 1 else 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b""))


def write_cubes(path, cubes):
    """A binary STL of (centre, side)."""
    parts = []
    for (x, y, z), side in cubes:
        corners = [(x + (i & 1) * side - side / 2, y + (i >> 1 & 1) * side - side / 2, z + (i >> 2) * side - side / 2) for i in range(8)]
        parts += [struct.pack("<12fH", 0, 0, 0, *corners[a], *corners[b], *corners[c], 0) for a, b, c in CUBE]
    path.write_bytes(b" " * 80 + struct.pack("<I", len(parts)) + b"".join(parts))


def write_star(path, corners=900000):
    """An OBJ prism over a star."""
    with path.open("w") as file:
        for z in (0, 1):
            for i in range(corners):
                radius = 10 if i % 2 == 0 else 5
                file.write(f"v {radius * math.cos(2 * math.pi * i / corners):.9g} {radius * math.sin(2 * math.pi * i / corners):.9g} {z}\n")
        file.write("f " + " ".join(str(i + corners) for i in range(1, corners + 1)) + "\n")
        file.write("f " + " ".join(str(i) for i in range(corners, 0, -1)) + "\n")
        for i in range(corners):
            after = (i + 1) % corners
            file.write(f"f {i + 1} {after + 1} {after + 1 + corners} {i + 1 + corners}\n")


def run(words):
    """Status, seconds, peak memory in MB and the last line of stderr, of a child alone."""
    started = time.monotonic()
    child = subprocess.Popen(list(map(str, words)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    told = child.stderr.read().strip().split("\n")[-1]
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status >> 8
    return child.returncode, time.monotonic() - started, usage.ru_maxrss / 1000, told


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--only", choices=("pictures", "meshes"))
    options = parser.parse_args()
    volprep = options.bin / "volprep"
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        print("| input | as | status | seconds | peak memory, MB |\n|---|---|---|---|---|", flush=True)
        for name, (width, height, channels) in PICTURES.items() if options.only != "meshes" else ():
            write_png(work / "picture.png", width, height, channels)
            for way, words in PRINTS.items():
                status, seconds, memory, _ = run([volprep, way, work / "picture.png", *words.split(), "-q", "-o", work / "out.vpk"])
                print(f"| {name} | {way} | {status} | {seconds:.1f} | {memory:.0f} |", flush=True)
        meshes = {
            "20,000 nested shells": lambda path: write_cubes(path, [((0, 0, 0), 1 + i / 1000) for i in range(20000)]),
            "2,000 cubes in one place": lambda path: write_cubes(path, [((0, 0, 0), 1)] * 2000),
            "20,000 cubes apart": lambda path: write_cubes(path, [((2 * (i % 28), 2 * (i // 28 % 28), 2 * (i // 784)), 1) for i in range(20000)]),
            "star of 900,000 corners": write_star,
        }
        for name, write in meshes.items() if options.only != "pictures" else ():
            path = work / ("mesh.obj" if name.startswith("star") else "mesh.stl")
            write(path)
            status, seconds, memory, told = run([volprep, path, "--check-mesh"])
            print(f"| {name} | --check-mesh | {status} | {seconds:.1f} | {memory:.0f} |", flush=True)
            if told:
                print(told, file=sys.stderr)


if __name__ == "__main__":
    main()
