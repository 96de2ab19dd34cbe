#!/usr/bin/env python3
# Time and peak memory of volcompare's metrics over a 3840 x 2160 RGB pair, as JSON: all but HDR-FLIP together, each alone.
"""compare_images.py --bin BUILD/bin [--threads 2] [--trials 3] [--size 3840x2160] > compare.json"""

import argparse
import array
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import tempfile
import time

METRICS = ["max", "mae", "mse", "rmse", "bias", "psnr", "relmse", "mrse", "smape", "ssim", "msssim", "flip", "de76", "de94", "de2000"]


def write_pair(folder, width, height):
    """Waves of three colours, and the same with noise, up to 4: values that no metric finds easy."""
    generator = random.Random(1)
    noise = [generator.gauss(0, 0.05) for _ in range(65521)]
    for name, amount in (("reference.pfm", 0), ("test.pfm", 1)):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(b"PF\n%d %d\n-1.0\n" % (width, height))
            for y in range(height):
                wave = 1 + math.cos(y / 53)
                row = array.array("f", (max(0.0, wave * (1 + math.sin(i / (97 + i % 3 * 20))) + amount * noise[(i + 7919 * y) % 65521])
                                        for i in range(3 * width)))
                file.write(row.tobytes())


def measure(binary, folder, threads, metrics):
    command = [binary, f"{folder}/test.pfm", f"{folder}/reference.pfm", "-j", str(threads), "--json"]
    command += [word for metric in metrics for word in ("--metric", metric)]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    answer = json.loads(process.stdout.read())
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return time.perf_counter() - start, usage.ru_maxrss * 1024, answer["metrics"], usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--size", default="3840x2160")
    arguments = parser.parse_args()
    width, height = map(int, arguments.size.split("x"))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        write_pair(folder, width, height)
        for name, metrics in [("all but hdrflip", METRICS), ("hdrflip", ["hdrflip"])] + [(m, [m]) for m in METRICS]:
            trials = [measure(arguments.bin.resolve() / "volcompare", folder, arguments.threads, metrics)
                      for _ in range(arguments.trials)]
            row = {"metrics": name, "seconds": round(statistics.median(t[0] for t in trials), 3),
                   "cpu_seconds": round(statistics.median(t[3] for t in trials), 3), "peak_bytes": max(t[1] for t in trials)}
            if name == "hdrflip":
                row["exposures"] = trials[0][2]["hdrflip.exposures"]
            rows.append(row)
    print(json.dumps({"size": arguments.size, "threads": arguments.threads, "rows": rows}, indent=2))


main()
