#!/usr/bin/env python3
# Times renders of about a second on one GPU, on all, and on all with the CPU beside them, as JSON and as a table.
"""short_renders.py --bin BUILD/bin [--seconds 1] [--trials 5] [--gpus 2] [--scenes logo,lit] [--save short_renders.json]

Seven scenes, made here: a print on a white cube, a torus on a ground, a lit cube by four integrators, and an endless white slab in layers.
The samples are those that all GPUs together render in --seconds. Columns: the median time from when the first worker is ready until the last
one ends, on one GPU and on all; efficiency is time on one / (GPUs x time on all); the wall clock of the whole command on all, and with the CPU
beside them; `cost of the CPU` is the latter over the former, less 1. (The CPU is ready before the GPUs, so that the first clock would include
their start.) All films of a scene must have one hash.
"""

import argparse
import json
import math
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from scaling import measure  # noqa: E402

LIT = ("--boundary none --env 0 --light sphere,center=1.5;1.2;2,radius=0.3,power=10 --origin 0,0,6 --target 0,0,0 --up 0,1,0 --fov 16 "
       "--resolution 512x512")
SCENES = {
    "logo": ("cube", "--origin 0,0,100 --target 0,0,0 --up 0,1,0 --fov 0.7 --resolution 400x400 --boundary rough --alpha 0.1 --int-ior 1.05 "
             "--ext-ior 1.01 --microfacets single --roulette off"),
    "torus on a ground": ("torus", "--from 20,30 --ground diffuse:0.5 --boundary smooth --int-ior 1.5 --resolution 512x512"),
    "lit cube": ("lit", LIT),
    "lit cube, light": ("lit", LIT + " --integrator light"),
    "lit cube, bdpt": ("lit", LIT + " --integrator bdpt"),
    "lit cube, mlt": ("lit", LIT + " --integrator mlt"),
    "white slab, layers": ("slab", "--probe top --boundary smooth --int-ior 1.5 --sides periodic --resolution 1000x1000 --long-steps layers"),
}


def write_torus(path, around=96, across=48):
    """A binary STL: radii 10 and 4 mm, axis z."""
    def point(i, j):
        u, v = 2 * math.pi * i / around, 2 * math.pi * j / across
        return ((10 + 4 * math.cos(v)) * math.cos(u), (10 + 4 * math.cos(v)) * math.sin(u), 4 * math.sin(v))
    triangles = []
    for i in range(around):
        for j in range(across):
            a, b, c, d = point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)
            triangles += [(a, b, c), (a, c, d)]
    rows = b"".join(struct.pack("<12fH", 0, 0, 0, *(x for p in triangle for x in p), 0) for triangle in triangles)
    path.write_bytes(b" " * 80 + struct.pack("<I", len(triangles)) + rows)


def pack(volprep, work):
    write_torus(work / "torus.stl")
    made = {
        "cube": "--make cube --dims 100,100,100 --size 1mm --sigma-t 100 --albedo 1",
        "torus": f"{work / 'torus.stl'} --sigma-t 5 --albedo 0.99",
        "lit": "--make cube --dims 16,16,16 --size 1mm --sigma-t 8 --albedo .95",
        "slab": "--make slab --dims 1,1,1 --size 50mm,50mm,10mm --materials elek2017 --material W",
    }
    for name, words in made.items():
        subprocess.run([volprep, *words.split(), "-q", "-o", str(work / f"{name}.vpk")], check=True)


def spell(view):
    """Words of a view; those of --light have blanks, written here as commas."""
    words = view.split()
    return [word.replace(",", " ").replace(";", ",") if word.startswith("sphere,") else word for word in words]


def run(volrender, volume, view, samples, devices, film):
    return measure(volrender, volume, view, samples, devices, 1, film)


def find_samples(volrender, volume, view, devices, seconds, film):
    samples = 4
    while True:
        took = run(volrender, volume, view, samples, devices, film)["seconds"]
        if took > 0.3 * seconds or samples > 1 << 22:
            return max(1, round(samples * seconds / took))
        samples = min(samples * 8, max(2 * samples, round(samples * 0.5 * seconds / max(took, 1e-3))))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--gpus", type=int, default=2)
    parser.add_argument("--scenes", help="parts of names, with commas between")
    parser.add_argument("--save", type=pathlib.Path)
    options = parser.parse_args()
    volrender = str(options.bin / "volrender")
    every = ",".join(map(str, range(options.gpus)))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        pack(str(options.bin / "volprep"), work)
        print("| scene | samples | one GPU, s | all, s | efficiency | command, s | with the CPU, s | cost of the CPU | spread of all | hashes |\n"
              "|---|---|---|---|---|---|---|---|---|---|", flush=True)
        for name, (volume, words) in SCENES.items():
            if options.scenes and not any(part in name for part in options.scenes.split(",")):
                continue
            view, film = spell(words), work / "film.vpf"
            file = work / f"{volume}.vpk"
            samples = find_samples(volrender, file, view, every, options.seconds, film)
            runs = {devices: [run(volrender, file, view, samples, devices, film) for _ in range(options.trials)]
                    for devices in dict.fromkeys(("0", every, f"cpu+{every}"))}
            one, together = (statistics.median(trial["seconds"] for trial in runs[devices]) for devices in ("0", every))
            command, beside = (statistics.median(trial["command"] for trial in runs[devices]) for devices in (every, f"cpu+{every}"))
            hashes = {trial["hash"] for trials in runs.values() for trial in trials}
            rows.append({"scene": name, "samples": samples, "runs": runs})
            spread = statistics.median(trial["spread"] for trial in runs[every])
            print(f"| {name} | {samples} | {one:.3f} | {together:.3f} | {one / together / options.gpus:.2f} | {command:.3f} | {beside:.3f} "
                  f"| {beside / command - 1:+.1%} | {spread:.3f} | {'equal' if len(hashes) == 1 else 'DIFFER'} |", flush=True)
    if options.save:
        options.save.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
