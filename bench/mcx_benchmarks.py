#!/usr/bin/env python3
# MCX's built-in benchmarks, rendered by volrender: absorbed shares beside those that MCX's tests accept, and particles per second; as JSON and as a table.
"""mcx_benchmarks.py --bin BUILD/bin [--out FOLDER] [--benchmark NAME]... [--particles 1000000] [--trials 1] [--device cpu|cuda] [--kernel NAME] > mcx.json

cube60, cube60b, cube60planar, cubesph60b and spherebox (Fang and Boas 2009; definitions and shares as of MCX 2025.10): 60^3 voxels of 1 mm, one gate of 5 ns, fluence
by voxel, no roulette. Each is written as MCX's JSON and packed by volprep. The rate is that of transport, the median of --trials. --out keeps inputs, volumes and
doses. Exit status 1: an absorbed share is outside of what MCX's tests accept, or energy is missing."""

import argparse
import contextlib
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

AIR = {"mua": 0, "mus": 0, "g": 1, "n": 1}
CUBE = {"Grid": {"Tag": 1, "Size": [60, 60, 60]}}
PENCIL = {"Type": "pencil", "Pos": [29, 29, 0], "Dir": [0, 0, 1]}
TISSUE = {"mua": 0.005, "mus": 1, "g": 0.01, "n": 1.37}
CLEAR = {"mua": 0.002, "mus": 5, "g": 0.9, "n": 1}


def describe(mismatch, media, shapes, source):
    return {"Session": {"Photons": 1000000, "DoMismatch": mismatch},
            "Domain": {"Dim": [60, 60, 60], "OriginType": 1, "LengthUnit": 1, "Media": [AIR, *media]},
            "Shapes": shapes, "Forward": {"T0": 0, "T1": 5e-9, "Dt": 5e-9}, "Optode": {"Source": source}}


# Input, and the absorbed percentages that MCX's tests accept; they do not run cubesph60b.
BENCHMARKS = {
    "cube60": (describe(0, [TISSUE, CLEAR], [CUBE], PENCIL), (17, 18)),
    "cube60b": (describe(1, [TISSUE, CLEAR], [CUBE], PENCIL), (27, 28)),
    "cube60planar": (describe(1, [TISSUE, CLEAR], [CUBE],
                              {"Type": "planar", "Pos": [10, 10, -10], "Dir": [0, 0, 1], "Param1": [40, 0, 0, 0], "Param2": [0, 40, 0, 0]}), (25, 26)),
    "cubesph60b": (describe(1, [TISSUE, CLEAR], [CUBE, {"Sphere": {"Tag": 2, "O": [30, 30, 30], "R": 15}}], PENCIL), None),
    "spherebox": (describe(0, [{"mua": 0.002, "mus": 1, "g": 0.01, "n": 1.37}, {"mua": 0.05, "mus": 5, "g": 0.9, "n": 1.37}],
                           [CUBE, {"Sphere": {"Tag": 2, "O": [30, 30, 30], "R": 10}}], {"Type": "pencil", "Pos": [29.5, 29.5, 0], "Dir": [0, 0, 1]}), (10, 12)),
}


def run(*words):
    answer = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if answer.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: {answer.stderr}")
    return answer.stdout


def measure(arguments, folder, name):
    benchmark, accepted = BENCHMARKS[name]
    source, volume = folder / f"{name}.json", folder / f"{name}.vpk"
    source.write_text(json.dumps(benchmark, indent=1))
    run(arguments.bin / "volprep", source, "-o", volume, "-q")
    kernel = ["--kernel", arguments.kernel] if arguments.kernel else []
    rates = []
    for trial in range(arguments.trials):
        answer = json.loads(run(arguments.bin / "volrender", volume, "--roulette", "off", "--spp", arguments.particles, "--seed", trial + 1, "--tally", "fluence",
                                "--device", arguments.device, *kernel, "-o", folder / f"{name}.nrrd", "--json"))
        rates.append(answer["paths_per_second"])
    energy = answer["energy"]
    row = {"benchmark": name, "particles": arguments.particles, "particles_per_second": statistics.median(rates), "energy": energy}
    row["accepted"] = abs(sum(energy.values()) - 1) < 1e-6 and (accepted is None or accepted[0] <= 100 * energy["absorbed"] < accepted[1])
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of the tools")
    parser.add_argument("--out", type=pathlib.Path, help="keep inputs, volumes and doses there")
    parser.add_argument("--benchmark", action="append", choices=list(BENCHMARKS))
    parser.add_argument("--particles", type=int, default=1000000)
    parser.add_argument("--trials", type=int, default=1)
    parser.add_argument("--device", default="cpu", help="as volrender's")
    parser.add_argument("--kernel", help="as volrender's")
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = arguments.out or pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        rows = [measure(arguments, folder, name) for name in arguments.benchmark or BENCHMARKS]
    print("| benchmark | absorbed | MCX's tests accept | M particles/s |\n|---|---|---|---|", file=sys.stderr)
    for row in rows:
        accepted = BENCHMARKS[row["benchmark"]][1]
        print(f"| {row['benchmark']} | {100 * row['energy']['absorbed']:.2f} % | {'{} to {} %'.format(*accepted) if accepted else '-'} | "
              f"{row['particles_per_second'] / 1e6:.3g} |", file=sys.stderr)
    print(json.dumps(rows, indent=1))
    return 0 if all(row["accepted"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
