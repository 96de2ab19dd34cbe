#!/usr/bin/env python3
# Rates of volrender, Mitsuba 3 and MCX on the same scenes and the same machine, as JSON and as a table of ratios.
"""peers.py --bin BUILD/bin [--seconds 1] [--device cuda|cpu]... [--scene NAME]... SCENES

SCENES is what gpu_scenes.py made. --device cuda compares volrender with Mitsuba's cuda_ad_rgb and, on the cube, with MCX; --device cpu (all
threads) with Mitsuba's llvm_ad_rgb and scalar_rgb. Peers that are not installed are skipped, visibly (pip install mitsuba pmcx). All end no path by
roulette. The means of the pictures show that the scenes are the same; MCX has no camera, so its figure is the energy that leaves the cube.
"""

import argparse
import json
import pathlib
import sys
import time

import gpu_kernel_choice
import gpu_mitsuba

SCENES = ("cube", "cgg-logo", "ad", "smoke")
VARIANTS = {"cuda": ["cuda_ad_rgb"], "cpu": ["llvm_ad_rgb", "scalar_rgb"]}
MEAN_SAMPLES = 16
MOST_PHOTONS = 1 << 30


class Bench(gpu_kernel_choice.Bench):
    def __init__(self, arguments: argparse.Namespace, device: str):
        super().__init__(argparse.Namespace(bin=arguments.bin.resolve(), scenes=arguments.scenes.resolve(), device=device))
        self.seconds, self.kernel = arguments.seconds, "regen_pool" if device == "cuda" else "auto"

    def measure(self, scene: dict) -> dict:
        samples = self.find_samples(scene, self.kernel, self.seconds)
        rate = self.run(scene, self.kernel, samples, ["--trials", "3"])["paths_per_second"]
        mean = self.time_whole(scene, self.kernel, MEAN_SAMPLES)["mean"]
        return {"paths_per_second": rate, "mean": sum(mean) / len(mean)}


def measure_mcx(bench: Bench) -> dict:
    """MCX 2025 (Fang and Boas 2009) in the white cube: one voxel of sigma_s 100/mm, light spread over its face, until 10 ns have passed."""
    import numpy as np
    import pmcx
    scene = {"vol": np.ones((1, 1, 1), dtype=np.uint8), "prop": [[0, 0, 1, 1], [0, 100, 0, 1]], "unitinmm": 1.0, "tstart": 0, "tend": 1e-8,
             "tstep": 1e-8, "srctype": "planar", "srcpos": [0, 0, 0], "issrcfrom0": 1, "srcparam1": [1, 0, 0, 0], "srcparam2": [0, 1, 0, 0],
             "srcdir": [0, 0, 1], "issaveref": 0, "isreflect": 0, "autopilot": 1, "seed": 1, "outputtype": "energy"}
    pmcx.run(scene | {"nphoton": 1 << 10})  # its kernel is compiled for the device then, which takes a minute
    photons = 1 << 20
    while True:
        start = time.perf_counter()
        answer = pmcx.run(scene | {"nphoton": photons})
        seconds = time.perf_counter() - start
        if seconds > bench.seconds / 2 or photons >= MOST_PHOTONS:
            return {"paths_per_second": photons / seconds, "mean": 1 - answer["stat"]["energyabs"] / answer["stat"]["energytot"],
                    "version": pmcx.__version__}
        photons *= 4


def measure_peers(bench: Bench, scene: dict) -> dict[str, dict]:
    rates = {"volrender": bench.measure(scene)}
    for variant in VARIANTS[bench.device]:
        try:
            mi, np = gpu_mitsuba.load_mitsuba(variant)
        except ImportError as error:
            print(f"skipped: Mitsuba {variant}: {error}", file=sys.stderr)
            continue
        rates[f"Mitsuba {variant}"] = gpu_mitsuba.measure_variant(mi, np, bench, scene)
    if bench.device == "cuda" and scene["name"] == "cube":
        try:
            rates["MCX"] = measure_mcx(bench)
        except Exception as error:  # not installed, or no kernel for this device
            print(f"skipped: MCX: {error}", file=sys.stderr)
    return rates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--device", action="append", choices=VARIANTS)
    parser.add_argument("--scene", action="append", choices=SCENES)
    arguments = parser.parse_args()
    rows = []
    wanted = arguments.scene or SCENES
    for scene in [scene for scene in json.loads((arguments.scenes / "scenes.json").read_text()) if scene["name"] in wanted]:
        for device in arguments.device or list(VARIANTS):
            rates = measure_peers(Bench(arguments, device), scene)
            for name, rate in rates.items():
                rows.append({"scene": scene["name"], "device": device, "renderer": name} | rate)
    print("| scene | device | renderer | M paths/s | volrender / it | mean |\n|---|---|---|---|---|---|", file=sys.stderr)
    for row in [row for row in rows if "error" not in row]:
        ours = next(r for r in rows if (r["scene"], r["device"], r["renderer"]) == (row["scene"], row["device"], "volrender"))
        print(f"| {row['scene']} | {row['device']} | {row['renderer']} | {row['paths_per_second'] / 1e6:.4g} | "
              f"{ours['paths_per_second'] / row['paths_per_second']:.4g} | {row['mean']:.4f} |", file=sys.stderr)
    print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
