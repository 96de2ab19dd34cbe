#!/usr/bin/env python3
# Measures every GPU kernel on the packed bench scenes and writes report.json, report.md and plots of Forti's tables.
"""gpu_report.py --bin BUILD/bin --scenes-folder FOLDER --out OUT [--kernels a,b] [--scenes a,b] [--trials 5] [--seconds 1] [--time-limit S]
    [--compare RATES]

FOLDER is what gpu_scenes.py wrote. A trial is sized by short probes to take about --seconds; rates are of the median trial, by the
device's clock. A first probe of 2 samples per pixel is the same for all kernels and the CPU: their films must be equal. The best kernel of
each scene then runs 1000 samples per pixel. --device cpu tries the script on the CPU's kernels.

Every measurement is stored in OUT/measured.json at once. With --time-limit, the script ends with status 1 before the first measurement
that would start after S seconds; the same command goes on from there. OUT/rates.json has the rates alone; --compare RATES, such a file of an
earlier run on the same device, lists those that changed by more than 3 %.
"""

import argparse
import json
import pathlib
import subprocess
import sys

import gpu_mitsuba
import gpu_tables
import measurements
from gpu_thesis import TABLES, TILED_SECONDS, TILED_VIEW, TILINGS
from van_antwerpen_published import PATH_RUNS

PROBE_SAMPLES = 2
MOST_SAMPLES = 1 << 20
FINAL_SAMPLES = 1000
LONGEST_FINAL_S = 20.0
NOTABLE_CHANGE = 0.03


class Bench:
    def __init__(self, arguments: argparse.Namespace):
        self.program = arguments.bin.resolve() / "volrender"
        self.folder = arguments.scenes_folder.resolve()
        self.device, self.trials, self.seconds = arguments.device, arguments.trials, arguments.seconds
        self.store = measurements.Measurements(arguments.out / "measured.json", self.name_build(), arguments.time_limit)

    def name_build(self) -> str:
        version = subprocess.run([self.program, "--version"], check=True, capture_output=True, text=True).stdout.strip()
        return f"{version}, --device {self.device} --trials {self.trials} --seconds {self.seconds:g}"

    def list_kernels(self) -> list[str]:
        answer = json.loads(subprocess.run([self.program, "--list-kernels", "--json"], check=True, capture_output=True).stdout)
        return [kernel["kernel"] for kernel in answer if kernel["device"] == self.device]

    def render(self, scene: dict, run: str, samples: int, trials: int, more: list[str] | None = None, device: str | None = None) -> dict:
        """What --trials prints; {"error": ..} if volrender fails."""
        command = [self.program, self.folder / scene["volume"], *scene["view"], "--spp", str(samples), "--device", device or self.device,
                   "--kernel", *run.split(), "--trials", str(trials), "--json", "-q", *(more or [])]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        except subprocess.TimeoutExpired:
            return {"error": "took more than 600 s"}
        if done.returncode != 0:
            return {"error": (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]}
        return json.loads(done.stdout)

    def measure(self, scene: dict, run: str, device: str | None = None) -> dict:
        """Probes, then the trials."""
        answer = self.render(scene, run, PROBE_SAMPLES, 1, device=device)
        if "error" in answer:
            return answer
        probe_hash, samples = answer["film_hash"], PROBE_SAMPLES
        for _ in range(3):
            seconds = max(answer["seconds"]["median"], 1e-6)
            if seconds >= self.seconds / 8:
                break
            samples = min(MOST_SAMPLES, max(2 * samples, int(samples * self.seconds / 4 / seconds)))
            answer = self.render(scene, run, samples, 1, device=device)
            if "error" in answer:
                return answer
        seconds = max(answer["seconds"]["median"], 1e-6)
        samples = min(MOST_SAMPLES, max(1, round(samples * self.seconds / seconds)))
        answer = self.render(scene, run, samples, self.trials, device=device)
        return answer | {"samples_per_pixel": samples, "probe_film_hash": probe_hash}


def list_runs(kernels: list[str], scene: dict) -> list[str]:
    """Every kernel as it is, and the shapes that a table wants of this scene."""
    runs = list(kernels)
    wanted = [run for _, run in PATH_RUNS]
    for table in TABLES:
        wanted += [row.run for row in table.rows if {scene["name"], scene["stands_for"]} & row.published.keys()]
    for run in wanted:
        if run not in runs and run.split()[0] in kernels:
            runs.append(run)
    return runs


def tell(scene: str, run: str, answer: dict) -> None:
    if "error" in answer:
        print(f"{scene:10} {run:30} FAILED: {answer['error']}", file=sys.stderr)
        return
    print(f"{scene:10} {run:30} {answer['extensions_per_second'] / 1e9:9.3f} G ext/s {answer['paths_per_second'] / 1e6:10.2f} M paths/s "
          f"{answer['tentative_collisions_per_second'] / 1e9:9.3f} G tentative/s  {answer['seconds']['median']:7.3f} s", file=sys.stderr)


