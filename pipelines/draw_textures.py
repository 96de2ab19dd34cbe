#!/usr/bin/env python3
# Draws the two textures of the example prints: a logo (for the cgg-logo case) and a poster (for the ad case).
"""draw_textures.py logo|ad OUT.png: our own pictures in the size of the thesis' cases, drawn with Python's standard library."""

import math
import sys

from png import write_png

PAPER = (255, 255, 255)
SAMPLES = 4  # an axis and pixel


def mix(a, b, share):
    return tuple(x + (y - x) * share for x, y in zip(a, b))


def logo(x, y):
    """Three open rings, the letters C, G, G, on white; x and y run over 0..1."""
    for centre_x, centre_y, colour, bar in (
        (0.36, 0.36, (208, 32, 48), False),
        (0.64, 0.36, (16, 132, 84), True),
        (0.50, 0.64, (28, 72, 176), True),
    ):
        u, v = x - centre_x, y - centre_y
        radius, angle = math.hypot(u, v), math.degrees(math.atan2(v, u))
        if 0.135 < radius < 0.20 and not -45 < angle < (0 if bar else 45):
            return colour
        if bar and 0.02 < u < 0.20 and 0 <= v < 0.06 and radius < 0.20:
            return colour
    return (36, 36, 40) if 0.455 < max(abs(x - 0.5), abs(y - 0.5)) < 0.475 else PAPER


RIDGES = (
    (0.60, 0.050, 5.0, 0.4, (146, 74, 128)),
    (0.68, 0.040, 8.0, 2.0, (98, 50, 112)),
    (0.78, 0.035, 11.0, 4.1, (48, 32, 78)),
)


def ad(x, y):
    """A poster: a striped sun behind three ridges, a white frame around it."""
    if not (0.05 < x < 0.95 and 0.05 < y < 0.95):
        return PAPER
    colour = mix((34, 58, 128), (250, 168, 106), min(max((y - 0.05) / 0.6, 0), 1))
    u, v = x - 0.5, y - 0.42
    if math.hypot(u, v) < 0.25 and not (v > 0 and (v * 22) % 1 < 0.12 + 1.6 * v):
        colour = mix((255, 232, 120), (236, 64, 92), min(max((v + 0.25) / 0.5, 0), 1))
    for level, height, waves, phase, ridge in RIDGES:
        if y > level + height * (math.sin(waves * x + phase) + 0.5 * math.sin(2.7 * waves * x + 2 * phase)):
            colour = ridge
    return colour


def main():
    if sys.argv[1:] in (["--help"], ["-h"]):
        print(__doc__)
        return
    pictures = {"logo": (logo, 100), "ad": (ad, 320)}
    if len(sys.argv) != 3 or sys.argv[1] not in pictures:
        sys.exit("usage: draw_textures.py logo|ad OUT.png")
    colour_at, edge = pictures[sys.argv[1]]
    offsets = [(i + 0.5) / SAMPLES for i in range(SAMPLES)]

    def pixel(column, row):
        samples = [colour_at((column + i) / edge, (row + j) / edge) for j in offsets for i in offsets]
        return bytes(int(sum(band) / len(samples) + 0.5) for band in zip(*samples))

    write_png(sys.argv[2], edge, edge, [b"".join(pixel(x, y) for x in range(edge)) for y in range(edge)])


if __name__ == "__main__":
    main()
