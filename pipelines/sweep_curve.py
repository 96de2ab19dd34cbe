#!/usr/bin/env python3
# Collects the figures of a sweep into sweep.csv and draws them as sweep.svg and sweep.png.
"""sweep_curve.py OUT QUANTITY TARGET NAME...: reads OUT/NAME.json (volinfo of the film), OUT/NAME.pfm (its picture in linear sRGB) and
OUT/NAME.difference.json (volcompare).

Mean reflectance by band with its standard error, L*a*b* (D65) of the picture's mean, and the mean and 95th percentile over the texels of
Delta E 2000 against the target. Tables of different bands have their own columns, and a curve of their pictures' linear R, G, B."""

import csv
import json
import math
import os
import pathlib
import struct
import sys

from pixel_text import has_font
from plot import Plot, draw_panel

COLOURS = ((200, 40, 40), (40, 150, 60), (40, 80, 200))
VIOLET, ORANGE = (120, 50, 150), (215, 120, 20)


def average_pfm(path):
    """Mean linear R, G, B of a portable float map; grey counts for all three."""
    kind, size, scale, values = path.read_bytes().split(b"\n", 3)
    channels = 3 if kind == b"PF" else 1
    width, height = map(int, size.split())
    numbers = struct.unpack(("<" if float(scale) < 0 else ">") + f"{channels * width * height}f", values)
    return [math.fsum(numbers[c % channels::channels]) / (width * height) for c in range(3)]


def to_lab(rgb):
    """CIE 15:2004, of linear sRGB relative to its white."""
    rows = ((0.433895389, 0.376242373, 0.189862239), (0.212636822, 0.715182982, 0.072180196), (0.017752423, 0.109465629, 0.872781948))
    xyz = [sum(weight * value for weight, value in zip(row, rgb)) for row in rows]
    x, y, z = (v ** (1 / 3) if v > (6 / 29) ** 3 else v / (3 * (6 / 29) ** 2) + 4 / 29 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def read_row(out, name):
    film = json.loads((out / f"{name}.json").read_text())
    metrics = json.loads((out / f"{name}.difference.json").read_text())["metrics"]
    wavelengths = film["scene"].get("wavelengths_nm", "")
    bands = [f"{nm.strip()} nm" for nm in wavelengths.split(",")] if wavelengths else ["Y"] if film["bands"] == 1 else ["R", "G", "B"]
    colour = average_pfm(out / f"{name}.pfm")
    return {"name": name, "bands": bands, "mean": film["mean"], "error": film["standard_error"], "colour": colour, "lab": to_lab(colour),
            "de2000_mean": metrics.get("de2000.mean"), "de2000_p95": metrics.get("de2000.p95"), "samples": film["samples"],
            "extensions_a_path": film["extensions"] / film["paths"]}


def write_csv(path, quantity, rows):
    bands = list(dict.fromkeys(band for row in rows for band in row["bands"]))
    by_band = lambda row, values: [dict(zip(row["bands"], values)).get(band, "") for band in bands]
    partial = f"{path}.partial"
    with open(partial, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow([quantity, *(f"reflectance {band}" for band in bands), *(f"standard error {band}" for band in bands), "L*", "a*", "b*",
                      "de2000.mean", "de2000.p95", "samples", "extensions a path"])
        for row in rows:
            out.writerow([row["name"], *by_band(row, row["mean"]), *by_band(row, row["error"]), *row["lab"], row["de2000_mean"], row["de2000_p95"], row["samples"],
                          row["extensions_a_path"]])
    os.replace(partial, path)


def place_values(names):
    """0..1: by the logarithm where the values span a factor of 8, in even steps where they are no numbers."""
    try:
        values = [float(name.removesuffix("mm")) for name in names]
    except ValueError:
        values = list(range(len(names)))
    else:
        if min(values) > 0 and max(values) >= 8 * min(values):
            values = [math.log(value) for value in values]
    low, high = min(values), max(values)
    return [(value - low) / (high - low) if high > low else 0.5 for value in values]


def draw(out, quantity, target, rows):
    names = [row["name"] for row in rows]
    labels = names if quantity == "materials" else [f"{name.removesuffix('mm')} mm" for name in names]
    positions = place_values(names)
    are_alike = all(row["bands"] == rows[0]["bands"] for row in rows)
    bands, what, values = (rows[0]["bands"], "reflectance", "mean") if are_alike else (["R", "G", "B"], "linear sRGB", "colour")
    colours = COLOURS if len(bands) == 3 else [[round(230 * b / len(bands)), 60, round(230 - 230 * b / len(bands))] for b in range(len(bands))]
    reflectance = [(name, colours[b], [row[values][b] for row in rows], [row["error"][b] for row in rows] if are_alike else None) for b, name in enumerate(bands)]
    plot = Plot(860, 760)
    draw_panel(plot, (90, 50, 600, 280), f"mean {what} over {quantity}", positions, labels, reflectance)
    differences = [("mean", VIOLET, [row["de2000_mean"] for row in rows], None), ("p95", ORANGE, [row["de2000_p95"] for row in rows], None)]
    draw_panel(plot, (90, 420, 600, 280), f"Delta E 2000 against {pathlib.Path(target).name}", positions, labels, differences)
    plot.save(out / "sweep.svg")
    plot.save(out / "sweep.png")


def main():
    if len(sys.argv) < 5:
        sys.exit("usage: sweep_curve.py OUT QUANTITY TARGET NAME...")
    out, quantity, target = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    rows = [read_row(out, name) for name in sys.argv[4:]]
    draw(out, quantity, target, rows)
    if not has_font():
        print("sweep_curve: sweep.png has no words, because stb_easy_font.h (libstb-dev) is missing; sweep.svg has them", file=sys.stderr)
    number = lambda value, digits: "-" if value is None else f"{value:.{digits}f}"
    print(f"| {quantity} | mean reflectance | L* a* b* | Delta E 2000, mean | p95 |\n|---|---|---|---|---|")
    for row in rows:
        bands = " ".join(number(v, 4) for v in row["mean"]) if len(row["mean"]) <= 3 else f"{len(row['mean'])} bands, in sweep.csv"
        print(f"| {row['name']} | {bands} | {' '.join(number(v, 2) for v in row['lab'])} | "
              f"{number(row['de2000_mean'], 2)} | {number(row['de2000_p95'], 2)} |")
    write_csv(out / "sweep.csv", quantity, rows)


if __name__ == "__main__":
    main()
