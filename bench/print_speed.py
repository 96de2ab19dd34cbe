#!/usr/bin/env python3
# Times the three predictions of a print that the project promises, as JSON and as a table.
"""print_speed.py --bin BUILD/bin [--data FOLDER] [--device cuda|cpu] [--cases NAMES] [--size N] [--trials 3] [--out FOLDER]

  white-slab   an endless slab of white ink (Elek et al. 2017), 10 mm, three bands, 1000 x 1000 texels, at the samples that leave 1 % noise per texel
  colour-wheel the six real layers of a colour wheel (--data) on 10 mm of white, 1000 x 500 texels, 256 samples per band
  preview      the same white slab, 100 x 100 texels at 10 % noise: for two CPU cores (--device cpu, `-j 2`)

The samples of a noise come from a pilot of 64 x 64 texels: standard error goes with one over the square root of their number. The noise
that the render ends with is measured again, as the root mean square over the texels of standard error / mean, in the band that has most.
Times are what volrender reports of the transport alone (seconds_render), and the whole command. --size divides the texels of
each side, for a trial on a small machine; the noise does not depend on it.
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

WHITE = "--make slab --dims 1,1,1 --size 50mm,50mm,10mm --materials {inks} --material W"
WHEEL = "{data}/j750-colorwheel-slices --materials {inks} --air black --pitch 42.3um,84.7um,27um --core 10mm"
PROBE = "--probe top --boundary smooth --int-ior 1.5"
PILOT_SIDE, PILOT_SAMPLES = 64, 64

CASES = {
    "white-slab": {"pack": WHITE, "view": f"{PROBE} --sides periodic", "texels": (1000, 1000), "noise": 0.01, "asked_seconds": 60,
                   "note": "endless slab of W, 10 mm, three bands, 1 % noise per texel"},
    "colour-wheel": {"pack": WHEEL, "view": PROBE, "texels": (1000, 500), "samples": 256, "asked_seconds": 30,
                     "note": "six layers of a colour wheel on 10 mm of W, 256 samples per band"},
    "preview": {"pack": WHITE, "view": f"{PROBE} --sides periodic", "texels": (100, 100), "noise": 0.1, "asked_seconds": 30,
                "note": "endless slab of W, 10 mm, 10 % noise per texel"},
}


def call(program, *words):
    """Runs a tool; its answer, from --json. What it says on stderr comes through."""
    return json.loads(subprocess.run([program, *map(str, words), "--json", "-q"], check=True, stdout=subprocess.PIPE).stdout)


def measure_noise(bin_folder, film):
    """Root mean square over the texels of standard error / mean of the film, in its noisiest band."""
    info = call(bin_folder / "volinfo", film)
    texels = info["width"] * info["height"]
    shared = info.get("bank_error", [0] * len(info["mean"]))  # of long steps: the same in all texels, so not averaged

    def find_noise(error, mean, bank):
        # The standard error of the mean over all texels is the root of the sum of their squares, over their number.
        return math.sqrt(max(0, (error / mean) ** 2 - bank**2) * texels + bank**2)

    return max(map(find_noise, info["standard_error"], info["mean"], shared))


def render(bin_folder, volume, film, options, texels, samples):
    started = time.monotonic()
    answer = call(bin_folder / "volrender", volume, "-o", film, "--resolution", f"{texels[0]}x{texels[1]}", "--spp", samples, *options)
    return answer, time.monotonic() - started


def run_case(bin_folder, work, name, case, arguments):
    volume, film = work / f"{name}.vpk", work / f"{name}.vpf"
    pack_words = case["pack"].format(inks=arguments.inks, data=arguments.data).split()
    subprocess.run([bin_folder / "volprep", *pack_words, "-o", volume, "-q"], check=True, stdout=subprocess.DEVNULL)
    options = [*case["view"].split(), "--device", arguments.device, *arguments.volrender.split()]
    texels = tuple(max(1, side // arguments.size) for side in case["texels"])
    samples = case.get("samples")
    if samples is None:
        render(bin_folder, volume, film, options, (PILOT_SIDE, PILOT_SIDE), PILOT_SAMPLES)
        samples = math.ceil(PILOT_SAMPLES * (measure_noise(bin_folder, film) / case["noise"]) ** 2)
    trials = [render(bin_folder, volume, film, options, texels, samples) for _ in range(arguments.trials)]
    answer = trials[0][0]
    seconds = statistics.median(trial["seconds_render"] for trial, _ in trials)
    return {
        "case": name, "note": case["note"], "device": answer["device"], "kernel": answer["kernel"], "texels": texels, "samples": samples,
        "bands": call(bin_folder / "volinfo", film)["bands"], "noise": measure_noise(bin_folder, film), "noise_asked": case.get("noise"),
        "seconds_render_median": seconds, "seconds_render": [trial["seconds_render"] for trial, _ in trials],
        "seconds_wall_median": statistics.median(wall for _, wall in trials), "seconds_asked": case["asked_seconds"],
        "reduced": arguments.size != 1,
        "paths_per_second": answer["paths"] / seconds, "extensions_per_second": answer["extensions"] / seconds,
        "extensions_per_path": answer["extensions"] / answer["paths"],
        "tentative_collisions": answer["tentative_collisions"], "film_hash": answer["film_hash"],
    }


def format_table(rows):
    lines = ["| case | texels x samples x bands | noise per texel | transport | whole command | asked | paths/s | extensions per path |",
             "|---|---|---|---|---|---|---|---|"]
    for row in rows:
        noise = f"{100 * row['noise']:.2f} %" + (f" (asked {100 * row['noise_asked']:g} %)" if row["noise_asked"] else "")
        asked = f"{row['seconds_asked']} s" + (", for all texels" if row["reduced"] else "")
        lines.append(f"| {row['case']}: {row['note']} | {row['texels'][0]} x {row['texels'][1]} x {row['samples']} x {row['bands']} | {noise} | "
                     f"{row['seconds_render_median']:.2f} s | {row['seconds_wall_median']:.2f} s | {asked} | "
                     f"{row['paths_per_second'] / 1e6:.2f} M | {row['extensions_per_path']:.1f} |")
    return "\n".join(lines) + "\n"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--data", type=pathlib.Path, help="folder of the public datasets; without it colour-wheel is left out, visibly")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--cases", default=",".join(CASES), help="names with commas between")
    parser.add_argument("--inks", default=str(pathlib.Path(__file__).resolve().parent.parent / "pipelines/data/materials/elek2017.json"))
    parser.add_argument("--volrender", default="", help="more options of volrender, e.g. '--kernel regen_thread'")
    parser.add_argument("--size", type=int, default=1, help="divides the texels of each side")
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--out", type=pathlib.Path, help="folder of print_speed.json and print_speed.md; otherwise the table alone is printed")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    bin_folder = arguments.bin.resolve()
    arguments.data = arguments.data and arguments.data.resolve()
    unknown = set(arguments.cases.split(",")) - set(CASES)
    if unknown:
        sys.exit(f"print_speed: no case {', '.join(sorted(unknown))}; there are {', '.join(CASES)}")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.cases.split(","):
            if "{data}" in CASES[name]["pack"] and arguments.data is None:
                print(f"skipped: {name} needs --data", file=sys.stderr)
                continue
            rows.append(run_case(bin_folder, pathlib.Path(folder), name, CASES[name], arguments))
            print(f"{name}: {rows[-1]['seconds_render_median']:.2f} s of transport", file=sys.stderr)
    if arguments.out is not None:
        arguments.out.mkdir(parents=True, exist_ok=True)
        report = {"processors": os.cpu_count(), "rows": rows}
        (arguments.out / "print_speed.json").write_text(json.dumps(report, indent=2) + "\n")
        (arguments.out / "print_speed.md").write_text(format_table(rows))
    print(format_table(rows), end="")


if __name__ == "__main__":
    main()
