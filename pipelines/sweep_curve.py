#!/usr/bin/env python3
# Collects the figures of a sweep into sweep.csv and draws them as sweep.svg and sweep.png (needs matplotlib).
"""sweep_curve.py OUT QUANTITY TARGET NAME...: reads OUT/NAME.json (volinfo of the film), OUT/NAME.pfm (its picture in linear sRGB) and
OUT/NAME.difference.json (volcompare).

Mean reflectance by band with its standard error, L*a*b* (D65) of the picture's mean, and the mean and 95th percentile over the texels of
Delta E 2000 against the target, what noise alone makes of it and its share of a texel's. The variants' pictures OUT/NAME.png are
drawn side by side below the curves. If the tables have
different bands, each band has its own columns, and the curve shows the pictures' linear R, G, B."""

import csv
import json
import math
import os
import pathlib
import struct
import sys

PICTURES_MOST = 10  # side by side
COLOURS = ("#c82828", "#28963c", "#2850c8")


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
            "de2000_mean": metrics.get("de2000.mean"), "de2000_p95": metrics.get("de2000.p95"),
            "noise_mean": metrics.get("de2000.noise_mean"), "noise_share": metrics.get("de2000.noise_share"), "samples": film["samples"],
            "extensions_a_path": film["extensions"] / film["paths"]}


def write_csv(path, quantity, rows):
    bands = list(dict.fromkeys(band for row in rows for band in row["bands"]))
    by_band = lambda row, values: [dict(zip(row["bands"], values)).get(band, "") for band in bands]
    partial = f"{path}.partial"
    with open(partial, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow([quantity, *(f"reflectance {band}" for band in bands), *(f"standard error {band}" for band in bands), "L*", "a*", "b*",
                      "de2000.mean", "de2000.p95", "de2000.noise_mean", "de2000.noise_share", "samples", "extensions a path"])
        for row in rows:
            out.writerow([row["name"], *by_band(row, row["mean"]), *by_band(row, row["error"]), *row["lab"], row["de2000_mean"], row["de2000_p95"], row["noise_mean"], row["noise_share"], row["samples"],
                          row["extensions_a_path"]])
    os.replace(partial, path)


def place_values(names):
    """Positions along the axis and its scale: logarithmic where the values span a factor of 8, even steps where they are no numbers."""
    try:
        values = [float(name.removesuffix("mm")) for name in names]
    except ValueError:
        return list(range(len(names))), "linear"
    return values, "log" if min(values) > 0 and max(values) >= 8 * min(values) else "linear"


def find_noise_part(row):
    """How much lower the mean Delta E would be without noise, which is independent of the difference: none if that is not known."""
    mean, noise = row["de2000_mean"], row["noise_mean"]
    return 0 if mean is None or noise is None else mean - math.sqrt(max(mean**2 - noise**2, 0))


def draw_pictures(cells, labels, rows, out):
    """The variants side by side, with what is measured of each."""
    from matplotlib import image
    for axes, label, row in zip(cells, labels, rows):
        axes.imshow(image.imread(out / f"{row['name']}.png"), interpolation="nearest")
        axes.set_xticks([])
        axes.set_yticks([])
        axes.set_title(label, fontsize=9)
        if row["de2000_mean"] is not None:
            share = "" if row["noise_share"] is None else f"\nless noise {row['de2000_mean'] - find_noise_part(row):.1f}\n{100 * row['noise_share']:.0f} % noise"
            axes.set_xlabel(f"Delta E {row['de2000_mean']:.1f}{share}", fontsize=8)


def draw(out, quantity, target, rows):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    names = [row["name"] for row in rows]
    labels = names if quantity == "materials" else [f"{name.removesuffix('mm')} mm" for name in names]
    positions, scale = place_values(names)
    are_alike = all(row["bands"] == rows[0]["bands"] for row in rows)
    bands, what, values = (rows[0]["bands"], "reflectance", "mean") if are_alike else (["R", "G", "B"], "linear sRGB", "colour")
    colours = COLOURS if len(bands) == 3 else [(0.9 * b / len(bands), 0.24, 0.9 - 0.9 * b / len(bands)) for b in range(len(bands))]

    shown_pictures = len(rows) if len(rows) <= PICTURES_MOST else 0
    figure = pyplot.figure(figsize=(8.6, 9.8 if shown_pictures else 7.6), layout="constrained")
    grid = figure.add_gridspec(3 if shown_pictures else 2, max(shown_pictures, 1), height_ratios=[3, 3, 2][:3 if shown_pictures else 2])
    upper, lower = figure.add_subplot(grid[0, :]), figure.add_subplot(grid[1, :])
    draw_pictures([figure.add_subplot(grid[2, i]) for i in range(shown_pictures)], labels, rows, out)
    for band, name in enumerate(bands):
        errors = [row["error"][band] for row in rows] if are_alike else None
        upper.errorbar(positions, [row[values][band] for row in rows], yerr=errors, color=colours[band], marker="s", markersize=5, label=name)
    upper.set_title(f"mean {what} over {quantity}", loc="left")
    for key, label, colour in (("de2000_mean", "mean", "#783296"), ("de2000_p95", "p95", "#d77814")):
        shown = [(x, row[key]) for x, row in zip(positions, rows) if row[key] is not None]
        lower.plot(*zip(*shown), color=colour, marker="s", markersize=5, label=label) if shown else None
    known = [(x, row) for x, row in zip(positions, rows) if find_noise_part(row) > 0]
    if known:
        lower.errorbar([x for x, row in known], [row["de2000_mean"] for x, row in known], yerr=([find_noise_part(row) for x, row in known], [0] * len(known)),
                       color="#783296", linestyle="none", capsize=4, label="noise in it")
    lower.set_title(f"Delta E 2000 against {pathlib.Path(target).name}", loc="left")
    for axes in (upper, lower):
        axes.set_xscale(scale)
        axes.set_xticks(positions, labels)
        axes.minorticks_off()
        axes.set_ylim(bottom=0)
        axes.grid(axis="y", color="#cdcdcd")
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False, ncols=1 + (len(axes.lines) > 20))
    for kind in ("svg", "png"):
        partial = out / f"sweep.{kind}.partial"
        figure.savefig(partial, format=kind, dpi=100)
        os.replace(partial, out / f"sweep.{kind}")


def main():
    if sys.argv[1:] in (["--help"], ["-h"]):
        print(__doc__)
        return
    if len(sys.argv) < 5:
        sys.exit("usage: sweep_curve.py OUT QUANTITY TARGET NAME...")
    out, quantity, target = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    rows = [read_row(out, name) for name in sys.argv[4:]]
    try:
        draw(out, quantity, target, rows)
    except ModuleNotFoundError as missing:
        print(f"sweep_curve: no curve is drawn, because Python's {missing.name} is missing (Debian package python3-matplotlib); "
              "sweep.csv has the figures", file=sys.stderr)
    number = lambda value, digits: "-" if value is None else f"{value:.{digits}f}"
    print(f"| {quantity} | mean reflectance | L* a* b* | Delta E 2000, mean | p95 | noise, share |\n|---|---|---|---|---|---|")
    for row in rows:
        bands = " ".join(number(v, 4) for v in row["mean"]) if len(row["mean"]) <= 3 else f"{len(row['mean'])} bands, in sweep.csv"
        print(f"| {row['name']} | {bands} | {' '.join(number(v, 2) for v in row['lab'])} | "
              f"{number(row['de2000_mean'], 2)} | {number(row['de2000_p95'], 2)} | {number(row['noise_share'], 2)} |")
    write_csv(out / "sweep.csv", quantity, rows)


if __name__ == "__main__":
    main()
