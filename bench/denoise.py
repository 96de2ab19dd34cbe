#!/usr/bin/env python3
# What --denoise takes out of pictures, and how long it takes.
"""denoise.py --bin BUILD/bin --out FOLDER [--data FOLDER] [--scene NAME..] [--spp 16 64] [--reference 1024] [--edge 160] [--large]

Renders each scene with --spp samples and, with another seed, as a reference. Prints, for the film and for its denoised picture, the root mean square error against the
reference in linear bands, less the reference's own noise; their ratio; mean Delta E 2000 and FLIP against the reference; the largest ratio of 8 x 8 blocks in which there is noise.
--large: seconds from a film of 1920 columns (and 1080 rows, but for texels) to its .exr, with --denoise off and on, and seconds of processor. Noise takes
longer to compress: the filter takes more than they differ by.
ct needs --data, the public datasets; the other scenes are made by this suite. Standard library alone; FOLDER/denoise.json has the numbers."""

import argparse
import array
import dataclasses
import json
import math
import os
import pathlib
import subprocess
import sys
import time

import film_noise
from turned_shapes import make_vase, write_turned

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "tools"))
from compare_exr import read_exr  # noqa: E402

CHART = ROOT / "pipelines" / "data" / "chart.png"
BLOCK, LARGE = 8, (1920, 1080)


@dataclasses.dataclass
class Scene:
    pack: str  # arguments of volprep
    view: str  # arguments of volrender
    needs: str = ""  # a file of the public datasets


SCENES = {
    "print": Scene("--print {chart} --width 30mm --core 9.5mm --ink-depth .5mm --materials elek2017 --pitch 42.3um,84.7um,27um", "--probe top --dpi {dpi}"),
    "vase": Scene("{work}/vase.obj --sigma-t 20 --albedo .95,.9,.7", "--from front --zoom 1.5 --env .9,.8,.6 --ground diffuse:.4"),
    "smoke": Scene("make noise --dims 64,64,64 --size 20mm --sigma-t 2 --albedo .95 --g .6", "--boundary none --env .4,.5,.7 --zoom 1.5"),
    "glass": Scene("make cube --dims 1,1,1 --size 20mm --sigma-t .02 --albedo .9", "--env .6,.7,.9 --ground checker:.2:.6 --zoom 1.5"),
    "white": Scene("{work}/vase.obj --sigma-t 100 --albedo .999", "--from front --zoom 1.5 --env 1 --ground diffuse:.8"),
    "flat": Scene("make cube --dims 8,8,1 --size 20mm,20mm,5mm --sigma-t 5 --albedo .9", "--probe top --dpi {dpi} --sides periodic"),
    "ct": Scene("{data}/elastix/3DCT_lung.mha --window -1000,1000 --transfer grey-red-blue --scale 0.3", "--boundary none --env 1 --zoom 1.5", "elastix/3DCT_lung.mha"),
}
TEXTURE_INCHES = {"print": 30 / 25.4, "flat": 20 / 25.4}


class Bench:
    def __init__(self, arguments):
        self.bin, self.out, self.data = arguments.bin.resolve(), arguments.out.resolve(), arguments.data
        self.out.mkdir(parents=True, exist_ok=True)
        write_turned(self.out / "vase.obj", make_vase(20.0), 96)

    def run(self, tool, *words):
        """Its output, seconds, and seconds of processor."""
        start, before = time.monotonic(), os.times()
        answer = subprocess.run([self.bin / tool, *map(str, words)], capture_output=True, text=True, cwd=self.out)
        after = os.times()
        if answer.returncode not in (0, 1):
            sys.exit(f"denoise: {tool} {' '.join(map(str, words))}: {answer.stderr}")
        return answer.stdout, time.monotonic() - start, after.children_user + after.children_system - before.children_user - before.children_system

    def pack(self, name):
        if not (self.out / f"{name}.vpk").exists():
            self.run("volprep", *SCENES[name].pack.format(chart=CHART, work=self.out, data=self.data and self.data.resolve()).split(), "-o", f"{name}.vpk", "-q")

    def view(self, name, width, height):
        words = SCENES[name].view
        if "{dpi}" in words:
            return words.format(dpi=round(width / TEXTURE_INCHES[name], 1)).split()
        return [*words.split(), "--resolution", f"{width}x{height}"]

    def render(self, name, view, spp, seed):
        film = f"{name}_{seed}_{spp}.vpf"
        if not (self.out / film).exists():
            self.run("volrender", f"{name}.vpk", *view, "--spp", spp, "--seed", seed, "-o", film, "-q")
        return film

    def show(self, name, view, spp, film, denoise):
        """The picture of a film, seconds, and seconds of processor."""
        picture = f"{film[:-4]}_{denoise}.exr"
        _, seconds, processor = self.run("volrender", f"{name}.vpk", *view, "--spp", spp, "--resume", film, "--denoise", denoise, "-o", picture, "-q")
        return picture, seconds, processor

    def compare(self, picture, reference):
        answer, _, _ = self.run("volcompare", picture, reference, "--metric", "de2000", "--metric", "flip", "--threshold", "de2000.mean<1e9", "--json", "-q")
        metrics = json.loads(answer)["metrics"]
        return metrics["de2000.mean"], metrics["flip.mean"]


