#!/usr/bin/env python3
# Measures path tracing, particles, bidirectional paths and Metropolis sampling in scenes like van Antwerpen's, and writes a report beside his tables.
"""van_antwerpen.py --bin BUILD/bin --out OUT [--scenes FOLDER] [--device cpu|cuda|both] [--kernels a,b] [--scene NAME]... [--seconds 2] [--trials 3] [--seeds 4]
    [--quick] [--only-agreement] [--time-limit S] [--report REPORT.md]
van_antwerpen.py --merge OUT/measured.json OTHER/measured.json --report docs/reports/van-antwerpen.md

Packs the scenes of van_antwerpen_scenes.py into OUT/scenes; with --scenes, such a folder is used as it is, and volprep is not needed. For each scene and integrator
(path, light, bdpt, mlt) it measures rates and efficiencies, on the CPU and with every GPU kernel that is given; what volrender refuses is "not available" in the
report, with its message. Then noise, on each device with the kernel that --kernel auto takes: --seeds films of --seconds / 4, --seconds and 4 --seconds each,
against a reference of another seed, by the integrator with the least noise, as long as all films of the longest time together. The figure is variance times time:

  predicted   mean over pixels and bands of the squared standard error that the film states, times the seconds of transport, over the squared mean of the picture
  measured    the same with the variance among the films
  median      the same with the median over pixels of the squared difference to the reference, which rare bright samples do not move

All are in seconds: after so many, the noise is as large as the picture is bright. volcompare --statistical compares the integrators pair by
pair, by films of a quarter of the width and height.
Every measurement is stored in OUT/measured.json at once: the same command goes on after --time-limit. --merge writes one report from the files of several
machines; of what two files measured on the same device, the last counts. Needs Python's standard library alone. Exit status 1: films of two integrators differ."""

import argparse
import itertools
import json
import pathlib
import statistics
import subprocess
import sys

import film_noise
import gpu_report
import measurements
import van_antwerpen_tables
from van_antwerpen_published import EMITTER_RUNS
from van_antwerpen_scenes import SCENES, pack_scenes

INTEGRATORS = ("path", "light", "bdpt", "mlt")
FRACTIONS = (0.25, 1.0, 4.0)
LEAST_SAMPLES = 4
COARSE = 4
REFERENCE_SEED = 2
AGREEMENT_SEEDS, T_LIMIT = 8, 5.41
OTHER_KERNELS = ["stream_sk", "regen_pool"]


class Bench(gpu_report.Bench):
    """Measures one integrator of a scene: scene["integrator"]."""

    def __init__(self, arguments: argparse.Namespace):
        super().__init__(arguments)
        self.films = arguments.out / "films"
        self.films.mkdir(parents=True, exist_ok=True)
        self.seeds = arguments.seeds
        self.judges, self.measures_noise = not arguments.quick, not arguments.only_agreement

    def name_build(self) -> str:
        version = subprocess.run([self.program, "--version"], check=True, capture_output=True, text=True).stdout.strip()
        return f"{version}, --trials {self.trials} --seconds {self.seconds:g}"

    def render_film(self, scene: dict, device: str, samples: int, seed: int, film: pathlib.Path) -> dict:
        words = [self.program, self.folder / scene["volume"], *scene["view"], "--spp", str(samples), "--device", device, "--seed", str(seed),
                 "-o", film, "--reproducible", "--json", "-q"]
        return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)

    def take(self, scene: dict, device: str, run: str, kind: str, measure) -> dict:
        """Stored with what it belongs to; the name of the device is its hardware."""
        where = {"scene": scene["name"], "integrator": scene["integrator"], "device": device, "run": run, "kind": kind}

        def complete() -> dict:
            answer = measure()
            return answer | ({"hardware": answer["device"]} if "device" in answer else {}) | where

        answer = self.store.take(": ".join(where.values()), complete)
        print(f"{scene['name']:11}{scene['integrator']:16}{device:5}{run:24}{kind:14}{tell(answer)}", file=sys.stderr)
        return answer