def measure_scene(bench: Bench, scene: dict, kernels: list[str]) -> dict:
    runs = {}
    for run in list_runs(kernels, scene):
        runs[run] = bench.store.take(f"{scene['name']}: {run}", lambda run=run: bench.measure(scene, run))
        tell(scene["name"], run, runs[run])
    cpu = bench.store.take(f"{scene['name']}: on the CPU", lambda: bench.measure(scene, "auto", "cpu"))
    tell(scene["name"], "the CPU", cpu)
    good = {run: answer for run, answer in runs.items() if "error" not in answer}
    hashes = {answer["probe_film_hash"] for answer in [*good.values(), cpu] if "error" not in answer}
    result = scene | {"runs": runs, "cpu": cpu, "films_equal": len(hashes) == 1 and len(good) == len(runs)}
    if good:
        best = max(good, key=lambda run: good[run]["paths_per_second"])
        result["best"] = best
        if good[best]["seconds"]["median"] * FINAL_SAMPLES / good[best]["samples_per_pixel"] <= LONGEST_FINAL_S:
            result["final"] = bench.store.take(f"{scene['name']}: {FINAL_SAMPLES} spp",
                                               lambda: bench.render(scene, best, FINAL_SAMPLES, bench.trials))
            tell(scene["name"], f"{best}, {FINAL_SAMPLES} spp", result["final"])
    return result


def measure_tilings(bench: Bench, scene: dict, kernels: list[str]) -> dict[str, list[dict]]:
    """Table 4.2: what volrender measured, by kernel and tiling."""
    view = scene["view"].copy()
    view[view.index("--resolution") + 1] = TILED_VIEW.split()[1]
    tiled, answers = scene | {"view": view}, {}
    for kernel in [kernel for kernel in TILED_SECONDS if kernel in kernels]:
        # Thousands of tiles take ten seconds and more: once is enough there.
        answers[kernel] = [bench.store.take(f"tiles {n}x{n}: {kernel}", lambda n=n, kernel=kernel: bench.render(
            tiled, kernel, int(TILED_VIEW.split()[3]), bench.trials if n <= 4 else 1, ["--tiles", f"{n}x{n}"])) for n in TILINGS]
        print(f"tilings    {kernel:30}", *(answer.get("seconds", {}).get("median") for answer in answers[kernel]), file=sys.stderr)
    return answers


def list_rates(report: dict) -> dict[str, dict[str, float]]:
    """Extensions per second, by scene and run."""
    return {scene["name"]: {run: answer["extensions_per_second"] for run, answer in scene["runs"].items() if "error" not in answer}
            for scene in report["scenes"]}


def compare_rates(before: dict[str, dict[str, float]], now: dict[str, dict[str, float]]) -> list[str]:
    """A line for each run of both whose rate changed notably."""
    both = [(scene, run, before[scene][run], rate) for scene, rates in now.items() for run, rate in rates.items()
            if run in before.get(scene, {})]
    changed = [f"{scene:10} {run:30} {then / 1e9:9.3f} -> {rate / 1e9:9.3f} G ext/s  x{rate / then:.3f}" for scene, run, then, rate in both
               if abs(rate / then - 1) > NOTABLE_CHANGE]
    return [*changed, f"{len(changed)} of {len(both)} rates changed by more than {NOTABLE_CHANGE:.0%}"]


def write_report(folder: pathlib.Path, report: dict) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.json").write_text(json.dumps(report, indent=2) + "\n")
    (folder / "rates.json").write_text(json.dumps(list_rates(report), indent=1) + "\n")
    gpu_tables.write_report(folder, report)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--scenes-folder", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--kernels", help="names, separated by commas (default all)")
    parser.add_argument("--scenes", help="names, separated by commas (default all)")
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    parser.add_argument("--time-limit", type=float, metavar="S", help="seconds after which no further measurement starts")
    parser.add_argument("--compare", type=pathlib.Path, metavar="RATES", help="rates.json of an earlier run")
    arguments = parser.parse_args()
    before = json.loads(arguments.compare.read_text()) if arguments.compare else None
    arguments.out.mkdir(parents=True, exist_ok=True)
    try:
        bench = Bench(arguments)
    except ValueError as error:
        parser.error(str(error))
    kernels = bench.list_kernels()
    scenes = json.loads((bench.folder / "scenes.json").read_text())
    for option, names, known in (("--kernels", arguments.kernels, kernels), ("--scenes", arguments.scenes, [s["name"] for s in scenes])):
        if names and (unknown := set(names.split(",")) - set(known)):
            parser.error(f"{option}: no {', '.join(sorted(unknown))} among {', '.join(known)}")
    if arguments.kernels:
        kernels = arguments.kernels.split(",")
    if arguments.scenes:
        scenes = [scene for scene in scenes if scene["name"] in arguments.scenes.split(",")]
    if not kernels:
        parser.error(f"this volrender has no kernels for --device {arguments.device}")
    logo = next((scene for scene in scenes if scene["name"] == "cgg-logo"), None)
    report = {"trials": bench.trials, "seconds_wanted": bench.seconds, "scenes": [], "tilings": {}, "mitsuba": {}}
    try:
        for scene in scenes:
            report["scenes"].append(measure_scene(bench, scene, kernels))
        report["tilings"] = measure_tilings(bench, logo, kernels) if logo else {}
        report["mitsuba"] = gpu_mitsuba.measure(bench, report["scenes"])
    except measurements.OutOfTime:
        sys.exit(f"gpu_report: the time limit came after {len(bench.store.values)} measurements; the same command goes on")
    finally:
        write_report(arguments.out, report)
    if before is not None:
        print(*compare_rates(before, list_rates(report)), sep="\n")
    failed = [scene["name"] for scene in report["scenes"] if not scene["films_equal"]]
    if failed:
        sys.exit(f"gpu_report: kernels failed or their films differ in {', '.join(failed)}; see {arguments.out}/report.md")


if __name__ == "__main__":
    main()
