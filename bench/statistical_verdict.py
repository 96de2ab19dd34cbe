#!/usr/bin/env python3
# False-alarm rate and power of volcompare --statistical over real renders, as JSON on stdout.
"""statistical_verdict.py --bin BUILD/bin [--pairs 1000] [--power-edge 256] [--spp 64 250 1000] [--repeats 10] [--only alarms|power] [--scene NAME] > verdicts.json"""

import argparse
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

# Name, extinction, albedo, view and light, edge in pixels, samples per pixel of test and reference.
FACE = ["--ortho", "1mm", "--origin", "0,0,5", "--target", "0,0,0"]
ABOVE = [*FACE, "--env", "1", "--env-below", "0"]
SUN = ["--env", "sun.pfm"]
ALARMS = [
    ("even light, 16 spp", 100, "0.9997,0.999,0.99", FACE, 48, (16, 16)),
    ("lit from above, 16 spp", 100, "0.9,0.6,0.3", ABOVE, 48, (16, 16)),
    ("lit from above, 4 spp", 100, "0.9,0.6,0.3", ABOVE, 48, (4, 4)),
    ("lit from above, 8 against 256 spp", 100, "0.9,0.6,0.3", ABOVE, 32, (8, 256)),
    ("small sun, 8 against 256 spp", 20, "0.9", SUN, 64, (8, 256)),
    ("small sun, 16 against 256 spp", 20, "0.9", SUN, 64, (16, 256)),
    ("small sun, 64 against 256 spp", 20, "0.9", SUN, 64, (64, 256)),
    ("small sun, 256 spp", 20, "0.9", SUN, 64, (256, 256)),
]
LIGHTS = {"even light": FACE, "lit from above": ABOVE}
BIASES = (0.0025, 0.005, 0.01, 0.02, 0.05)
LEVELS = (0.001, 0.01, 0.05)


class Bench:
    def __init__(self, arguments, folder):
        self.bin, self.folder, self.arguments = arguments.bin.resolve(), pathlib.Path(folder), arguments

    def run(self, tool, *words):
        return subprocess.run([self.bin / tool, *map(str, words)], capture_output=True, text=True, cwd=self.folder)

    def make(self, albedo, name, sigma_t=100):
        self.run("volprep", "--make", "cube", "--dims", "8,8,8", "--size", "1mm,1mm,1mm", "--sigma-t", sigma_t, "--albedo", albedo,
                 "-o", name).check_returncode()

    def make_sun(self, name):
        """A sky of 0.05 with a sun of 3 x 3 pixels of 300, of 256 x 128."""
        rows = [[300.0 if 40 <= y < 43 and 100 <= x < 103 else 0.05 for x in range(256) for _ in range(3)] for y in range(128)]
        pixels = b"".join(struct.pack("<768f", *row) for row in reversed(rows))
        (self.folder / name).write_bytes(b"PF\n256 128\n-1.0\n" + pixels)

    def render(self, volume, film, view, edge, spp, seed):
        self.run("volrender", volume, "-o", film, "-q", "--resolution", f"{edge}x{edge}", "--spp", spp, "--seed", seed,
                 *view).check_returncode()

    def compare(self, test, reference):
        return json.loads(self.run("volcompare", test, reference, "--statistical", "--json", "-q").stdout)["statistics"]


def rejects(statistics, alpha):
    """The verdict at another alpha: three kinds of test share it, and the channels share theirs."""
    each = 1 - (1 - alpha) ** (1 / 3)
    channels = statistics["channels"]
    return {"pixels": statistics["largest_z"]["p_corrected"] < each,
            "means": any(c["mean_p"] < each / len(channels) for c in channels),
            "blocks": any(c["blocks_p"] < each / len(channels) for c in channels)}


def measure_alarms(bench):
    rows = []
    bench.make_sun("sun.pfm")
    for name, sigma_t, albedo, view, edge, spp in ALARMS:
        if bench.arguments.scene not in name:
            continue
        bench.make(albedo, "c.vpk", sigma_t)
        counts = {alpha: {"any": 0, "pixels": 0, "means": 0, "blocks": 0} for alpha in LEVELS}
        for pair in range(bench.arguments.pairs):
            for k, film in enumerate(("a.vpf", "b.vpf")):
                bench.render("c.vpk", film, view, edge, spp[k], 2 * pair + k + 1)
            statistics = bench.compare("a.vpf", "b.vpf")
            for alpha in LEVELS:
                verdicts = rejects(statistics, alpha)
                for kind, rejected in verdicts.items():
                    counts[alpha][kind] += rejected
                counts[alpha]["any"] += any(verdicts.values())
        rows.append({"scene": name, "pairs": bench.arguments.pairs, "alarms": counts})
        print(json.dumps(rows[-1]), file=sys.stderr)
    return rows


def measure_power(bench):
    edge, rows = bench.arguments.power_edge, []
    absorption = (3e-4, 1e-3, 1e-2)
    bench.make(",".join(f"{1 - a:.9g}" for a in absorption), "truth.vpk")
    for light_name, light in LIGHTS.items():
        for spp in bench.arguments.spp:
            caught = {bias: [] for bias in BIASES}
            for repeat in range(bench.arguments.repeats):
                bench.render("truth.vpk", "truth.vpf", light, edge, spp, 2 * repeat + 1)
                for bias in BIASES:
                    bench.make(",".join(f"{1 - a * (1 + bias):.9g}" for a in absorption), "biased.vpk")
                    bench.render("biased.vpk", "biased.vpf", light, edge, spp, 2 * repeat + 2)
                    caught[bias].append(bench.compare("biased.vpf", "truth.vpf"))
            for bias, found in caught.items():
                rows.append({"light": light_name, "spp": spp, "bias": bias, "pairs": len(found),
                             "caught": sum(not f["same_expectation"] for f in found),
                             "caught_by": {k: sum(rejects(f, 0.001)[k] for f in found) for k in ("pixels", "means", "blocks")},
                             "z_of_means": [round(c["z"], 1) for c in found[0]["channels"]]})
                print(json.dumps(rows[-1]), file=sys.stderr)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--scene", default="", help="with --only alarms: only scenes whose name contains this")
    parser.add_argument("--power-edge", type=int, default=256)
    parser.add_argument("--spp", type=int, nargs="+", default=[64, 250, 1000])
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--only", choices=("alarms", "power"))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments, folder)
        result = {}
        if arguments.only != "power":
            result["alarms"] = measure_alarms(bench)
        if arguments.only != "alarms":
            result["power"] = measure_power(bench)
    print(json.dumps(result, indent=2))


main()
