#!/usr/bin/env python3
"""lithophane_steps.py [--bin FOLDER] [--spp N] [-- OPTION ..]: how bright six greys of a lithophane are when it is rendered, beside what the
picture asks (docs/lithophane.md). OPTIONs go to volprep, for example --material porcelain. Ten seconds on two cores."""
import argparse
import pathlib
import re
import struct
import subprocess
import tempfile

STEPS, TEXELS = 6, 40  # texels of a step, each way
PIXELS = 20            # of a step across


def read_rows(path):
    with open(path, "rb") as f:
        bands = {b"PF\n": 3, b"Pf\n": 1}[f.readline()]
        width, height = map(int, f.readline().split())
        f.readline()
        values = struct.unpack(f"<{bands * width * height}f", f.read())
    return [[sum(values[bands * (y * width + x):][:bands]) for x in range(width)] for y in range(height)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, help="the folder of the programs (default: on PATH)")
    parser.add_argument("--spp", default="256")
    parser.add_argument("options", nargs="*")
    arguments = parser.parse_args()
    program = lambda name: str(arguments.bin / name) if arguments.bin else name
    with tempfile.TemporaryDirectory() as folder:
        picture, plate, seen = (f"{folder}/{name}" for name in ("steps.pfm", "steps.vpk", "seen.pfm"))
        row = [step / (STEPS - 1) for step in range(STEPS) for _ in range(TEXELS)]
        with open(picture, "wb") as f:
            f.write(b"Pf\n%d %d\n-1.0\n" % (len(row), TEXELS) + struct.pack(f"<{len(row)}f", *row) * TEXELS)
        packed = subprocess.run([program("volprep"), "--lithophane", picture, "--width", "120mm", "-o", plate, *arguments.options],
                                check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        darkest = 1 / float(re.search(r"1/([0-9.e+]+) of what white does", packed.stderr)[1])
        subprocess.run([program("volrender"), plate, "--scene", "lithophane", "--resolution", f"{STEPS * PIXELS}x{PIXELS}", "--spp", arguments.spp,
                        "-o", seen, "-q"], check=True, stdout=subprocess.DEVNULL)
        rows = read_rows(seen)
    inner = range(PIXELS * 7 // 20, PIXELS * 13 // 20)
    means = [sum(row[PIXELS * step + x] for row in rows for x in inner) for step in range(STEPS)]
    print("asked    " + " ".join(f"{darkest + (1 - darkest) * step / (STEPS - 1):.3f}" for step in range(STEPS)))
    print("rendered " + " ".join(f"{mean / means[-1]:.3f}" for mean in means))


if __name__ == "__main__":
    main()
