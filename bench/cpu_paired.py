#!/usr/bin/env python3
# Two builds on one busy core: processor time per path in slabs and prints, old and new in turn, as JSON on stdout.
"""cpu_paired.py --bin NEW/bin --against OLD/bin [--data FOLDER] [--cases NAMES] [--trials 7] > cpu_paired.json

Each program renders few samples, then many: the difference of the processes' processor seconds is the transport of the samples between,
without start, banks and outputs. Ratios above 1: the new build is faster. Films must be the same bits, except with --other-bits."""

import argparse
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile

from gpu_scenes import SCENES
from long_steps_speed import PROBE, SLAB, WHEEL

LOGO = next(scene for scene in SCENES if scene.name == "cgg-logo")


def list_cases():
    """Name, how the volume is packed, view, few and many samples."""
    for band, name in enumerate(("red", "green", "blue")):
        slab, view = SLAB.format(band=band), f"{PROBE} --sides periodic --resolution 500x500"
        yield f"W-{name}", slab, f"{view} --long-steps on", 2, 18
        yield f"W-{name}-x10", slab, f"{view} --scale 10 --long-steps on", 2, 18
        yield f"W-{name}-plain", slab, view, 1, 5
    yield "wheel", WHEEL, f"{PROBE} --resolution 500x250 --long-steps on", 2, 8
    yield "logo", LOGO.pack, f"{LOGO.view} --long-steps on", 2, 34
    yield "logo-plain", LOGO.pack, LOGO.view, 2, 34


def render(program, volume, view, samples, folder):
    """Processor seconds and the answer."""
    words = [program, volume, *shlex.split(view), "--spp", samples, "--device", "cpu", "-j", 1, "-o", folder / "film.vpf", "--json", "-q"]
    with open(folder / "answer.json", "w") as answer:
        process = subprocess.Popen([str(word) for word in words], stdout=answer, env=os.environ | {"XDG_CACHE_HOME": str(folder / "cache")})
        _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"cpu_paired: {program} failed on {volume}")
    return usage.ru_utime + usage.ru_stime, json.loads((folder / "answer.json").read_text())


def measure(arguments, volume, view, few, many, folder):
    times, answers = {"old": [], "new": []}, {}
    for _ in range(arguments.trials):
        for build, program in (("old", arguments.against / "volrender"), ("new", arguments.bin / "volrender")):
            before, first = render(program, volume, view, few, folder)
            after, answers[build] = render(program, volume, view, many, folder)
            times[build].append(1e9 * (after - before) / (answers[build]["paths"] - first["paths"]))
    if answers["old"]["film_hash"] != answers["new"]["film_hash"] and not arguments.other_bits:
        sys.exit(f"cpu_paired: the builds give different films of {view}")
    row = {build: {"nanoseconds_a_path_min": min(values), "nanoseconds_a_path_median": statistics.median(values)} for build, values in times.items()}
    paths = answers["new"]["paths"]
    return row | {"ratio_of_minima": min(times["old"]) / min(times["new"]),
                  "median_ratio": statistics.median(old / new for old, new in zip(times["old"], times["new"])),
                  "flights_a_path": answers["new"]["tentative_collisions"] / paths, "long_steps_a_path": answers["new"]["long_steps"] / paths}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of the new build's tools")
    parser.add_argument("--against", type=pathlib.Path, required=True, help="folder of the old build's volrender")
    parser.add_argument("--data", type=pathlib.Path, help="folder with j750-colorwheel-slices; without it the wheel is left out")
    parser.add_argument("--cases", help="names with commas between (default: all)")
    parser.add_argument("--trials", type=int, default=7)
    parser.add_argument("--other-bits", action="store_true")
    arguments = parser.parse_args()
    arguments.bin, arguments.against = arguments.bin.resolve(), arguments.against.resolve()
    root = pathlib.Path(__file__).resolve().parent.parent
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.executable, "-B", root / "pipelines/draw_textures.py", "logo", folder / "logo.png"], check=True, stdout=subprocess.DEVNULL)
        for case, pack, view, few, many in list_cases():
            if (arguments.cases and case not in arguments.cases.split(",")) or ("{data}" in pack and not arguments.data):
                continue
            words = shlex.split(pack.format(data=arguments.data, work=folder))
            subprocess.run([arguments.bin / "volprep", *words, "-o", folder / "volume.vpk", "-q"], check=True, stdout=subprocess.DEVNULL)
            rows.append({"case": case} | measure(arguments, folder / "volume.vpk", view, few, many, folder))
            print(f"{case}: {rows[-1]['ratio_of_minima']:.3f}", file=sys.stderr)
    print(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
