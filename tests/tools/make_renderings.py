"""Writes pictures of one view with the noise of N samples per pixel, as another renderer would: NAME_Nspp.pfm or .png,
and NAME_truth.pfm without noise.

    make_renderings.py NAME.pfm|NAME.png [--bias FACTOR] [--nested] [--seed N] N..
"""
import argparse
import array
import math
import pathlib
import random
import struct
import zlib

EDGE = 64
DEVIATION = 0.5  # of one sample, relative to the pixel's value


def make_truth() -> list[float]:
    return [0.3 + 0.2 * math.sin(x / 9 + channel) * math.cos(y / 7) for y in range(EDGE) for x in range(EDGE) for channel in range(3)]


def write_pfm(path: pathlib.Path, values: list[float]) -> None:
    row = 3 * EDGE
    flipped = [value for y in reversed(range(EDGE)) for value in values[y * row:(y + 1) * row]]
    path.write_bytes(b"PF\n%d %d\n-1.0\n" % (EDGE, EDGE) + struct.pack(f"<{len(flipped)}f", *flipped))


def encode_srgb(linear: float) -> int:
    clamped = min(max(linear, 0.0), 1.0)
    return round(255 * (12.92 * clamped if clamped <= 0.0031308 else 1.055 * clamped ** (1 / 2.4) - 0.055))


def write_png(path: pathlib.Path, values: list[float]) -> None:
    row = 3 * EDGE
    codes = array.array("B", map(encode_srgb, values)).tobytes()
    lines = b"".join(b"\0" + codes[y * row:(y + 1) * row] for y in range(EDGE))
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", EDGE, EDGE, 8, 2, 0, 0, 0)), (b"sRGB", b"\0"), (b"IDAT", zlib.compress(lines)), (b"IEND", b"")]
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", type=pathlib.Path)
    parser.add_argument("--bias", type=float, default=1)
    parser.add_argument("--nested", action="store_true", help="the samples of each picture are part of those of the next")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("samples", type=int, nargs="+")
    given = parser.parse_args()
    draw = random.Random(given.seed)
    truth = make_truth()
    write = {".pfm": write_pfm, ".png": write_png}[given.name.suffix]
    sums, done = [0.0] * len(truth), 0
    for samples in given.samples:
        new = samples - done
        new_sums = [new * given.bias * value + math.sqrt(new) * DEVIATION * value * draw.gauss(0, 1) for value in truth]
        sums = [before + more for before, more in zip(sums, new_sums)] if given.nested else new_sums
        done = samples if given.nested else 0
        write(given.name.with_name(f"{given.name.stem}_{samples}spp{given.name.suffix}"), [value / samples for value in sums])
    write_pfm(given.name.with_name(f"{given.name.stem}_truth.pfm"), truth)


if __name__ == "__main__":
    main()