def read_bands(path):
    """Width, and the values of each channel but alpha."""
    width, _, channels = read_exr(path)
    return width, [array.array("f", channels[name]) for name in ("R", "G", "B", "Y") if name in channels]


def sum_blocks(test, truth, width):
    """Squared differences, all bands, by block of BLOCK x BLOCK pixels."""
    sums = {}
    for a, b in zip(test, truth):
        for i, (x, y) in enumerate(zip(a, b)):
            block = i // width // BLOCK, i % width // BLOCK
            sums[block] = sums.get(block, 0.0) + (x - y) ** 2
    return sums


def measure_quality(bench, name, spp, arguments):
    view = bench.view(name, arguments.edge, arguments.edge)
    film, reference = bench.render(name, view, spp, 1), bench.render(name, view, arguments.reference, 2)
    plain, denoised = (bench.show(name, view, spp, film, word)[0] for word in ("off", "on"))
    truth_picture = bench.show(name, view, arguments.reference, reference, "off")[0]
    width, truth = read_bands(bench.out / truth_picture)
    values = sum(len(band) for band in truth)
    noise = film_noise.read_film(bench.out / reference).variance() * values
    before, after = (sum_blocks(read_bands(bench.out / picture)[1], truth, width) for picture in (plain, denoised))
    error = {word: math.sqrt(max(0.0, sum(sums.values()) - noise) / values) for word, sums in (("off", before), ("on", after))}
    # Blocks in which there is noise to take out.
    judged = [block for block in before if before[block] > 4 * noise / len(before)]
    row = {"scene": name, "spp": spp, "off": error["off"], "on": error["on"], "ratio": error["on"] / error["off"],
           "worst_block": max(math.sqrt(after[block] / before[block]) for block in judged) if judged else None}
    for word, picture in (("off", plain), ("on", denoised)):
        row[f"de2000_{word}"], row[f"flip_{word}"] = bench.compare(picture, truth_picture)
    return row


def measure_seconds(bench, name):
    view = bench.view(name, *LARGE)
    film = bench.render(name, view, 2, 3)
    best = {word: min(bench.show(name, view, 2, film, word)[1:] for _ in range(3)) for word in ("off", "on")}
    return {"scene": name} | {f"{kind}_{word}": best[word][i] for i, kind in enumerate(("seconds", "processor_seconds")) for word in best}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of volprep, volrender and volcompare")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder of volumes, films and pictures; films that it has are used")
    parser.add_argument("--data", type=pathlib.Path, help="folder of the public datasets")
    parser.add_argument("--scene", nargs="+", choices=SCENES, default=list(SCENES))
    parser.add_argument("--spp", nargs="+", type=int, default=[16, 64])
    parser.add_argument("--reference", type=int, default=1024, help="samples of the reference")
    parser.add_argument("--edge", type=int, default=160, help="pixels")
    parser.add_argument("--large", action="store_true", help="seconds at 1920 x 1080 instead")
    arguments = parser.parse_args()
    bench, rows = Bench(arguments), []
    if not arguments.large:
        print("| scene | spp | RMS error, off | on | ratio | worst block | Delta E off | on | FLIP off | on |\n|---|---|---|---|---|---|---|---|---|---|")
    else:
        print("| scene, 1920 columns | seconds, off | on | of processor, off | on |\n|---|---|---|---|---|")
    for name in arguments.scene:
        if SCENES[name].needs and (arguments.data is None or not (arguments.data / SCENES[name].needs).exists()):
            print(f"{name} is left out: it needs --data with {SCENES[name].needs}", file=sys.stderr)
            continue
        bench.pack(name)
        if arguments.large:
            rows.append(measure_seconds(bench, name))
            print("| {scene} | {seconds_off:.2f} | {seconds_on:.2f} | {processor_seconds_off:.2f} | {processor_seconds_on:.2f} |".format(**rows[-1]), flush=True)
            continue
        for spp in arguments.spp:
            row = measure_quality(bench, name, spp, arguments)
            rows.append(row)
            worst = f"{row['worst_block']:.2f}" if row["worst_block"] is not None else "-"
            print(f"| {name} | {spp} | {row['off']:.4g} | {row['on']:.4g} | {row['ratio']:.3f} | {worst} | {row['de2000_off']:.2f} | {row['de2000_on']:.2f} | "
                  f"{row['flip_off']:.4f} | {row['flip_on']:.4f} |", flush=True)
    (bench.out / ("denoise_large.json" if arguments.large else "denoise.json")).write_text(json.dumps(rows, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
