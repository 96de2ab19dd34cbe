#!/usr/bin/env python3
# Time from volrender's start to the end of a render of one sample a pixel on the CPU, for a large volume, as JSON.
"""first_sample.py --bin BUILD/bin [--against BUILD/bin] [--edge 650] [--trials 5] [--folder FOLDER] > first.json

The volume is noise of edge^3 floats (650: 1.02 GiB), read once before, so that it is in the page cache; the film has 8 x 8 pixels. The
first sample lies before the end of the command, so that its time is an upper bound. With --against, a second build renders in turn."""

import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time


def render(folder, volume, film):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([folder / "volrender", volume, "--resolution", "8x8", "--spp", "1", "--device", "cpu", "-o", film, "-q"], check=True,
                   stdout=subprocess.DEVNULL)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--against", type=pathlib.Path)
    parser.add_argument("--edge", type=int, default=650)
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--folder")
    arguments = parser.parse_args()
    builds = {"bin": arguments.bin.resolve()} | ({"against": arguments.against.resolve()} if arguments.against else {})
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        volume, films = pathlib.Path(name) / "noise.vpk", {build: pathlib.Path(name) / f"{build}.vpf" for build in builds}
        subprocess.run([builds["bin"] / "volprep", "--make", "noise", "--dims", ",".join([str(arguments.edge)] * 3), "--pitch", "0.01", "--encode",
                        "f32", "-o", volume, "-q"], check=True, stdout=subprocess.DEVNULL)
        times = {build: [] for build in builds}
        for trial in range(arguments.trials + 1):
            for build, folder in builds.items():
                taken = render(folder, volume, films[build])
                if trial > 0:
                    times[build].append(taken)
        report = {"edge": arguments.edge, "volume_bytes": volume.stat().st_size}
        for build, taken in times.items():
            report[build] = {"seconds_median": statistics.median(wall for wall, _ in taken), "seconds_min": min(wall for wall, _ in taken),
                             "cpu_seconds_median": statistics.median(cpu for _, cpu in taken)}
    json.dump(report, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
