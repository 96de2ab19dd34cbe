#!/usr/bin/env python3
# Area and volume of the meshes that --surface smooth makes of balls, against the balls: the table in docs/tools/volprep.md.
"""smooth_surface.py [--bin FOLDER] [--voxels N,N,..]: packs six balls of voxels per size with volprep, diameters of 0.72 to 0.92 of the box, in
its middle and up to a quarter of a voxel beside it, and prints the mean errors of area and volume of their smooth surfaces, in percent. Python's standard library alone."""

import argparse
import json
import math
import pathlib
import random
import subprocess
import tempfile

SHARES = (0.72, 0.76, 0.80, 0.84, 0.88, 0.92)  # diameter of the ball, of the box


def write_ball(path, voxels, centre, radius):
    """1 where the voxel's centre lies in the ball, else 0."""
    x_squares, y_squares, z_squares = ([(i + 0.5 - c) ** 2 for i in range(voxels)] for c in centre)
    with open(path, "wb") as file:
        for z in z_squares:
            for y in y_squares:
                file.write(bytes(1 if x + y + z < radius * radius else 0 for x in x_squares))


def measure_errors(volprep, voxels, share, centre, folder):
    """Relative errors of area and volume; the pitch is 1 mm."""
    radius = share * voxels / 2
    raw = folder / "ball.raw"
    write_ball(raw, voxels, centre, radius)
    command = [volprep, raw, "--dims", f"{voxels},{voxels},{voxels}", "--type", "u8", "--pitch", "1mm", "--surface", "smooth", "-o", folder / "ball.vpk", "--json", "-q"]
    surface = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["surface"]
    return abs(surface["area_mm2"] / (4 * math.pi * radius**2) - 1), abs(surface["volume_mm3"] / (4 / 3 * math.pi * radius**3) - 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build/release/bin"), help="folder of the programs")
    parser.add_argument("--voxels", default="16,32,64,96", help="voxels along a side of the box")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        for voxels in map(int, options.voxels.split(",")):
            chance = random.Random(1)
            for kind, reach in (("in the middle", 0), ("beside it", 0.25)):
                centres = [[voxels / 2 + chance.uniform(-reach, reach) for _ in range(3)] for _ in SHARES]
                errors = [measure_errors(options.bin / "volprep", voxels, *ball, pathlib.Path(name)) for ball in zip(SHARES, centres)]
                area, volume = (100 * sum(column) / len(errors) for column in zip(*errors))
                print(f"{voxels} voxels, {kind}: area {area:.3f} %, volume {volume:.3f} %", flush=True)


if __name__ == "__main__":
    main()
