#!/usr/bin/env python3
# Writes a closed triangle mesh of our own, a turned figurine of 30 mm on a fluted base: what volprep packs in the example `object`, and, painted,
# what the pictures of printed objects show.
"""make_figurine.py OUT.stl|OUT.obj [--rings N] [--sides N]: a mesh in mm, +z up, its front towards -y, 2 N M triangles for N rings of M sides.
OUT.stl is binary; OUT.obj has texture coordinates, and its picture and material lie beside it (OUT.png, OUT.mtl). Python's standard library alone, the same
files on every machine but for the last bits of its sines."""

import argparse
import bisect
import math
import pathlib
import struct

from png import write_png

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


# Texture space: the wall takes v from WALL_V to TOP_V, u turns once around it from the back over the front (0.5); the base is a disc of radius
# BASE_RADIUS around (BASE_RADIUS, BASE_RADIUS); between the two is nothing.
WALL_V, TOP_V, BASE_RADIUS = 0.14, 0.99, 0.06
TEXTURE_SIZE = (512, 896)

GOLD, RED, CREAM, GREEN, SKIN, HAIR, BLUE = (214, 170, 62), (186, 40, 52), (240, 228, 200), (40, 104, 74), (232, 182, 146), (96, 56, 34), (40, 78, 160)


def paint_face(turn, height):
    """On the head; turn in degrees from the front, height in mm."""
    if height > 27.4 + 0.5 * math.cos(math.radians(turn)):
        return GOLD if height < 28.2 else RED
    if abs(turn) > 75 + 4 * (height - 25) or (height > 26.9 and abs(turn) > 50):
        return HAIR
    eye = math.hypot((abs(turn) - 24) / 9.5, (height - 26.0) / 0.62)
    if eye < 1:
        return (30, 30, 34) if eye < 0.35 else BLUE if eye < 0.66 else (248, 248, 244)
    if abs(abs(turn) - 24) < 12 and abs(height - 27.0 + ((abs(turn) - 24) / 20) ** 2) < 0.13:
        return HAIR
    if abs(turn) < 20 and abs(height - 23.75 - 0.5 * (turn / 20) ** 2) < 0.16:
        return RED
    if math.hypot((abs(turn) - 42) / 13, (height - 24.6) / 0.75) < 1:
        return (230, 144, 124)
    return (220, 160, 124) if math.hypot(turn / 6, (height - 25.0) / 0.45) < 1 else SKIN


def paint_wall(turn, height):
    if height > 22:
        return paint_face(turn, height)
    if height > 21.2:
        return SKIN
    if height > 18.8:
        return GOLD if height < 19.2 else (252, 250, 244) if math.floor(turn / 10) % 2 else (206, 212, 226)
    if height > 5:
        along, up = turn / 30, (height - 5) / 2.3
        return RED if (math.floor(along + up) + math.floor(along - up)) % 2 else CREAM
    if height > 2.6:
        return BLUE if height < 4.4 else GOLD
    return GOLD if 1.0 < height < 1.7 else GREEN


def measure_outline(steps=4000):
    """Lengths along the outline from the base to the top, 0 to 1, and heights in mm, at places that are evenly far apart in the spline."""
    places = [interpolate(OUTLINE, step * (len(OUTLINE) - 1) / steps) for step in range(steps + 1)]
    lengths = [0.0]
    for a, b in zip(places, places[1:]):
        lengths.append(lengths[-1] + math.dist(a, b))
    return [length / lengths[-1] for length in lengths], [height for _, height in places]


def draw_texture(path):
    width, height = TEXTURE_SIZE
    lengths, heights = measure_outline()
    offsets = (0.25, 0.75)

    def paint_row(row):
        sums = [[0, 0, 0] for _ in range(width)]
        for j in offsets:
            v = 1 - (row + j) / height
            z = heights[bisect.bisect_left(lengths, min(1.0, (v - WALL_V) / (TOP_V - WALL_V)))] if v > WALL_V else None
            for column in range(width):
                for i in offsets:
                    colour = GREEN if z is None else paint_wall(360 * ((column + i) / width - 0.5), z)
                    sums[column] = [a + b for a, b in zip(sums[column], colour)]
        return bytes(int(value / 4 + 0.5) for pixel in sums for value in pixel)

    write_png(path, width, height, [paint_row(row) for row in range(height)])


def write_obj(path, points):
    sides = len(points[0])
    lengths, _ = measure_outline()
    bottom, top = (0.0, 0.0, points[0][0][2]), (0.0, 0.0, points[-1][0][2] + 0.1)
    lines = [f"mtllib {path.stem}.mtl", "usemtl skin"]
    lines += ["v %.7g %.7g %.7g" % point for ring in points for point in ring] + ["v %.7g %.7g %.7g" % point for point in (bottom, top)]
    for ring in range(len(points)):
        v = WALL_V + (TOP_V - WALL_V) * lengths[round(ring * (len(lengths) - 1) / (len(points) - 1))]
        lines += ["vt %.7g %.7g" % (side / sides, v) for side in range(sides + 1)]
    wall = len(points) * (sides + 1)
    lines += ["vt %.7g %.7g" % ((side + 0.5) / sides, 1) for side in range(sides)]
    turns = [2 * math.pi * side / sides for side in range(sides)]
    lines += ["vt %.7g %.7g" % (BASE_RADIUS * (1 + math.cos(turn)), BASE_RADIUS * (1 - math.sin(turn))) for turn in turns] + ["vt %g %g" % (BASE_RADIUS, BASE_RADIUS)]

    def corner(ring, side, column):
        return f"{ring * sides + side % sides + 1}/{ring * (sides + 1) + column + 1}"

    for side in range(sides):
        column, after = (side + 3 * sides // 4) % sides, (side + 1) % sides
        for ring in range(len(points) - 1):
            a, b = corner(ring, side, column), corner(ring, side + 1, column + 1)
            c, d = corner(ring + 1, side + 1, column + 1), corner(ring + 1, side, column)
            lines += [f"f {a} {b} {c}", f"f {a} {c} {d}"]
        middle, first = len(points) * sides + 1, wall + sides + 1
        lines.append(f"f {middle}/{first + sides} {after + 1}/{first + after} {side + 1}/{first + side}")
        last = len(points) - 1
        lines.append(f"f {middle + 1}/{wall + column + 1} {corner(last, side, column)} {corner(last, side + 1, column + 1)}")
    path.write_text("\n".join(lines) + "\n")
    path.with_suffix(".mtl").write_text(f"newmtl skin\nmap_Kd {path.stem}.png\n")
    draw_texture(path.with_suffix(".png"))


def write_stl(path, points):
    triangles = [struct.pack("<12fH", 0, 0, 0, *a, *b, *c, 0) for a, b, c in list_triangles(points)]
    path.write_bytes(bytes(80) + struct.pack("<I", len(triangles)) + b"".join(triangles))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--rings", type=int, default=300)
    parser.add_argument("--sides", type=int, default=240, help="a multiple of 4 for OUT.obj")
    arguments = parser.parse_args()
    if arguments.output.suffix == ".obj" and arguments.sides % 4:
        parser.error("--sides must be a multiple of 4, so that no triangle lies across the seam of the texture")
    (write_obj if arguments.output.suffix == ".obj" else write_stl)(arguments.output, make_rings(arguments.rings, arguments.sides))


if __name__ == "__main__":
    main()
