#!/usr/bin/env python3
"""make_smoke.py OUT.mha [--height N] [--seed N]: a puff of smoke, 1 x 1 x 1.5 m, +z up, as a MetaImage of densities 0 to 255. N voxels
(default 96) along z, two thirds as many along x and y. Python's standard library alone; never depends on time or the machine."""
import argparse
import math
import random
import struct


def place_puffs(seed):
    """Balls of smoke as (x, y, z, radius, weight), in units of the height: a column that turns, widens and rolls up at its top."""
    chance = random.Random(seed)
    puffs = []
    for step in range(700):
        height = (step + 0.5) / 700
        turn = 7 * height + 1.3 * math.sin(9 * height)
        lean = 0.05 * math.sin(4 * height) + 0.03 * height
        spread = 0.02 + 0.2 * height ** 1.6
        angle, reach = chance.random() * 2 * math.pi, spread * math.sqrt(chance.random())
        x = lean * math.cos(turn) + reach * math.cos(angle)
        y = lean * math.sin(turn) + reach * math.sin(angle)
        z = 0.06 + 0.78 * height - 0.35 * reach * height + 0.02 * (chance.random() - 0.5)
        puffs.append((x, y, z, 0.018 + 0.055 * height * (0.4 + chance.random()), (1.1 - height) * (0.3 + chance.random())))
    return puffs


def fill(height, puffs):
    width = 2 * height // 3
    density = [0.0] * (width * width * height)
    for x, y, z, radius, weight in puffs:
        ranges = [(max(0, math.floor((c - radius) * height)), min(n, math.ceil((c + radius) * height) + 1))
                  for c, n in ((x + 1 / 3, width), (y + 1 / 3, width), (z, height))]
        for k in range(*ranges[2]):
            for j in range(*ranges[1]):
                row = (k * width + j) * width
                across = ((k + 0.5) / height - z) ** 2 + ((j + 0.5) / height - 1 / 3 - y) ** 2
                for i in range(*ranges[0]):
                    share = 1 - (across + ((i + 0.5) / height - 1 / 3 - x) ** 2) / radius ** 2
                    if share > 0:
                        density[row + i] += weight * share * share
    return width, density


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output")
    parser.add_argument("--height", type=int, default=96, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    options = parser.parse_args()
    if options.height < 8 or options.height > 1024:
        parser.error(f"--height {options.height}: 8 to 1024 voxels")
    width, density = fill(options.height, place_puffs(options.seed))
    top = max(density)
    pitch_mm = 1500 / options.height
    header = ("ObjectType = Image\nNDims = 3\n" f"DimSize = {width} {width} {options.height}\n"
              f"ElementSpacing = {pitch_mm} {pitch_mm} {pitch_mm}\n" "ElementType = MET_UCHAR\nElementDataFile = LOCAL\n")
    with open(options.output, "wb") as f:
        f.write(header.encode())
        f.write(struct.pack(f"{len(density)}B", *(round(255 * value / top) for value in density)))


if __name__ == "__main__":
    main()
