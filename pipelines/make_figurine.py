#!/usr/bin/env python3
# Writes a closed triangle mesh of our own, a turned figurine of 30 mm on a fluted base: what volprep packs in the example `object`.
"""make_figurine.py OUT.stl [--rings N] [--sides N]: binary STL in mm, +z up, 2 N M triangles for N rings of M sides. Python's standard
library alone, the same files on every machine but for the last bits of its sines."""

import argparse
import math
import pathlib
import struct

# Radius and height in mm of the outline, from the base's edge to the top of the head; between them it is smooth.
OUTLINE = [(8.0, 0.0), (8.4, 1.2), (7.6, 2.6), (5.6, 3.6), (4.6, 5.0), (3.4, 8.5), (2.7, 13.0), (2.6, 17.0), (3.0, 19.0), (4.6, 19.9), (4.8, 20.6),
           (3.2, 21.4), (3.0, 22.0), (4.6, 23.6), (5.1, 25.5), (4.6, 27.6), (3.0, 29.2), (1.2, 29.9)]
FLUTES, FLUTE_DEPTH_MM = 12, 0.35


def interpolate(places, t):
    """Catmull-Rom spline through `places` at t, from 0 to len(places) - 1."""
    i = min(int(t), len(places) - 2)
    u = t - i
    a, b, c, d = (places[max(0, min(len(places) - 1, i + k))] for k in (-1, 0, 1, 2))
    return tuple(0.5 * (2 * q + (r - p) * u + (2 * p - 5 * q + 4 * r - s) * u**2 + (3 * q - p - 3 * r + s) * u**3) for p, q, r, s in zip(a, b, c, d))


def make_rings(rings, sides):
    """Points in mm, [ring][side]."""
    result = []
    for ring in range(rings):
        radius, height = interpolate(OUTLINE, ring * (len(OUTLINE) - 1) / (rings - 1))
        depth = FLUTE_DEPTH_MM * max(0.0, min(1.0, (height - 4) / 3, (18 - height) / 3))
        turns = [2 * math.pi * side / sides for side in range(sides)]
        result.append([((radius - depth * math.cos(FLUTES * turn) ** 2) * math.cos(turn), (radius - depth * math.cos(FLUTES * turn) ** 2) * math.sin(turn),
                        height) for turn in turns])
    return result


def list_triangles(points):
    """Corners counter-clockwise as seen from outside: the wall, the base and the top."""
    sides = len(points[0])
    bottom, top = (0.0, 0.0, points[0][0][2]), (0.0, 0.0, points[-1][0][2] + 0.1)
    for below, above in zip(points, points[1:]):
        for side in range(sides):
            after = (side + 1) % sides
            yield below[side], below[after], above[after]
            yield below[side], above[after], above[side]
    for side in range(sides):
        after = (side + 1) % sides
        yield bottom, points[0][after], points[0][side]
        yield top, points[-1][side], points[-1][after]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--rings", type=int, default=300)
    parser.add_argument("--sides", type=int, default=240)
    arguments = parser.parse_args()
    triangles = [struct.pack("<12fH", 0, 0, 0, *a, *b, *c, 0) for a, b, c in list_triangles(make_rings(arguments.rings, arguments.sides))]
    arguments.output.write_bytes(bytes(80) + struct.pack("<I", len(triangles)) + b"".join(triangles))


if __name__ == "__main__":
    main()
