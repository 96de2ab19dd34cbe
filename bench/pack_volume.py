#!/usr/bin/env python3
# Time and peak memory of packing a headerless u8 cube with volprep, as JSON: noise (no constant brick) and a half-empty volume.
"""pack_volume.py --bin BUILD/bin [--edge 512] [--trials 3] > pack.json"""

import argparse
import json
import os
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time


def write_cube(path, edge, filled):
    """`filled` layers of noise, the rest 0; a block of noise is repeated, which no brick notices."""
    noise = random.Random(1).randbytes(edge * edge)
    with open(path, "wb") as file:
        for z in range(edge):
            shift = (z * 7919) % len(noise)
            file.write(noise[shift:] + noise[:shift] if z < filled else bytes(edge * edge))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--edge", type=int, default=512)
    parser.add_argument("--trials", type=int, default=3)
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, filled in (("noise", arguments.edge), ("half empty", arguments.edge // 2)):
            raw = os.path.join(folder, "cube.raw")
            write_cube(raw, arguments.edge, filled)
            packed = os.path.join(folder, "cube.vpk")
            command = [arguments.bin.resolve() / "volprep", raw, "--dims", ",".join([str(arguments.edge)] * 3), "--type", "u8",
                       "--pitch", "1", "-o", packed, "-q"]
            seconds = []
            for _ in range(arguments.trials):
                start = time.monotonic()
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
                seconds.append(time.monotonic() - start)
            rows.append({"volume": name, "edge": arguments.edge, "seconds_median": statistics.median(seconds),
                         "seconds_max": max(seconds), "size_bytes": os.path.getsize(packed),
                         "peak_memory_bytes_of_all_runs": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024})
    json.dump(rows, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
