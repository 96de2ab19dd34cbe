#!/usr/bin/env python3
# Speed of long steps: the same renders without and with them, alternating, as JSON on stdout.
"""long_steps_speed.py --bin BUILD/bin [--device cuda] [--data FOLDER] [--scenes FOLDER] [--trials 3] [--divide N] > long_steps.json

Slabs of 10 mm of white ink, one band each, also at ten times the density (without long steps an eighth of the samples); with --data the
colour wheel's six layers on 10 mm of white; with --scenes (what gpu_scenes.py has made) cgg-logo. Times are seconds_render, the
transport alone; ratios are of paths per second. --divide N takes N times fewer samples."""

import argparse
import json
import pathlib
import shlex
import statistics
import subprocess
import tempfile

PROBE = "--probe top --boundary smooth --int-ior 1.5"
SLAB = "--make slab --dims 1,1,1 --size 100mm,100mm,10mm --materials elek2017 --material W --bands {band}"
WHEEL = "{data}/j750-colorwheel-slices --materials elek2017 --air black --pitch 42.3um,84.7um,27um --core 10mm"


def list_cases(arguments):
    """Name, volume or how it is packed, view, samples, and how many times fewer of them without long steps."""
    for band, name in enumerate(("red", "green", "blue")):
        slab = (SLAB.format(band=band), f"{PROBE} --sides periodic --resolution 1000x1000", 512)
        yield f"W {name}", *slab, 1
        yield f"W {name}, ten times the density", slab[0], slab[1] + " --scale 10", slab[2], 8
    if arguments.data:
        yield "colour wheel on 10 mm of W", WHEEL.format(data=arguments.data), f"{PROBE} --resolution 1000x500", 256, 1
    if arguments.scenes:
        scene = next(entry for entry in json.loads((arguments.scenes / "scenes.json").read_text()) if entry["name"] == "cgg-logo")
        yield "cgg-logo", arguments.scenes / scene["volume"], shlex.join(scene["view"]), 4000, 1


def render(arguments, volume, view, samples, long_steps):
    with tempfile.TemporaryDirectory() as folder:
        words = [arguments.bin / "volrender", volume, *shlex.split(view), "--spp", max(1, samples // arguments.divide), "--long-steps", long_steps,
                 "--device", arguments.device, "--bank-cache", "off", *shlex.split(arguments.volrender), "-o", f"{folder}/film.vpf", "--json", "-q"]
        return json.loads(subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE).stdout)


def measure(arguments, volume, view, samples, fewer):
    answers = {"off": [], "on": []}
    for _ in range(arguments.trials):
        for long_steps, trials in answers.items():
            trials.append(render(arguments, volume, view, samples if long_steps == "on" else samples // fewer, long_steps))
    row = {}
    for long_steps, trials in answers.items():
        seconds = statistics.median(trial["seconds_render"] for trial in trials)
        first = trials[0]
        row[long_steps] = {"seconds_render": seconds, "seconds_banks": first["seconds_banks"], "paths_per_second": first["paths"] / seconds,
                           "flights_a_path": first["tentative_collisions"] / first["paths"], "long_steps_a_path": first["long_steps"] / first["paths"],
                           "mean": first["mean"], "standard_error": first["standard_error"], "device": first["device"], "kernel": first["kernel"]}
    return row | {"ratio": row["on"]["paths_per_second"] / row["off"]["paths_per_second"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of the tools")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--data", type=pathlib.Path, help="folder with j750-colorwheel-slices")
    parser.add_argument("--scenes", type=pathlib.Path, help="folder that gpu_scenes.py wrote to")
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--divide", type=int, default=1)
    parser.add_argument("--volrender", default="", help="more options of volrender")
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, pack, view, samples, fewer in list_cases(arguments):
            volume = pack
            if not isinstance(pack, pathlib.Path):
                volume = f"{folder}/volume.vpk"
                subprocess.run([arguments.bin / "volprep", *shlex.split(pack), "-o", volume, "-q"], check=True, stdout=subprocess.DEVNULL)
            rows.append({"case": name} | measure(arguments, volume, view, samples, fewer))
    print(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
