#!/usr/bin/env python3
# How often volcompare --statistical is right about films of particles, and how often the interval of a film's mean holds.
"""particle_verdicts.py --bin BUILD/bin --out FOLDER [--only alarms power intervals] [--pairs 200] [--shifted 100] [--seeds 200] [--jobs N]
    [--scene NAME..] [--against INTEGRATOR..] [--device cpu|cuda] [--time-limit S]

alarms: films of path against films of light, bdpt and mlt, and of path itself, of the same scene and other seeds: verdicts at alpha .01.
power: pairs of films of path; one block of 8 x 8 pixels of the test is shifted by 6 standard errors of its difference.
intervals: in how many of the seeds the 95 % interval of the film's mean holds the true mean, for four integrators and three scenes. The truth is the mean of all films
of a scene, each integrator weighted by its spread. Chains: Student's t for their passes.

FOLDER/verdicts.json has the numbers, stdout the tables. Films are removed once they are judged. With a time limit, what is done until then is told. Standard library
alone; volprep is needed only if FOLDER lacks the volumes."""

import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import statistics
import struct
import subprocess
import sys
import time

import film_noise

INTEGRATORS = ("path", "light", "bdpt", "mlt")
VIEW = ["--boundary", "none", "--env", "0", "--origin", "0,0,6", "--target", "0,0,0", "--up", "0,1,0", "--fov", "16"]
# Name: arguments of volprep, light.
SCENES = {
    "cube": ("--make cube --dims 16,16,16 --size 1mm --sigma-t 8 --albedo .95", "sphere center=1.5,1.2,2 radius=0.3 power=10"),
    "fog": ("--make noise --dims 16,16,16 --size 1mm --sigma-t 4 --albedo .9 --g 0.6", "spot origin=2,-1,2 direction=-2,1,-2 angle=20 inner=15 power=3"),
    "thin": ("--make cube --dims 16,16,16 --size 1mm --sigma-t 1 --albedo .8 --g -0.3", "area origin=-1.5,1.5,1.5 direction=1,-1,-1 radius=0.5 power=5"),
}
# Samples (passes of mlt) of pairs of 48 x 48 pixels, and of films of 16 x 16 whose means are judged.
PAIR_SAMPLES = {"path": 256, "light": 256, "bdpt": 256, "mlt": 64}
MEAN_SAMPLES = {"path": 64, "light": 256, "bdpt": 64, "mlt": 16}
NORMAL_95 = 1.959964
STUDENT_95 = {15: 2.131450, 31: 2.039513, 63: 1.998341}  # by degrees of freedom


class Bench:
    def __init__(self, arguments):
        self.bin, self.out, self.device = arguments.bin.resolve(), arguments.out.resolve(), arguments.device
        self.end = time.monotonic() + arguments.time_limit if arguments.time_limit else math.inf
        self.out.mkdir(parents=True, exist_ok=True)
        self.pool = concurrent.futures.ThreadPoolExecutor(arguments.jobs)
        for scene, (volume, _) in SCENES.items():
            if not (self.out / f"{scene}.vpk").exists():
                self.run("volprep", *volume.split(), "-o", f"{scene}.vpk", "-q")

    def run(self, tool, *words, statuses=(0,)):
        answer = subprocess.run([self.bin / tool, *map(str, words)], capture_output=True, text=True, cwd=self.out)
        if answer.returncode not in statuses:
            raise RuntimeError(f"{tool} {' '.join(map(str, words))}: {answer.stderr}")
        return json.loads(answer.stdout) if "--json" in words else {}

    def render(self, scene, integrator, edge, samples, seed, film):
        return self.run("volrender", f"{scene}.vpk", *VIEW, "--light", SCENES[scene][1], "--resolution", f"{edge}x{edge}", "--spp", samples, "--seed", seed,
                        "--integrator", integrator, "--device", self.device, "-j", 1, "--json", "-q", "-o", film)

    def compare(self, test, reference, alpha=0.01):
        return self.run("volcompare", test, reference, "--statistical", "--alpha", alpha, "--json", "-q", "-j", 1, statuses=(0, 1))

    def remove(self, *films):
        for film in films:
            (self.out / film).unlink(missing_ok=True)

    def collect(self, work, count):
        """Of work(0), work(1), ..: those that began before the time limit."""
        answers = self.pool.map(lambda i: work(i) if time.monotonic() < self.end else None, range(count))
        return [answer for answer in answers if answer is not None]


