#!/usr/bin/env python3
# What connections to an environment with a small sun save: the error of --nee on and off after equal times, as JSON and as a table.
"""small_sun.py --bin BUILD/bin [--out FOLDER] [--seconds 5] [--trials 3] [--device cpu|cuda] > small_sun.json

The environment is an image: a sky of radiance 0.2, and a sun of one degree that brings four times its irradiance. --nee off finds the sun by chance. Both are
rendered --trials times for about --seconds, in turn, with seeds of their own. The figure is variance times time: the squared standard error of the mean of the
picture, times the seconds of transport. Its ratio is how many times as long --nee off takes to the same error; medians of the trials."""

import argparse
import array
import contextlib
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

WIDTH = 2048
SUN_DEGREES = 1.0
SKY = 0.2
FIRST_SAMPLES = 16


def write_sky(path):
    """Lat-long, one band; the sun stands 50 degrees high."""
    height = WIDTH // 2
    towards = (0.45, math.sin(math.radians(50)), -math.sqrt(math.cos(math.radians(50)) ** 2 - 0.45**2))
    edge = math.cos(math.radians(SUN_DEGREES / 2))
    sun = 4 * math.pi * SKY / (2 * math.pi * (1 - edge))
    values = array.array("f")
    for row in reversed(range(height)):  # .pfm begins with the lowest row
        polar = math.pi * (row + 0.5) / height
        across, up = math.sin(polar), math.cos(polar)
        is_near = abs(math.asin(up) - math.radians(50)) < math.radians(SUN_DEGREES)
        for column in range(WIDTH):
            azimuth = 2 * math.pi * (column + 0.5) / WIDTH
            cosine = across * math.sin(azimuth) * towards[0] + up * towards[1] - across * math.cos(azimuth) * towards[2] if is_near else 0
            values.append(SKY + (sun if cosine > edge else 0))
    if sys.byteorder == "big":
        values.byteswap()
    path.write_bytes(b"Pf\n%d %d\n-1.0\n" % (WIDTH, height) + values.tobytes())


def list_scenes():
    """Name: command of volprep, and options of volrender."""
    view = ["--boundary", "none", "--env", "sky.pfm", "--env-up", "+z", "--resolution", "96x64"]
    return {
        "cloud": ("--make noise --dims 32,32,32 --size 4mm --sigma-t 3 --albedo 0.98 --g 0.6", view),
        "block on a ground": ("--make cube --size 4mm --sigma-t 3 --albedo 0.9", [*view, "--ground", "diffuse:0.5"]),
    }


def run(folder, *words):
    answer = subprocess.run([str(word) for word in words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if answer.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: {answer.stderr}")
    return json.loads(answer.stdout) if "--json" in words else {}


def measure(arguments, folder, name, volume, options):
    file = name.split()[0] + ".vpk"
    run(folder, arguments.bin / "volprep", *volume.split(), "-o", file, "-q")
    render = lambda nee, samples, seed: run(folder, arguments.bin / "volrender", file, *options, "--nee", nee, "--spp", samples, "--seed", seed,
                                            "--device", arguments.device, "-o", "film.vpf", "--json", "-q")
    trials = {"off": [], "on": []}
    samples = {}
    for nee in trials:
        answer = render(nee, FIRST_SAMPLES, 1000)
        samples[nee] = max(FIRST_SAMPLES, round(FIRST_SAMPLES * arguments.seconds / answer["seconds_render"]))
    for trial in range(arguments.trials):
        for nee, answers in trials.items():
            answers.append(render(nee, samples[nee], 1 + 2 * trial + (nee == "on")))
    row = {"scene": name, "device": trials["on"][0]["device"], "spp": samples}
    for nee, answers in trials.items():
        row[nee] = {"mean": [a["mean"][0] for a in answers], "standard_error": [a["standard_error"][0] for a in answers],
                    "seconds": [a["seconds_render"] for a in answers],
                    "variance_times_seconds": statistics.median(a["standard_error"][0] ** 2 * a["seconds_render"] for a in answers),
                    "paths_per_second": statistics.median(a["paths_per_second"] for a in answers)}
    row["ratio"] = row["off"]["variance_times_seconds"] / row["on"]["variance_times_seconds"]
    means = [statistics.mean(row[nee]["mean"]) for nee in trials]
    errors = [math.hypot(*row[nee]["standard_error"]) / arguments.trials for nee in trials]
    row["z"] = (means[1] - means[0]) / math.hypot(*errors)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of the tools")
    parser.add_argument("--out", type=pathlib.Path, help="keep image, volumes and the last film there")
    parser.add_argument("--seconds", type=float, default=5.0, help="of each render")
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--device", default="cpu", help="as volrender's")
    arguments = parser.parse_args()
    arguments.bin = arguments.bin.resolve()
    with contextlib.ExitStack() as stack:
        folder = (arguments.out or pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        write_sky(folder / "sky.pfm")
        rows = [measure(arguments, folder, name, *description) for name, description in list_scenes().items()]
    print("| scene | M paths/s, off and on | relative standard error after 1 s, off and on | variance x time, off / on | difference of the means in standard errors |\n"
          "|---|---|---|---|---|", file=sys.stderr)
    for row in rows:
        rates = ", ".join(f"{row[nee]['paths_per_second'] / 1e6:.3g}" for nee in ("off", "on"))
        relative = ", ".join(f"{100 * math.sqrt(row[nee]['variance_times_seconds']) / statistics.mean(row['on']['mean']):.2g} %" for nee in ("off", "on"))
        print(f"| {row['scene']} | {rates} | {relative} | {row['ratio']:.3g} | {row['z']:+.1f} |", file=sys.stderr)
    print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
