#!/usr/bin/env python3
# Rates of the CPU backend on the benchmark scenes, as JSON: medians over trials of the rates that volrender reports.
"""cpu_transport.py --bin BUILD/bin [--data FOLDER] [--trials 5] [--threads 1,2] [--kernels x86-64-v4,x86-64-v3] > rates.json

Scenes: the homogeneous white cube (sigma_t 100, isotropic, no boundary), the cgg-logo print (100^3 albedo, rough boundary
1.05/1.01, alpha 0.1, the thesis' camera), a white-resin slab in three bands, and with --data (the public datasets) a chest CT
and a CT head, heterogeneous, with local and global majorants. Rates count transport alone (seconds_render).
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

CUBE_CAMERA = "--ortho 1 --origin 0,0,-5 --target 0,0,0 --resolution 128x128".split()
THESIS_CAMERA = ("--origin 0,0,100 --target 0,0,0 --fov 0.7 --resolution 400x400 "
                 "--boundary rough --alpha 0.1 --int-ior 1.05 --ext-ior 1.01 --microfacets single").split()
FRAMED = "--resolution 256x256".split()
INKS = {"materials": [{"name": "W", "sigma_t": [6.0, 9.0, 24.0], "albedo": [0.9991, 0.9997, 0.999], "g": 0.4}]}


def make_scenes(bin_folder, work, data):
    """Packs the volumes; returns (name, volume, render options, samples per pixel)."""
    root = pathlib.Path(__file__).resolve().parent.parent
    logo = work / "logo.png"
    subprocess.run([sys.executable, root / "pipelines/draw_textures.py", "logo", logo], check=True)
    (work / "inks.json").write_text(json.dumps(INKS))

    def pack(name, *options):
        subprocess.run([bin_folder / "volprep", *map(str, options), "-o", work / name, "-q"], check=True, stdout=subprocess.DEVNULL)
        return work / name

    scenes = [
        ("cube", pack("cube.vpk", *"--make cube --dims 1,1,1 --size 1 --sigma-t 100 --albedo 1".split()), CUBE_CAMERA, 128),
        ("cgg-logo", pack("logo.vpk", "--slab", logo, *"--dims 100,100,100 --size 1 --sigma-t 100".split()), THESIS_CAMERA, 32),
        ("white-resin", pack("resin.vpk", *"--make slab --dims 1,1,1 --size 100,100,10 --materials".split(), work / "inks.json",
                             "--material", "W"), ["--resolution", "64x64", "--boundary", "smooth", "--int-ior", "1.5"], 16),
    ]
    if data is not None:
        lung = pack("lung.vpk", data / "elastix/3DCT_lung.mha", *"--window -1000,1000 --scale 0.5".split())
        head = pack("head.vpk", data / "pyvista-data/headsq_64x64x93.mhd", *"--window 0,3926 --scale 2".split())
        for majorant in ("local", "global"):
            scenes.append((f"ct-lung {majorant}", lung, [*FRAMED, "--majorant", majorant], 32))
            scenes.append((f"ct-head {majorant}", head, [*FRAMED, "--majorant", majorant], 32))
    return scenes


def measure(bin_folder, work, volume, options, samples, kernel, threads, trials):
    command = [bin_folder / "volrender", volume, "-o", work / "bench.vpf", "--json", "-q", "-j", str(threads), "--kernel", kernel,
               "--spp", str(samples), *options]
    answers = [json.loads(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(trials + 1)][1:]
    seconds = [answer["seconds_render"] for answer in answers]
    median = statistics.median(seconds)
    return {
        "seconds_median": median, "seconds_min": min(seconds), "seconds_max": max(seconds),
        "extensions_per_path": answers[0]["extensions"] / answers[0]["paths"],
        "paths_per_second": answers[0]["paths"] / median,
        "extensions_per_second": answers[0]["extensions"] / median,
        "tentative_collisions_per_second": answers[0]["tentative_collisions"] / median,
        "film_hash": answers[0]["film_hash"],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--kernels", default="x86-64-v4,x86-64-v3")
    arguments = parser.parse_args()
    bin_folder = arguments.bin.resolve()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for name, volume, options, samples in make_scenes(bin_folder, work, arguments.data and arguments.data.resolve()):
            for kernel in arguments.kernels.split(","):
                for threads in map(int, arguments.threads.split(",")):
                    row = {"scene": name, "kernel": kernel, "threads": threads,
                           **measure(bin_folder, work, volume, options, samples, kernel, threads, arguments.trials)}
                    rows.append(row)
                    print(f"{name:16} {kernel:10} {threads} threads  {row['extensions_per_path']:8.2f} ext/path "
                          f"{row['extensions_per_second'] / 1e6:8.1f} M ext/s  {row['tentative_collisions_per_second'] / 1e6:8.1f} "
                          f"M tentative/s  {row['paths_per_second'] / 1e6:7.3f} M paths/s", file=sys.stderr)
    json.dump({"processors": os.cpu_count(), "rows": rows}, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
