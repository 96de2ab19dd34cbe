# Draws curves as SVG and as PNG with Python's standard library.
"""Plot(width, height) collects lines, boxes and words; save(path) writes what the extension says. draw_panel() draws a pair of axes with series."""

import math
import os

from pixel_text import text_boxes, text_width
from png import write_png

INK = (34, 34, 34)
GRID = (205, 205, 205)


class Plot:
    def __init__(self, width, height):
        self.width, self.height = width, height
        self.pixels = bytearray(b"\xff" * (3 * width * height))
        self.svg = []

    def blend(self, x, y, colour, share):
        if share > 0 and 0 <= x < self.width and 0 <= y < self.height:
            at = 3 * (y * self.width + x)
            for c in range(3):
                self.pixels[at + c] = round(self.pixels[at + c] + (colour[c] - self.pixels[at + c]) * share)

    def box(self, x, y, width, height, colour, in_svg=True):
        for v in range(max(0, round(y)), min(self.height, round(y + height))):
            for u in range(max(0, round(x)), min(self.width, round(x + width))):
                self.blend(u, v, colour, 1)
        if in_svg:
            self.svg.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{name(colour)}"/>')

    def line(self, x0, y0, x1, y1, colour, thick=1.0):
        reach = thick / 2 + 1
        length2 = (x1 - x0) ** 2 + (y1 - y0) ** 2
        for y in range(math.floor(min(y0, y1) - reach), math.ceil(max(y0, y1) + reach) + 1):
            for x in range(math.floor(min(x0, x1) - reach), math.ceil(max(x0, x1) + reach) + 1):
                along = ((x + 0.5 - x0) * (x1 - x0) + (y + 0.5 - y0) * (y1 - y0)) / length2 if length2 else 0
                along = min(max(along, 0), 1)
                distance = math.hypot(x + 0.5 - x0 - along * (x1 - x0), y + 0.5 - y0 - along * (y1 - y0))
                self.blend(x, y, colour, min(max(thick / 2 + 0.5 - distance, 0), 1))
        self.svg.append(f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{name(colour)}" stroke-width="{thick}"/>')

    def text(self, x, y, words, anchor="start", colour=INK):
        """`y` is the middle of a capital's height."""
        left = x - {"start": 0, "middle": 0.5, "end": 1}[anchor] * text_width(words)
        for box in text_boxes(words, round(left), round(y - 9)):
            self.box(*box, colour, in_svg=False)
        escaped = words.replace("&", "&amp;").replace("<", "&lt;")
        self.svg.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{name(colour)}">{escaped}</text>')

    def save(self, path):
        if str(path).endswith(".png"):
            row = 3 * self.width
            write_png(path, self.width, self.height, [bytes(self.pixels[y * row:(y + 1) * row]) for y in range(self.height)])
            return
        partial = f"{path}.partial"
        with open(partial, "w", encoding="utf-8") as out:
            out.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
                      f'height="{self.height}"><style>text {{ font: 17px sans-serif; dominant-baseline: central }}</style>\n'
                      '<rect width="100%" height="100%" fill="#fff"/>\n' + "\n".join(self.svg) + "\n</svg>\n")
        os.replace(partial, path)


def name(colour):
    return "#%02x%02x%02x" % tuple(colour)


def choose_ticks(low, high):
    """Round numbers, 4 to 10 of them, that hold [low, high]."""
    whole = high - low or abs(high) or 1
    step = 10 ** math.floor(math.log10(whole / 4))
    step *= next(factor for factor in (5, 2, 1) if whole / (factor * step) >= 4 or factor == 1)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [step * i for i in range(first, max(last, first + 1) + 1)]


def draw_panel(plot, frame, title, positions, labels, series):
    """`frame` is x, y, width, height; `positions` 0..1 of the labels and values; series are (name, colour, values, errors or None).
    A value of None leaves a gap."""
    x0, y0, width, height = frame
    shown = [v + s * (e or 0) for _, _, values, errors in series for v, e in zip(values, errors or [0] * len(values)) if v is not None
             for s in (-1, 1)]
    ticks = choose_ticks(min(shown + [0]), max(shown))
    low, high = ticks[0], ticks[-1]
    place = lambda value: y0 + height - (value - low) / (high - low) * height
    for tick in ticks:
        plot.line(x0, place(tick), x0 + width, place(tick), GRID)
        plot.text(x0 - 8, place(tick), f"{tick:.6g}", "end")
    columns = [x0 + 24 + position * (width - 48) for position in positions]
    for column, label in zip(columns, labels):
        plot.line(column, y0 + height, column, y0 + height + 5, INK)
        plot.text(column, y0 + height + 18, label, "middle")
    for edge in ((x0, y0, x0 + width, y0), (x0, y0 + height, x0 + width, y0 + height), (x0, y0, x0, y0 + height),
                 (x0 + width, y0, x0 + width, y0 + height)):
        plot.line(*edge, INK)
    plot.text(x0, y0 - 18, title)
    step = min(24, height / len(series))
    for row, (words, colour, values, errors) in enumerate(series):
        points = [(column, place(value), error) for column, value, error in zip(columns, values, errors or [0] * len(values))
                  if value is not None]
        for one, two in zip(points, points[1:]):
            plot.line(*one[:2], *two[:2], colour, 2)
        for x, y, error in points:
            reach = (error or 0) / (high - low) * height
            plot.line(x, y - reach, x, y + reach, colour)
            plot.box(x - 3, y - 3, 7, 7, colour)
        plot.box(x0 + width + 16, y0 + 12 + step * row, 14, 4, colour)
        if step >= 20 or row % math.ceil(20 / step) == 0:
            plot.text(x0 + width + 36, y0 + 14 + step * row, words)
