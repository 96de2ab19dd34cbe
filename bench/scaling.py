#!/usr/bin/env python3
# Times renders on 1, 2, 4, .. GPUs of one machine, with the CPU beside them and as ranks of MPI, as JSON and as tables.
"""scaling.py --bin BUILD/bin --logo cgg-logo.vpk [--seconds 12] [--trials 3] [--gpus 1,2,4] [--save scaling.json]

  logo   a print of 100^3 voxels behind a rough boundary, 400 x 400 pixels (cgg-logo.vpk: bench/gpu_scenes.py has the view), plain walks
  print  an endless slab of white ink (Elek et al. 2017), 10 mm, three bands, 1000 x 1000 texels, long steps: a print's prediction

The samples are those that one GPU renders in --seconds, after a trial of a third. Each line is the median of --trials by the time from when
the first worker is ready until the last one ends; `command` is the wall clock of the same run, with start of the devices, volume and
film. Efficiency is time on one GPU / (GPUs x time). `spread` is between the first and the last worker to end,
as a share of the transport. All films of a case must have one hash.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

LOGO_VIEW = ("--origin 0,0,100 --target 0,0,0 --up 0,1,0 --fov 0.7 --resolution 400x400 --boundary rough --alpha 0.1 --int-ior 1.05 "
             "--ext-ior 1.01 --microfacets single --roulette off --long-steps off")
PRINT_PACK = "--make slab --dims 1,1,1 --size 50mm,50mm,10mm --materials elek2017 --material W"
PRINT_VIEW = "--probe top --boundary smooth --int-ior 1.5 --sides periodic --resolution 1000x1000 --long-steps on"
MPIRUN = "mpirun --oversubscribe --bind-to none -n"


def measure(volrender, volume, view, samples, devices, ranks, film):
    """One render: its answer, with the wall clock of the command beside it."""
    launcher = f"{MPIRUN} {ranks}".split() if ranks > 1 else []
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_plm="isolated")
    view_words = view.split() if isinstance(view, str) else view
    words = [*launcher, volrender, volume, *view_words, "--spp", samples, "--devices", devices, "-o", film, "--json", "-q"]
    started = time.monotonic()
    done = subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, env=environment, check=True)
    wall = time.monotonic() - started
    answer = json.loads(done.stdout)
    ends = [worker["seconds_end"] for worker in answer["workers"]]
    return {"seconds": max(ends), "command": wall, "spread": (max(ends) - min(ends)) / max(ends), "hash": answer["film_hash"],
            "banks": answer["seconds_banks"], "kernel": answer["kernel"],
            "workers": [{key: worker[key] for key in ("device", "paths", "seconds_end")} for worker in answer["workers"]]}


def list_configurations(gpus, with_mpi):
    for count in gpus:
        yield {"gpus": count, "cpu": False, "ranks": 1, "devices": ",".join(map(str, range(count)))}
    for count in sorted({gpus[0], gpus[-1]}):
        yield {"gpus": count, "cpu": True, "ranks": 1, "devices": "cpu+" + ",".join(map(str, range(count)))}
    if with_mpi and gpus[-1] > 1:
        yield {"gpus": gpus[-1], "cpu": False, "ranks": gpus[-1], "devices": ",".join(map(str, range(gpus[-1])))}


def run_case(name, volrender, volume, view, arguments, work):
    film = work / "film.vpf"
    trial = measure(volrender, volume, view, 64, "0", 1, film)
    samples = 64
    for share in (30, 3, 1):  # the first ones are too short to tell
        samples = max(64, round(samples * arguments.seconds / share / trial["seconds"]))
        if share > 1:
            trial = measure(volrender, volume, view, samples, "0", 1, film)
    rows = []
    for configuration in list_configurations(arguments.gpus, shutil.which("mpirun") is not None):
        trials = [measure(volrender, volume, view, samples, configuration["devices"], configuration["ranks"], film) for _ in range(arguments.trials)]
        best = sorted(trials, key=lambda one: one["seconds"])[len(trials) // 2]
        rows.append({"case": name, "samples": samples, **configuration, **best, "all_seconds": [one["seconds"] for one in trials],
                     "command": statistics.median(one["command"] for one in trials), "film_bytes": film.stat().st_size,
                     "volume_bytes": pathlib.Path(volume).stat().st_size})
        print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
        if len({row["hash"] for row in rows} | {one["hash"] for one in trials}) != 1:
            sys.exit(f"{name}: the films differ")
    return rows


def print_table(rows):
    print(f"\n| {rows[0]['case']}, {rows[0]['samples']} samples | render, s | a GPU's share | command, s | spread |\n|---|---|---|---|---|")
    alone = rows[0]["seconds"]
    for row in rows:
        words = [f"{row['gpus']} GPU{'s' if row['gpus'] > 1 else ''}"] + (["CPU"] if row["cpu"] else [])
        if row["ranks"] > 1:
            words.append(f"{row['ranks']} ranks of MPI")
        print(f"| {', '.join(words)} | {row['seconds']:.3f} | {alone / row['seconds'] / row['gpus']:.3f} | {row['command']:.2f} | {100 * row['spread']:.1f} % |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--logo", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--gpus", type=lambda text: [int(word) for word in text.split(",")], default=[1, 2, 4])
    parser.add_argument("--save", type=pathlib.Path)
    arguments = parser.parse_args()
    volrender = arguments.bin / "volrender"
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        slab = work / "slab.vpk"
        subprocess.run([arguments.bin / "volprep", *PRINT_PACK.split(), "-o", slab, "-q"], check=True, stdout=subprocess.DEVNULL)
        cases = [("print", slab, PRINT_VIEW)]
        if arguments.logo:
            cases.insert(0, ("logo", arguments.logo, LOGO_VIEW))
        for case in cases:
            table = run_case(*case[:1], volrender, *case[1:], arguments, work)
            print_table(table)
            rows += table
    if arguments.save:
        arguments.save.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
