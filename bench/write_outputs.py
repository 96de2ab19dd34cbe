#!/usr/bin/env python3
# Times the writing of a finished film's outputs, each format alone and all together, as JSON and as a table.
"""write_outputs.py --bin BUILD/bin [--folder FOLDER] [--size 1000x1000] [--bands 0.9,0.7,0.4] [--threads 1 2 16] [--trials 5]

A film of four samples of a volume of these albedos, seen by a camera and by a probe (whose .exr has layers of colour and noise), is given
to volmerge, which writes .vpf, .exr, .png, .hdr and .pfm. Seconds are the least of the trials, less those of volmerge without -o. FOLDER
(default: a temporary one) should be a tmpfs: on a disk, its flushes are measured.
"""

import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

SAMPLES = 4
FORMATS = ["vpf", "exr", "png", "hdr", "pfm"]


def run(program, *words):
    subprocess.run([program, *map(str, words), "-q"], check=True, stdout=subprocess.DEVNULL)


def measure(arguments, film, outputs, threads):
    """Least wall clock and processor time."""
    times = []
    for _ in range(arguments.trials):
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        run(arguments.bin / "volmerge", film, "-j", threads, "--expect", f"0:{SAMPLES}", *[word for name in outputs for word in ("-o", name)])
        wall, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append((wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
    return tuple(min(column) for column in zip(*times))


def measure_film(arguments, folder, view, words):
    film = folder / f"{view}.vpf"
    run(arguments.bin / "volrender", folder / "v.vpk", *words, "--resolution", arguments.size, "--spp", SAMPLES, "-o", film)
    rows = []
    for threads in arguments.threads:
        base = measure(arguments, film, [], threads)
        for formats in [*[[name] for name in FORMATS], FORMATS]:
            outputs = [folder / f"out.{name}" for name in formats]
            wall, processor = (total - part for total, part in zip(measure(arguments, film, outputs, threads), base))
            size_bytes = sum(name.stat().st_size for name in outputs)
            rows.append({"view": view, "threads": threads, "formats": " ".join(formats), "seconds": wall, "processor_seconds": processor, "bytes": size_bytes})
            print(f"{view} -j {threads} {' '.join(formats)}: {wall:.3f} s, {processor:.3f} s of processors, {size_bytes / 1e6:.1f} MB", file=sys.stderr)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--size", default="1000x1000")
    parser.add_argument("--bands", default="0.9,0.7,0.4")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2, 16])
    parser.add_argument("--trials", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        folder = pathlib.Path(name)
        cube = f"--make checker --dims 8,8,8 --size 2mm --sigma-t 3 --albedo {arguments.bands}"
        run(arguments.bin / "volprep", *cube.split(), "-o", folder / "v.vpk")
        rows = [row for view, words in (("camera", []), ("probe", ["--probe", "top"])) for row in measure_film(arguments, folder, view, words)]
    print(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
