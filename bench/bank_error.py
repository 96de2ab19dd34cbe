#!/usr/bin/env python3
# Reflectance of slabs of ink with long steps, and the error of one bank, from the spread over seeds and from one film, as JSON on stdout.
"""bank_error.py --bin BUILD/bin [--inks W M Y] [--seeds 24] [--edge 256] [--device cpu] > banks.json

film_mean and film_standard_error are those of one film of as many banks as there are seeds."""

import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

BANK_SAMPLES = 64
KEYS = ("mean", "standard_error", "bank_error")


def render(arguments, volume, seed, banks):
    answer = subprocess.run(
        [arguments.bin / "volrender", volume, "--probe", "top", "--sides", "periodic", "--boundary", "smooth", "--int-ior", "1.5", "--resolution",
         f"{arguments.edge}x{arguments.edge}", "--spp", str(BANK_SAMPLES * banks), "--seed", str(seed), "--long-steps", "on", "--device", arguments.device,
         "--json", "-q", "-o", str(pathlib.Path(volume).with_suffix(".vpf"))],
        capture_output=True, text=True, check=True)
    film = json.loads(answer.stdout)
    return list(zip(*(film[key] for key in KEYS)))


def measure(arguments, ink, folder):
    volume = str(pathlib.Path(folder) / f"{ink}.vpk")
    subprocess.run([arguments.bin / "volprep", "--make", "slab", "--size", "10mm,10mm,10mm", "--materials", "elek2017", "--material", ink, "-o",
                    volume, "-q"], check=True, capture_output=True)
    seeds = [render(arguments, volume, seed, 1) for seed in range(1, arguments.seeds + 1)]
    film = render(arguments, volume, 1000, arguments.seeds)
    for band, name in enumerate("rgb"):
        means = [seed[band][0] for seed in seeds]
        mean = statistics.fmean(means)
        # A film of one bank takes the prior for the bank's part: what is left is the paths' noise.
        noise = statistics.fmean(error**2 - (bank * value) ** 2 for value, error, bank in (seed[band] for seed in seeds)) / mean**2
        spread = statistics.variance(means) / mean**2
        uncertainty = spread * math.sqrt(2 / (len(means) - 1))
        yield {"ink": ink, "band": name, "mean": mean, "path_noise": math.sqrt(noise), "spread_over_seeds": math.sqrt(spread),
               "bank_variance_over_seeds": spread - noise, "its_standard_error": uncertainty,
               "film_mean": film[band][0], "film_standard_error": film[band][1],
               "bank_error_over_seeds": math.sqrt(max(spread - noise, 0)),
               "bank_error_within_a_film": film[band][2] * math.sqrt(arguments.seeds)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--inks", nargs="+", default=["W", "M", "Y"])
    parser.add_argument("--seeds", type=int, default=24)
    parser.add_argument("--edge", type=int, default=256)
    parser.add_argument("--device", default="cpu")
    arguments = parser.parse_args()
    arguments.bin = arguments.bin.resolve()
    with tempfile.TemporaryDirectory() as folder:
        results = []
        for ink in arguments.inks:
            for result in measure(arguments, ink, folder):
                print(result, file=sys.stderr)
                results.append(result)
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