def tell(answer: dict) -> str:
    if "error" in answer:
        return f"not available: {answer['error']}"
    if "paths_per_second" in answer:
        return f"{answer['paths_per_second'] / 1e6:.4g} M samples/s, {answer['extensions_per_second'] / 1e6:.4g} M extensions/s"
    if "measured_s" in answer:
        return f"variance x time {answer['measured_s']:.4g} s, predicted {answer['predicted_s']:.4g} s, median {answer['median_s']:.4g} s"
    if "verdict" in answer:
        return " ".join([answer["verdict"], *answer["reasons"]])
    return f"mean {answer['mean']:.5g}, standard error of a pixel {answer['variance'] ** 0.5:.3g}"


def measure_rates(bench: Bench, scenes: dict[str, dict], device: str, runs: list[str]) -> dict[str, float]:
    """Of a scene by integrator; the answer is samples per pixel and second of those that are available, with `auto`."""
    available = {}
    for integrator, scene in scenes.items():
        for run in runs:
            answer = bench.take(scene, device, run, "rate", lambda run=run, scene=scene: bench.measure(scene, run, device))
            if run == "auto" and "error" not in answer:
                available[integrator] = answer["samples_per_pixel"] / max(answer["seconds"]["median"], 1e-6)
    return available


def name_film(bench: Bench, scene: dict, device: str, fraction: float, seed: int) -> pathlib.Path:
    return bench.films / f"{scene['name']}_{scene['integrator']}_{device}_{fraction:g}_{seed}.vpf"


def measure_reference(bench: Bench, scenes: dict[str, dict], device: str, speeds: dict[str, float], film: pathlib.Path) -> dict:
    """By the integrator that has the least variance times time in a trial of LEAST_SAMPLES samples or --seconds."""
    costs = {}
    for integrator, speed in speeds.items():
        answer = bench.render_film(scenes[integrator], device, max(LEAST_SAMPLES, round(speed * bench.seconds)), 1, film)
        costs[integrator] = film_noise.read_film(film).variance() * answer["seconds_render"]
    best = min((integrator for integrator in costs if integrator != "mlt"), key=costs.get)
    samples = max(LEAST_SAMPLES, round(speeds[best] * bench.seconds * max(FRACTIONS) * bench.seeds))
    answer = bench.render_film(scenes[best], device, samples, REFERENCE_SEED, film)
    read = film_noise.read_film(film)
    if read.mean() == 0:
        sys.exit(f"van_antwerpen: {film} is black")
    return {"by": best, "samples_per_pixel": samples, "mean": read.mean(), "variance": read.variance(), "seconds_render": answer["seconds_render"]}


def measure_noise(bench: Bench, scene: dict, device: str, speed: float, fraction: float, reference: film_noise.Film) -> dict:
    samples = max(LEAST_SAMPLES, round(speed * bench.seconds * fraction))
    answers, films = [], []
    for i in range(bench.seeds):
        film = name_film(bench, scene, device, fraction, i)
        answers.append(bench.render_film(scene, device, samples, 1000 * (1 + INTEGRATORS.index(scene["integrator"])) + i, film))
        films.append(film_noise.read_film(film))
    seconds = statistics.fmean(answer["seconds_render"] for answer in answers)
    errors = film_noise.measure_errors(films, reference)
    scale = seconds / reference.mean() ** 2
    return {"samples_per_pixel": samples, "seconds": seconds, "means": [film.mean() for film in films],
            "predicted_s": statistics.fmean(film.variance() for film in films) * scale, "measured_s": errors["variance"] * scale,
            "measured_error_s": errors["standard_error"] and errors["standard_error"] * scale, "median_s": errors["median_squared_error"] * scale}


