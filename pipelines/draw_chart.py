#!/usr/bin/env python3
# Draws the colour test chart that the quickstart prints: patches, hue ring, Siemens star, ramps, line pairs.
"""draw_chart.py OUT.png: writes the 600x400 chart. Python's standard library alone; the picture never depends on time,
chance or the machine, so pipelines/data/chart.png can be drawn again to the byte (with the same zlib)."""

import colorsys
import math
import sys

from png import write_png

WIDTH, HEIGHT = 600, 400
PAPER = (248, 247, 243)
INK = (24, 24, 28)

# Full tones, tints, the colours that eyes know best (skin, foliage, sky, brick, sand, wine), and greys in even steps.
PATCHES = (
    ((206, 34, 46), (240, 130, 30), (250, 214, 32), (38, 146, 72), (26, 96, 188), (110, 48, 150)),
    ((0, 158, 214), (222, 28, 122), (255, 236, 90), (126, 206, 190), (170, 178, 232), (244, 172, 182)),
    ((232, 188, 160), (120, 78, 58), (96, 122, 66), (112, 156, 200), (204, 176, 124), (116, 30, 58)),
    (PAPER, (206, 206, 206), (160, 160, 160), (114, 114, 114), (68, 68, 68), INK),
)
RAMPS = (
    ((255, 255, 255), (0, 0, 0)),
    ((255, 255, 255), (0, 158, 214)),
    ((255, 255, 255), (222, 28, 122)),
    ((255, 255, 255), (255, 222, 0)),
    None,  # all hues
)
# The word in a pixel font of our own, a column of bits per letter column, lowest bit on top.
WORD = (0x0C, 0x30, 0x40, 0x30, 0x0C, 0, 0x38, 0x44, 0x44, 0x38, 0, 0x7F, 0, 0x1FC, 0x44, 0x44, 0x38, 0, 0x04, 0x3F, 0x44)


def mix(a, b, share):
    return tuple(x + (y - x) * share for x, y in zip(a, b))


def hue(turn, saturation=0.82, value=0.95):
    return tuple(255 * c for c in colorsys.hsv_to_rgb(turn % 1, saturation, value))


def rounded_box(x, y, x0, y0, width, height, radius):
    """Share 0..1 of the pixel at (x, y) that a box with round corners covers."""
    dx = abs(x - x0 - width / 2) - width / 2 + radius
    dy = abs(y - y0 - height / 2) - height / 2 + radius
    outside = math.sqrt(max(dx, 0) ** 2 + max(dy, 0) ** 2) + min(max(dx, dy), 0) - radius
    return min(max(0.5 - outside, 0), 1)


def patches(x, y):
    column, row = int((x - 20) // 60), int((y - 20) // 60)
    if not (0 <= column < 6 and 0 <= row < 4):
        return PAPER
    share = rounded_box(x, y, 20 + 60 * column, 20 + 60 * row, 54, 54, 9)
    rim = rounded_box(x, y, 19 + 60 * column, 19 + 60 * row, 56, 56, 10)
    return mix(mix(PAPER, (196, 194, 188), rim), PATCHES[row][column], share)


def star_and_ring(x, y):
    """A star of 36 spokes inside a ring of all hues; 4x4 samples per pixel."""
    total = (0, 0, 0)
    for i in range(16):
        u = x + (i % 4 - 1.5) / 4 - 485.5
        v = y + (i // 4 - 1.5) / 4 - 114.5
        radius = math.hypot(u, v)
        turn = math.atan2(v, u) / (2 * math.pi) + 0.5
        if radius < 70:
            colour = INK if int(turn * 72) % 2 else (255, 255, 255)
        elif 76 < radius < 94:
            colour = hue(turn)
        else:
            colour = PAPER
        total = tuple(t + c / 16 for t, c in zip(total, colour))
    return total


def line_pairs(x, y):
    """Six combs of upright lines 1, 2, 3, 4, 6 and 8 pixels wide."""
    left = 392
    for width, count in ((1, 9), (2, 6), (3, 4), (4, 3), (6, 2), (8, 2)):
        span = width * (2 * count - 1)
        if left <= x < left + span:
            return PAPER if (x - left) // width % 2 else INK
        left += span + 13
    return PAPER


def ramps(x, y):
    row = int((y - 272) // 17)
    if not (20 <= x < 580 and 0 <= row < len(RAMPS) and (y - 272) % 17 < 13):
        return PAPER
    ends = RAMPS[row]
    share = (x - 20) / 559
    return mix(*ends, share) if ends else hue(share, 0.9, 0.98)


def word_and_wedge(x, y):
    column, row = int((x - 20) // 3), int((y - 362) // 3)
    if 20 <= x < 20 + 3 * len(WORD) and 0 <= row < 9:
        return INK if WORD[column] >> row & 1 else PAPER
    if 100 <= x < 580 and 364 <= y < 380:
        step = int((x - 100) // 30)
        return mix(INK, (255, 255, 255), step / 15)
    return PAPER


def colour_at(x, y):
    if y >= 358:
        return word_and_wedge(x, y)
    if y >= 268:
        return ramps(x, y)
    if x < 384:
        return patches(x, y)
    return star_and_ring(x, y) if y < 216 else line_pairs(x, y) if 226 <= y < 254 else PAPER


def main():
    if sys.argv[1:] in (["--help"], ["-h"]):
        print(__doc__)
        return
    if len(sys.argv) != 2:
        sys.exit("usage: draw_chart.py OUT.png")
    rows = [bytes(int(c + 0.5) for x in range(WIDTH) for c in colour_at(x, y)) for y in range(HEIGHT)]
    write_png(sys.argv[1], WIDTH, HEIGHT, rows)


if __name__ == "__main__":
    main()
