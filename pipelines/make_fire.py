#!/usr/bin/env python3
# Writes a fire of our own as soot and temperature by voxel: what volprep packs with --emission-file, and what the picture of a fire shows.
"""make_fire.py OUT_density.mha OUT_temperature.mha [--height N] [--seed N]: flames of 0.4 x 0.4 x 0.8 m, +z up, as MetaImages of 32-bit floats:
densities of 0 to 1, and temperatures in K. N voxels (default 192) along z, half as many along x and y. Needs numpy."""

import argparse

HEIGHT_MM = 800
COLDEST_K, HOTTEST_K = 1050, 1950


def make_noise(places, rng):
    """Smooth noise of -1 to 1 at places given in cells of its lattice, x, y, z."""
    size = 32
    lattice = rng.uniform(-1, 1, (size, size, size)).astype(np.float32)
    cells = [np.floor(p).astype(np.int32) for p in places]
    shares = [p - c for p, c in zip(places, cells)]
    shares = [s * s * (3 - 2 * s) for s in shares]
    total = np.zeros_like(places[0])
    for corner in range(8):
        bits = [corner >> axis & 1 for axis in range(3)]
        weight = np.ones_like(total)
        for share, bit in zip(shares, bits):
            weight = weight * (share if bit else 1 - share)
        total += weight * lattice[tuple((c + b) % size for c, b in zip(cells, bits))]
    return total


def make_turbulence(places, octaves, rng):
    """Octaves of noise, each of twice the frequency and 0.55 of the size of the one before; stretched along z, as gas that rises is."""
    total, size = 0, 1.0
    for octave in range(octaves):
        scaled = [p * 2.0**octave for p in places]
        scaled[2] = scaled[2] * 0.5
        total = total + size * make_noise(scaled, rng)
        size *= 0.55
    return total


def make_tongues(x, y, z, rng):
    """How deep inside a flame a place is: 1 on the axis of a tongue, 0 at its edge and negative outside."""
    depth = np.full(x.shape, -1.0, dtype=np.float32)
    for tongue in range(7):
        turn = 2 * np.pi * (tongue + rng.uniform(0, 0.6)) / 6
        reach = 0 if tongue == 6 else rng.uniform(0.06, 0.12)
        height = 0.85 if tongue == 6 else rng.uniform(0.35, 0.7)
        axis_x = reach * np.cos(turn) * (1 - 0.7 * z / height) + 0.025 * np.sin(9 * z + 2.1 * tongue)
        axis_y = reach * np.sin(turn) * (1 - 0.7 * z / height) + 0.025 * np.sin(8 * z + 1.3 * tongue + 1)
        share = np.clip(z / height, 0, 1)
        radius = (0.075 + 0.02 * (tongue == 6)) * (0.55 + 1.6 * share) * (1 - share) ** 0.75 + 1e-3
        depth = np.maximum(depth, 1 - np.hypot(x - axis_x, y - axis_y) / radius)
    return depth


def make_fire(voxels_z, seed):
    """Density and temperature, [z][y][x]."""
    rng = np.random.default_rng(seed)
    voxels = voxels_z // 2
    across = ((np.arange(voxels) + 0.5) / voxels - 0.5) * 0.5
    z, y, x = np.meshgrid((np.arange(voxels_z) + 0.5) / voxels_z, across, across, indexing="ij")
    x, y, z = (a.astype(np.float32) for a in (x, y, z))
    # The hotter the gas, the more it is drawn out by eddies that grow with height.
    strength = 0.012 + 0.085 * z
    warp = [make_turbulence([x * 14 + 5, y * 14 + 9, z * 14 + shift], 3, rng) * strength for shift in (0, 11)]
    depth = make_tongues(x + warp[0], y + warp[1], z, rng)
    depth = depth + 0.28 * make_turbulence([x * 26 + 3, y * 26 + 7, z * 26], 4, rng) * (0.25 + z)
    foot = np.clip(z / 0.04, 0, 1)
    inside = np.clip(depth, 0, 1)
    temperature = COLDEST_K + (HOTTEST_K - COLDEST_K) * inside**0.8 * (1 - 0.42 * z)
    density = np.clip(depth / 0.25, 0, 1) * (0.35 + 0.65 * z**0.5) * foot
    smoke = np.clip(z - 0.45, 0, 1) * np.clip(depth + 0.8, 0, 1) * 0.05
    density = np.maximum(density, smoke)
    edge = np.minimum(1, (0.25 - np.maximum(np.abs(x), np.abs(y))) / 0.02)
    return density * np.clip(edge, 0, 1) * np.clip((1 - z) / 0.05, 0, 1), np.where(depth > 0, temperature, 300)


def write_metaimage(path, values, pitch_mm):
    header = ["ObjectType = Image", "NDims = 3", "BinaryData = True", "BinaryDataByteOrderMSB = False",
              "DimSize = " + " ".join(str(n) for n in reversed(values.shape)), f"ElementSpacing = {pitch_mm:g} {pitch_mm:g} {pitch_mm:g}",
              "ElementType = MET_FLOAT", "ElementDataFile = LOCAL", ""]
    with open(path, "wb") as out:
        out.write("\n".join(header).encode())
        out.write(np.ascontiguousarray(values, dtype="<f4").tobytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("density")
    parser.add_argument("temperature")
    parser.add_argument("--height", type=int, default=192, metavar="N", help="voxels along z, 16 to 2048 (default 192)")
    parser.add_argument("--seed", type=int, default=7, metavar="N", help="another fire (default 7)")
    options = parser.parse_args()
    if not 16 <= options.height <= 2048:
        parser.error("--height must be 16 to 2048")
    global np
    import numpy as np  # here, so that --help needs nothing

    density, temperature = make_fire(options.height, options.seed)
    for path, values in ((options.density, density), (options.temperature, temperature)):
        write_metaimage(path, values, HEIGHT_MM / options.height)


if __name__ == "__main__":
    main()