def coarsen(scene: dict) -> dict:
    """The scene in a quarter of the width and height: where a pixel has few particles, or paths that find a lamp by chance, its noise is underestimated."""
    view = scene["view"].copy()
    place = view.index("--resolution") + 1
    view[place] = "x".join(str(int(edge) // COARSE) for edge in view[place].split("x"))
    return scene | {"view": view}


def compare_means(bench: Bench, scenes: list[dict], device: str, speeds: list[float]) -> dict:
    """Student's t (Welch) on the means of AGREEMENT_SEEDS films of each of two integrators, by band. T_LIMIT: at a level of 0.001, for as few degrees of freedom as
    one of the two has."""
    means = []
    for scene, speed in zip(scenes, speeds):
        samples = max(LEAST_SAMPLES, round(speed * bench.seconds * max(FRACTIONS) * COARSE**2 / AGREEMENT_SEEDS))
        film = bench.films / f"{scene['name']}_{scene['integrator']}_{device}_means.vpf"
        by_seed = []
        for seed in range(AGREEMENT_SEEDS):
            bench.render_film(coarsen(scene), device, samples, 600 + AGREEMENT_SEEDS * INTEGRATORS.index(scene["integrator"]) + seed, film)
            by_seed.append(film_noise.read_film(film).band_means())
        means.append(list(zip(*by_seed)))
    z, differences, reasons = [], [], []
    for band, (one, other) in enumerate(zip(*means)):
        difference = statistics.fmean(one) - statistics.fmean(other)
        error = ((statistics.variance(one) + statistics.variance(other)) / AGREEMENT_SEEDS) ** 0.5
        z.append(difference / error if error > 0 else 0.0)
        differences.append(difference / max(abs(statistics.fmean(other)), 1e-300))
        if abs(z[-1]) > T_LIMIT:
            reasons.append(f"the means of band {band} differ by {abs(z[-1]):.1f} standard errors")
    return {"verdict": "fail" if reasons else "pass", "reasons": reasons, "z_of_means": z, "relative_differences": differences}


def measure_agreement(bench: Bench, scenes: list[dict], device: str, speeds: list[float]) -> dict:
    """volcompare's verdict on a film of each of two integrators; of mlt, whose pixels are not independent of each other, that on the means of films."""
    if any(scene["integrator"] == "mlt" for scene in scenes):
        return compare_means(bench, scenes, device, speeds)
    program = bench.program.with_name("volcompare")
    films = [bench.films / f"{scene['name']}_{scene['integrator']}_{device}_coarse.vpf" for scene in scenes]
    for scene, speed, film in zip(scenes, speeds, films):
        samples = max(LEAST_SAMPLES, round(speed * bench.seconds * max(FRACTIONS) * COARSE**2))
        bench.render_film(coarsen(scene), device, samples, 500 + INTEGRATORS.index(scene["integrator"]), film)
    answer = subprocess.run([program, *films, "--statistical", "--json"], capture_output=True, text=True)
    if answer.returncode not in (0, 1):
        return {"error": answer.stderr.strip()}
    verdict = json.loads(answer.stdout)
    return {"verdict": verdict["verdict"], "reasons": verdict["reasons"], "z_of_means": [channel["z"] for channel in verdict["statistics"]["channels"]],
            "relative_differences": [channel["relative_difference"] for channel in verdict["statistics"]["channels"]]}


def measure_scene(bench: Bench, scene: dict, device: str, runs: list[str]) -> None:
    scenes = {integrator: scene | {"integrator": integrator, "view": [*scene["view"], "--integrator", integrator]} for integrator in INTEGRATORS}
    speeds = measure_rates(bench, scenes, device, runs)
    if not speeds:
        return
    if bench.measures_noise:
        measure_scene_noise(bench, scene, scenes, device, speeds)
    # Films of a hundredth of a second have too few contributions to be judged.
    if bench.judges and bench.program.with_name("volcompare").exists():
        for one, other in itertools.combinations(speeds, 2):
            bench.take(scene | {"integrator": f"{one} and {other}"}, device, "auto", "agreement",
                       lambda one=one, other=other: measure_agreement(bench, [scenes[one], scenes[other]], device, [speeds[one], speeds[other]]))


def measure_scene_noise(bench: Bench, scene: dict, scenes: dict[str, dict], device: str, speeds: dict[str, float]) -> None:
    film = bench.films / f"{scene['name']}_{device}_reference.vpf"
    taken = bench.take(scene | {"integrator": "all"}, device, "auto", "reference", lambda: measure_reference(bench, scenes, device, speeds, film))
    if not film.exists():  # a run before this one measured it elsewhere
        bench.render_film(scenes[taken["by"]], device, taken["samples_per_pixel"], REFERENCE_SEED, film)
    reference = film_noise.read_film(film)
    for integrator, speed in speeds.items():
        for fraction in FRACTIONS:
            bench.take(scenes[integrator], device, "auto", f"noise x{fraction:g}",
                       lambda fraction=fraction, integrator=integrator, speed=speed: measure_noise(bench, scenes[integrator], device, speed, fraction, reference))


def measure(arguments: argparse.Namespace) -> pathlib.Path:
    """The file of measurements."""
    arguments.scenes_folder = arguments.scenes or arguments.out / "scenes"
    if not (arguments.scenes_folder / "scenes.json").exists():
        pack_scenes(arguments.bin.resolve(), arguments.scenes_folder.resolve())
    bench = Bench(arguments)
    scenes = [scene for scene in json.loads((arguments.scenes_folder / "scenes.json").read_text()) if not arguments.scene or scene["name"] in arguments.scene]
    kernels = arguments.kernels.split(",") if arguments.kernels else [run for _, run in EMITTER_RUNS] + OTHER_KERNELS
    try:
        for scene, device in itertools.product(scenes, ("cpu", "cuda") if arguments.device == "both" else (arguments.device,)):
            measure_scene(bench, scene, device, ["auto"] if device == "cpu" else ["auto", *kernels])
    except measurements.OutOfTime:
        print(f"van_antwerpen: the time limit came after {len(bench.store.values)} measurements; the same command goes on", file=sys.stderr)
    return bench.store.path


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, help="folder of the tools")
    parser.add_argument("--out", type=pathlib.Path, help="folder of scenes, films and measured.json")
    parser.add_argument("--scenes", type=pathlib.Path, help="folder that van_antwerpen_scenes.py wrote")
    parser.add_argument("--scene", action="append", choices=[scene.name for scene in SCENES])
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda", "both"))
    parser.add_argument("--kernels", help="of the GPU beside auto, separated by commas, with their knobs (default: those of his methods)")
    parser.add_argument("--seconds", type=float, default=2.0, help="of a trial, and of the middle one of the three times of films")
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=4, help="films of each integrator and time, at least 2")
    parser.add_argument("--quick", action="store_true", help="a hundredth of a second, two seeds, one trial: whether everything runs; films are not judged")
    parser.add_argument("--only-agreement", action="store_true", help="rates, and whether the integrators agree")
    parser.add_argument("--time-limit", type=float, metavar="S", help="seconds after which no further measurement starts")
    parser.add_argument("--merge", type=pathlib.Path, nargs="+", metavar="MEASURED", help="measured.json of several machines: write the report only")
    parser.add_argument("--report", type=pathlib.Path, help="the report, Markdown, with its charts and its numbers (.json) beside it (default OUT/report.md)")
    arguments = parser.parse_args()
    if arguments.merge is None and (arguments.bin is None or arguments.out is None):
        parser.error("--bin and --out are needed, or --merge")
    if arguments.merge and arguments.report is None:
        parser.error("--merge needs --report")
    if arguments.quick:
        arguments.seconds, arguments.trials, arguments.seeds = 0.01, 1, 2
    return arguments


def main() -> int:
    arguments = parse_arguments()
    files = arguments.merge
    if files is None:
        arguments.out.mkdir(parents=True, exist_ok=True)
        try:
            files = [measure(arguments)]
        except ValueError as error:
            sys.exit(f"van_antwerpen: {error}")
    measured = [json.loads(file.read_text()) for file in files]
    van_antwerpen_tables.write_report(arguments.report or arguments.out / "report.md", measured)
    differing = [f"{record['scene']}: {record['integrator']}" for record in van_antwerpen_tables.Records(measured).all.values() if record.get("verdict") == "fail"]
    for words in differing:
        print(f"van_antwerpen: films differ: {words}", file=sys.stderr)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