def measure_alarms(bench, pairs, scenes, integrators):
    rows = []
    for scene in scenes:
        for integrator in integrators:
            number = INTEGRATORS.index(integrator)

            def judge(i):
                one, other = f"{scene}_{integrator}_{i}_path.vpf", f"{scene}_{integrator}_{i}.vpf"
                bench.render(scene, "path", 48, PAIR_SAMPLES["path"], 10000 * number + 2 * i + 1, one)
                bench.render(scene, integrator, 48, PAIR_SAMPLES[integrator], 10000 * number + 2 * i + 2, other)
                verdict = bench.compare(one, other)
                bench.remove(one, other)
                return verdict
            verdicts = bench.collect(judge, pairs)
            if not verdicts:
                continue
            row = {"scene": scene, "against": integrator, "pairs": len(verdicts), "samples": PAIR_SAMPLES[integrator]}
            row |= {word: sum(verdict["verdict"] == word for verdict in verdicts) for word in ("pass", "fail", "undecided")}
            statistics_of = [verdict["statistics"] for verdict in verdicts]
            row["judged_light"] = statistics.fmean(s["judged_light"] for s in statistics_of)
            row["values_tested"] = statistics.fmean(s["values_tested"] for s in statistics_of)
            row["reasons"] = [reason for verdict in verdicts if verdict["verdict"] == "fail" for reason in verdict["reasons"]]
            rows.append(row)
            print(f"{scene:6} path against {integrator:6} {row['pairs']:4} pairs: {row['fail']} fail, {row['undecided']} undecided, "
                  f"{row['values_tested']:.0f} values", flush=True)
    return rows


def write_exr(path, edge, channels):
    """Single-precision channels by name, without compression, each row by row from the top."""
    names = sorted(channels)
    attribute = lambda name, kind, value: name.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<i", len(value)) + value
    window = struct.pack("<4i", 0, 0, edge - 1, edge - 1)
    listed = b"".join(name.encode() + b"\0" + struct.pack("<iB3xii", 2, 0, 1, 1) for name in names) + b"\0"
    head = struct.pack("<ii", 20000630, 2) + attribute("channels", "chlist", listed) + attribute("compression", "compression", b"\0")
    head += attribute("dataWindow", "box2i", window) + attribute("displayWindow", "box2i", window) + attribute("lineOrder", "lineOrder", b"\0")
    head += attribute("pixelAspectRatio", "float", struct.pack("<f", 1)) + attribute("screenWindowCenter", "v2f", struct.pack("<2f", 0, 0))
    head += attribute("screenWindowWidth", "float", struct.pack("<f", 1)) + b"\0"
    row_bytes = 4 * edge * len(names)
    first = len(head) + 8 * edge
    rows = [struct.pack("<ii", y, row_bytes) + b"".join(struct.pack(f"<{edge}f", *channels[name][y * edge : (y + 1) * edge]) for name in names) for y in range(edge)]
    path.write_bytes(head + struct.pack(f"<{edge}Q", *(first + y * (8 + row_bytes) for y in range(edge))) + b"".join(rows))


