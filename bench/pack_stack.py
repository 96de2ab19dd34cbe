#!/usr/bin/env python3
# Time and peak memory of packing a generated label stack (PNG slices of five inks) larger than the address space allowed, as JSON.
"""pack_stack.py --bin BUILD/bin [--edge 2048] [--limit-gib 2] [--folder DISK] > stack.json"""

import argparse
import json
import os
import pathlib
import random
import resource
import struct
import subprocess
import sys
import tempfile
import time
import zlib

INKS = {"C": "00ffff", "M": "ff00ff", "Y": "ffff00", "K": "000000", "W": "ffffff"}


def write_png(path, edge, rows):
    """An indexed picture of `rows`, bytes each."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = b"".join(b"\0" + row for row in rows)
    colours = b"".join(bytes.fromhex(colour) for colour in INKS.values())
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", edge, edge, 8, 3, 0, 0, 0)) + chunk(b"PLTE", colours)
                   + chunk(b"IDAT", zlib.compress(lines, 1)) + chunk(b"IEND", b""))


def write_stack(folder, edge):
    """White resin with a twentieth of dithered ink on every side; rows of one random pattern, shifted, which no brick notices."""
    noise = random.Random(1).randbytes(2 * edge).translate(bytes(i % 5 for i in range(256)))
    shell = max(1, edge // 20)
    for z in range(edge):
        rows = []
        for y in range(edge):
            shift = (y * 7919 + z * 104729) % edge
            row = noise[shift:shift + edge]
            if shell <= z < edge - shell and shell <= y < edge - shell:
                row = row[:shell] + bytes([4]) * (edge - 2 * shell) + row[edge - shell:]
            rows.append(row)
        write_png(folder / f"slice{z:04}.png", edge, rows)


def write_palette(path):
    materials = [{"name": name, "colour": "#" + colour, "sigma_t": [6.0 + i], "albedo": [0.5], "g": 0.4}
                 for i, (name, colour) in enumerate(INKS.items())]
    path.write_text(json.dumps({"materials": materials}))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--edge", type=int, default=2048)
    parser.add_argument("--limit-gib", type=float, default=2)
    parser.add_argument("--folder", help="where the stack goes for the time of the run; it takes about a byte a voxel")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        folder = pathlib.Path(name)
        (folder / "slices").mkdir()
        write_stack(folder / "slices", arguments.edge)
        write_palette(folder / "inks.json")
        command = [arguments.bin.resolve() / "volprep", folder / "slices", "--palette", folder / "inks.json", "--pitch", "42um", "-o",
                   folder / "job.vpk", "--json", "-q"]
        limit = int(arguments.limit_gib * 2**30)
        start = time.monotonic()
        packed = subprocess.run(command, check=True, stdout=subprocess.PIPE,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        seconds = time.monotonic() - start
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        report = json.loads(packed.stdout)
        png_bytes = sum(file.stat().st_size for file in (folder / "slices").iterdir())
        json.dump({"edge": arguments.edge, "address_space_bytes": limit, "seconds": seconds, "cpu_seconds": usage.ru_utime + usage.ru_stime,
                   "peak_memory_bytes": usage.ru_maxrss * 1024, "png_bytes": png_bytes, "packed_bytes": report["size_bytes"],
                   "bricks": report["bricks"], "constant_bricks": report["constant_bricks"]}, sys.stdout, indent=2)
        print()


if __name__ == "__main__":
    main()
