#!/usr/bin/env python3
# Draws how the slices of a print job lie in the world: docs/pictures/job-orientation.png.
"""draw_job_orientation.py OUT.png: writes the 640x360 picture. Python's standard library alone; the same bytes anywhere
(with the same zlib)."""

import argparse

from png import write_png

WIDTH, HEIGHT = 640, 360
PAPER, INK, GREY, RED = (252, 252, 250), (24, 24, 28), (176, 178, 182), (206, 34, 46)
SHEET, SHADOW = (226, 240, 248), (206, 220, 228)
# Letters of 5 x 7 pixels, a row a number, the highest bit left.
FONT = {
    "F": (31, 16, 16, 30, 16, 16, 16), "0": (14, 17, 19, 21, 25, 17, 14), "1": (4, 12, 4, 4, 4, 4, 14),
    "2": (14, 17, 1, 6, 8, 16, 31), "+": (0, 4, 4, 31, 4, 4, 0), "-": (0, 0, 0, 31, 0, 0, 0), "_": (0, 0, 0, 0, 0, 0, 31),
    ".": (0, 0, 0, 0, 0, 12, 12), ",": (0, 0, 0, 0, 12, 4, 8), "(": (2, 4, 8, 8, 8, 4, 2), ")": (8, 4, 2, 2, 2, 4, 8),
    "a": (0, 0, 14, 1, 15, 17, 15), "b": (16, 16, 22, 25, 17, 17, 30), "c": (0, 0, 14, 16, 16, 17, 14),
    "d": (1, 1, 13, 19, 17, 17, 15), "e": (0, 0, 14, 17, 31, 16, 14), "f": (6, 9, 8, 28, 8, 8, 8),
    "g": (0, 15, 17, 17, 15, 1, 14), "h": (16, 16, 22, 25, 17, 17, 17), "i": (4, 0, 12, 4, 4, 4, 14),
    "k": (16, 16, 18, 20, 24, 20, 18), "l": (12, 4, 4, 4, 4, 4, 14), "m": (0, 0, 26, 21, 21, 21, 21),
    "n": (0, 0, 22, 25, 17, 17, 17), "o": (0, 0, 14, 17, 17, 17, 14), "p": (0, 0, 30, 17, 30, 16, 16),
    "r": (0, 0, 22, 25, 16, 16, 16), "s": (0, 0, 14, 16, 14, 1, 30), "t": (8, 8, 28, 8, 8, 9, 6),
    "u": (0, 0, 17, 17, 17, 19, 13), "v": (0, 0, 17, 17, 17, 10, 4), "w": (0, 0, 17, 17, 21, 21, 10),
    "x": (0, 0, 17, 10, 4, 10, 17), "y": (0, 0, 17, 17, 15, 1, 14), "z": (0, 0, 31, 2, 4, 8, 31), " ": (0,) * 7,
}  # fmt: skip
LETTER = ("111", "100", "110", "100", "100")

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("out", metavar="OUT.png")
arguments = parser.parse_args()
picture = [[PAPER] * WIDTH for _ in range(HEIGHT)]


def dot(x, y, colour):
    if 0 <= x < WIDTH and 0 <= y < HEIGHT:
        picture[y][x] = colour


def write(text, x, y, colour=INK, scale=2):
    for letter in text:
        for row, bits in enumerate(FONT[letter]):
            for column in range(5):
                if bits >> (4 - column) & 1:
                    for i in range(scale * scale):
                        dot(x + scale * column + i % scale, y + scale * row + i // scale, colour)
        x += 6 * scale


def line(start, end, colour, thickness=2):
    steps = int(max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1))
    for i in range(steps + 1):
        x, y = (round(a + (b - a) * i / steps) for a, b in zip(start, end))
        for j in range(thickness * thickness):
            dot(x + j % thickness, y + j // thickness, colour)


def arrow(start, end, colour):
    line(start, end, colour)
    length = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5
    along = [(b - a) / length for a, b in zip(start, end)]
    for side in (-1, 1):
        line(end, (end[0] - 9 * along[0] - side * 5 * along[1], end[1] - 9 * along[1] + side * 5 * along[0]), colour)


def fill(corners, colour):
    """A convex polygon of pixels whose corners go round clockwise on the screen."""
    for y in range(HEIGHT):
        for x in range(WIDTH):
            edges = zip(corners, corners[1:] + corners[:1])
            if all((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) >= 0 for a, b in edges):
                picture[y][x] = colour


def quad(project, x0, y0, x1, y1):
    return [project(x0, y0), project(x1, y0), project(x1, y1), project(x0, y1)]


def draw_sheet(project, colour, has_letter):
    """5 x 7 pixels with the letter in the middle; project takes columns and rows to the screen."""
    outline = quad(project, 0, 0, 5, 7)
    fill(outline, colour)
    for a, b in zip(outline, outline[1:] + outline[:1]):
        line(a, b, GREY)
    for row, bits in enumerate(LETTER if has_letter else ()):
        for column, bit in enumerate(bits):
            if bit == "1":
                fill(quad(project, column + 1, row + 1, column + 2, row + 2), INK)
    fill(quad(project, 0, 0, 1, 1), RED)


def flat(x, y):
    return (60 + 26 * x, 92 + 26 * y)


write("in the file", 60, 20)
draw_sheet(flat, SHEET, True)
arrow((60, 78), (188, 78), INK)
write("columns", 84, 56)
arrow((46, 92), (46, 272), INK)
write("rows", 10, 284)
write("first pixel", 60, 320, RED)
write("in the world", 330, 20)
for level in (0, 1, 2):  # slice 0 is drawn first, for it is below

    def tilted(x, y, level=level):
        return (340 + 30 * x + 13 * (7 - y), 292 - 15 * (7 - y) - 44 * level)

    draw_sheet(tilted, SHADOW if level < 2 else SHEET, level == 2)
    write(f"{level}", 592, 180 - 44 * level, INK)
write("slice", 566, 66)
arrow((340, 312), (480, 312), INK)
write("+x", 488, 305)
arrow((500, 340), (526, 310), INK)
write("+y", 534, 300)
arrow((318, 300), (318, 150), INK)
write("+z", 306, 126)
write_png(arguments.out, WIDTH, HEIGHT, [bytes(value for pixel in row for value in pixel) for row in picture])