def measure_power(bench, pairs):
    edge, samples = 48, 64

    def judge(i):
        films = [f"power_{i}_{side}.vpf" for side in range(2)]
        for side, film in enumerate(films):
            bench.render("cube", "path", edge, samples, 100000 + 2 * i + side, film)
        test, reference = (film_noise.read_film(bench.out / film) for film in films)
        column, row = 8 * (2 + i % 2), 8 * (2 + i // 2 % 2)  # of the middle, where the cube is
        block = [y * edge + x for y in range(row, row + 8) for x in range(column, column + 8)]
        shift = 6 * math.sqrt(sum(side.variances[p] for side in (test, reference) for p in block))
        values = list(test.values)
        for pixel in block:
            values[pixel] += shift / len(block)
        write_exr(bench.out / f"power_{i}.exr", edge,
                  {"Y": values, "standard_error.Y": [math.sqrt(v) for v in test.variances], "sample_count": [float(samples)] * len(values)})
        verdict = bench.compare(f"power_{i}.exr", films[1])
        bench.remove(*films, f"power_{i}.exr")
        found = verdict["statistics"]["channels"][0]
        return {"verdict": verdict["verdict"], "relative_shift": shift / sum(reference.values[p] for p in block), "block_shift": found["block_shift"],
                "samples_for_2_percent": samples * (found["block_shift"] / 0.02) ** 2}

    found = bench.collect(judge, pairs)
    if not found:
        return {}
    result = {"pairs": len(found), "found": sum(answer["verdict"] == "fail" for answer in found), "samples": samples,
              **{key: statistics.fmean(answer[key] for answer in found) for key in ("relative_shift", "block_shift", "samples_for_2_percent")}}
    print(f"6 standard errors of a block of 8 x 8 ({100 * result['relative_shift']:.2g} %): found in {result['found']} of {result['pairs']} pairs; "
          f"2 % needs {result['samples_for_2_percent']:.0f} samples", flush=True)
    return result


def measure_intervals(bench, seeds):
    rows = []
    for scene in SCENES:
        means = {}
        for integrator in INTEGRATORS:
            def measure(i):
                film = f"mean_{scene}_{integrator}_{i}.vpf"
                answer = bench.render(scene, integrator, 16, MEAN_SAMPLES[integrator], 200000 + 1000 * INTEGRATORS.index(integrator) + i, film)
                bench.remove(film)
                return answer["mean"][0], answer["standard_error"][0]
            if answers := bench.collect(measure, seeds):
                means[integrator] = answers
        weights = {kind: len(found) / statistics.variance(m for m, _ in found) for kind, found in means.items() if len(found) > 1}
        truth = sum(weights[kind] * statistics.fmean(m for m, _ in means[kind]) for kind in weights) / sum(weights.values()) if weights else 0
        for kind in weights:
            spread, errors = statistics.stdev(m for m, _ in means[kind]), [e for _, e in means[kind]]
            factor = STUDENT_95[MEAN_SAMPLES["mlt"] - 1] if kind == "mlt" else NORMAL_95
            rows.append({"scene": scene, "integrator": kind, "samples": MEAN_SAMPLES[kind], "seeds": len(errors),
                         "hold": sum(abs(m - truth) <= factor * e for m, e in means[kind]),
                         "ratio": spread / math.sqrt(statistics.fmean(e * e for e in errors)),
                         "z": (statistics.fmean(m for m, _ in means[kind]) - truth) / (spread / math.sqrt(len(errors)))})
            print("{scene:6} {integrator:6} {samples:4} samples: holds in {hold} of {seeds}, spread over standard error {ratio:.3f}, z {z:+.1f}".format(**rows[-1]), flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of volprep, volrender and volcompare")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder of films and verdicts.json")
    parser.add_argument("--only", nargs="+", choices=("alarms", "power", "intervals"), default=["alarms", "power", "intervals"])
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--shifted", type=int, default=100, help="pairs with a shifted block")
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--scene", nargs="+", choices=SCENES, default=list(SCENES), help="of alarms")
    parser.add_argument("--against", nargs="+", choices=INTEGRATORS, default=INTEGRATORS, help="integrators whose films alarms compares with those of path")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="renders at a time, each on one thread")
    parser.add_argument("--device", default="cpu", help="of renders, as volrender's")
    parser.add_argument("--time-limit", type=float, metavar="S", help="seconds after which no further render starts")
    arguments = parser.parse_args()
    bench, result = Bench(arguments), {}
    if "power" in arguments.only:
        result["power"] = measure_power(bench, arguments.shifted)
    if "intervals" in arguments.only:
        result["intervals"] = measure_intervals(bench, arguments.seeds)
    if "alarms" in arguments.only:
        result["alarms"] = measure_alarms(bench, arguments.pairs, arguments.scene, arguments.against)
    (arguments.out / "verdicts.json").write_text(json.dumps(result, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
