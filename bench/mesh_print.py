#!/usr/bin/env python3
# Times the print of a vase, as voxels of ink, and writes the table of docs/design/mesh-prints.md.
"""mesh_print.py --bin BUILD/bin [--heights 10,20,40,60] [--pitch 42.3um,84.7um,27um] [--ink-depth 1mm] [--threads 2] [--out FOLDER] [-- OPTIONS]
mesh_print.py --mesh OUT.ply [--rings N] [--sides N]

A vase of 60 x 60 x 60 mm, thick-walled and closed, glazed by colours of its vertices (--mesh writes it alone: PLY, +z up, 2 N M triangles
of N rings of M sides), is printed at each height. OPTIONS go to volprep. Processor time, elapsed time and the peak of memory are those of the volprep
process. The packed files stay in --out; without it they are deleted.
"""

import argparse
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time

# Radius and height in mm of the outline: from the middle of the foot up the outside, over the lip, and down the inside.
OUTLINE = [(0.0, 0.0), (16.0, 0.0), (17.0, 1.0), (16.0, 3.5), (20.0, 9.0), (27.0, 18.0), (30.0, 27.0), (28.0, 37.0), (21.0, 47.0), (18.0, 52.0),
           (19.0, 57.0), (21.5, 59.6), (19.5, 60.0), (17.0, 57.0), (15.5, 52.0), (18.0, 47.0), (25.0, 37.0), (27.0, 27.0), (24.0, 18.0), (17.0, 9.5),
           (10.0, 6.0), (0.0, 5.0)]
LIP = 12  # where the inside begins


def interpolate(at):
    """Radius, height and share of the outline at 0 .. len(OUTLINE) - 1."""
    i = min(int(at), len(OUTLINE) - 2)
    u = at - i
    return tuple((1 - u) * a + u * b for a, b in zip(OUTLINE[i], OUTLINE[i + 1]))


def find_colour(at, height, turn):
    """A glaze of two spirals over a gradient outside, a plain one inside."""
    if at > LIP:
        return (236, 228, 210)
    wave = math.sin(5 * turn + height / 7) * math.sin(3 * turn - height / 5)
    mix = 0.5 + 0.5 * math.tanh(4 * wave)
    low, high = (28, 74 + 2 * height, 120 + height), (232, 180 - 1.5 * height, 90)
    return tuple(int(max(0, min(255, (1 - mix) * a + mix * b))) for a, b in zip(low, high))


def write_vase(path, rings, sides):
    vertices, triangles = [], []
    last = len(OUTLINE) - 1
    for ring in range(1, rings):
        at = ring * last / rings
        radius, height = interpolate(at)
        for side in range(sides):
            turn = 2 * math.pi * side / sides
            vertices.append((radius * math.cos(turn), radius * math.sin(turn), height, *find_colour(at, height, turn)))
    foot, inside = len(vertices), len(vertices) + 1
    vertices += [(0.0, 0.0, 0.0, 28, 74, 120), (0.0, 0.0, OUTLINE[-1][1], 236, 228, 210)]
    for side in range(sides):
        after = (side + 1) % sides
        top = (rings - 2) * sides
        triangles += [(foot, after, side), (inside, top + side, top + after)]
        for below in range(0, top, sides):
            above = below + sides
            triangles += [(below + side, below + after, above + after), (below + side, above + after, above + side)]
    header = (f"ply\nformat binary_little_endian 1.0\nelement vertex {len(vertices)}\nproperty float x\nproperty float y\nproperty float z\n"
              "property uchar red\nproperty uchar green\nproperty uchar blue\n"
              f"element face {len(triangles)}\nproperty list uchar int vertex_indices\nend_header\n")
    with open(path, "wb") as file:
        file.write(header.encode())
        for vertex in vertices:
            file.write(struct.pack("<3f3B", *vertex))
        for triangle in triangles:
            file.write(struct.pack("<B3i", 3, *triangle))


def print_vase(arguments, mesh, height_mm, volume):
    words = [arguments.bin / "volprep", mesh, "--print-mesh", "--size", f",,{height_mm}mm", "--pitch", arguments.pitch, "--ink-depth", arguments.ink_depth,
             "--materials", "elek2017", "--reproducible", "-j", str(arguments.threads), "--json", "-q", *arguments.options, "-o", volume]
    started = time.monotonic()
    process = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE)
    answer = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"volprep ended with status {os.waitstatus_to_exitcode(status)}")
    answer = json.loads(answer)
    return {"height_mm": height_mm, "dims": answer["dims"], "ink_voxels": answer["ink_voxels"], "core_voxels": answer["core_voxels"],
            "processor_s": round(usage.ru_utime + usage.ru_stime, 1), "elapsed_s": round(time.monotonic() - started, 1),
            "peak_bytes": usage.ru_maxrss * 1024, "size_bytes": volume.stat().st_size}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mesh", type=pathlib.Path, help="write the vase here, and end")
    parser.add_argument("--bin", type=pathlib.Path, help="folder of volprep")
    parser.add_argument("--heights", default="10,20,40,60", help="in mm")
    parser.add_argument("--pitch", default="42.3um,84.7um,27um")
    parser.add_argument("--ink-depth", default="1mm")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rings", type=int, default=220)
    parser.add_argument("--sides", type=int, default=240)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("options", nargs="*")
    arguments = parser.parse_args()
    if arguments.mesh:
        write_vase(arguments.mesh, arguments.rings, arguments.sides)
        return
    if not arguments.bin:
        parser.error("--bin or --mesh is needed")
    with tempfile.TemporaryDirectory() as work:
        folder = arguments.out or pathlib.Path(work)
        folder.mkdir(parents=True, exist_ok=True)
        mesh = folder / "vase.ply"
        write_vase(mesh, arguments.rings, arguments.sides)
        print("| height | voxels of the box | of ink | of the core | processor time | elapsed | peak memory | file |\n|---|---|---|---|---|---|---|---|")
        for height in arguments.heights.split(","):
            row = print_vase(arguments, mesh, height, folder / f"vase-{height}mm.vpk")
            print(f"| {height} mm | {math.prod(row['dims']) / 1e6:,.1f} M | {row['ink_voxels'] / 1e6:.1f} M | {row['core_voxels'] / 1e6:.1f} M "
                  f"| {row['processor_s']:.0f} s | {row['elapsed_s']:.0f} s | {row['peak_bytes'] / 1e6:.0f} MB | {row['size_bytes'] / 1e6:.0f} MB |", flush=True)


if __name__ == "__main__":
    main()
