#!/usr/bin/env python3
# Times volmerge over many large films, all at once or in rounds that fit the disk, and its peak memory, as JSON and as a table.
"""merge_films.py --bin BUILD/bin --folder FOLDER [--films 1000] [--size 2000x2000] [--round N] [--threads N] [--cold] [--out FOLDER]

Films of one sample each (volrender --samples I:1) of a unit cube of three bands; 2000 x 2000 pixels make 192 MB a film. FOLDER holds --round
films at a time (default: all) and one merged film more: they are rendered, merged with the film of the rounds before, and deleted; the
time is that of volmerge alone. A tmpfs measures volmerge, a disk the disk. --cold drops the page cache before each merge, which takes
root. The last film is checked against --expect, and, where --check is given, against one render of all samples, by film hash.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time


def call(program, *words):
    return json.loads(subprocess.run([program, *map(str, words), "--json", "-q"], check=True, stdout=subprocess.PIPE).stdout)


def render_films(arguments, volume, folder, numbers):
    """One film a number, as many at a time as there are processors."""
    pending, names = list(numbers), []
    running = []
    while pending or running:
        while pending and len(running) < (os.cpu_count() or 1):
            number = pending.pop(0)
            names.append(folder / f"{number:05d}.vpf")
            command = [arguments.bin / "volrender", volume, "--resolution", arguments.size, "--samples", f"{number}:1", "-o", names[-1], "-j", "1", "-q"]
            running.append(subprocess.Popen([*map(str, command), "--device", "cpu"], stdout=subprocess.DEVNULL))
        if running.pop(0).wait() != 0:
            sys.exit("merge_films: volrender failed")
    return names


def merge(arguments, names, merged, samples):
    if arguments.cold:
        subprocess.run(["sync"], check=True)
        pathlib.Path("/proc/sys/vm/drop_caches").write_text("3\n")
    listed = merged.with_suffix(".list")
    listed.write_text("".join(f"{name}\n" for name in names))
    words = ["--inputs", listed, "-o", merged, "--expect", f"0:{samples}", *(["-j", arguments.threads] if arguments.threads else [])]
    started, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = call(arguments.bin / "volmerge", *words)
    seconds, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    listed.unlink()
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return answer, seconds, processor


def measure(arguments, folder):
    volume, merged = folder / "cube.vpk", folder / "merged.vpf"
    cube = "--make cube --dims 1,1,1 --size 1mm --sigma-t 1 --albedo 0.9,0.8,0.7"
    subprocess.run([arguments.bin / "volprep", *cube.split(), "-o", volume, "-q"], check=True, stdout=subprocess.DEVNULL)
    seconds = processor = size_bytes = merged_films = 0
    for first in range(0, arguments.films, arguments.round):
        end = min(first + arguments.round, arguments.films)
        names = render_films(arguments, volume, folder, range(first, end))
        inputs = names if first == 0 else [merged, *names]
        size_bytes += sum(name.stat().st_size for name in inputs)
        merged_films += len(inputs)
        answer, wall, used = merge(arguments, inputs, merged, end)
        seconds, processor = seconds + wall, processor + used
        print(f"merge_films: {end} films, {wall:.2f} s", file=sys.stderr)
        for name in names:
            name.unlink()
    # Of the largest child so far, with the mapped pages of files that were being read: a render of one sample needs less than volmerge.
    peak_megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e6
    if arguments.check:
        whole = call(arguments.bin / "volrender", volume, "--resolution", arguments.size, "--spp", arguments.films, "-o", merged)
        if whole["film_hash"] != answer["film_hash"]:
            sys.exit("merge_films: the merged film is not that of one render")
    return {
        "films": arguments.films, "size": arguments.size, "round": arguments.round, "film_megabytes": size_bytes / merged_films / 1e6,
        "seconds": seconds, "seconds_processor": processor, "films_read": merged_films, "films_per_second": merged_films / seconds,
        "gigabytes_per_second": size_bytes / seconds / 1e9, "peak_megabytes": peak_megabytes, "cold": arguments.cold,
        "threads": arguments.threads or os.cpu_count(), "checked": arguments.check, "film_hash": answer["film_hash"],
    }


def format_table(row):
    return ("| films | MB a film | volmerge | processor | films/s | GB/s | peak memory |\n|---|---|---|---|---|---|---|\n"
            f"| {row['films']} of {row['size']} | {row['film_megabytes']:.0f} | {row['seconds']:.2f} s | {row['seconds_processor']:.2f} s | "
            f"{row['films_per_second']:.1f} | {row['gigabytes_per_second']:.2f} | {row['peak_megabytes']:.0f} MB |\n")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="where films are made and deleted")
    parser.add_argument("--films", type=int, default=1000)
    parser.add_argument("--size", default="2000x2000")
    parser.add_argument("--round", type=int, help="films that are there at the same time")
    parser.add_argument("--threads", type=int, help="of volmerge")
    parser.add_argument("--cold", action="store_true", help="drop the page cache before each merge")
    parser.add_argument("--check", action="store_true", help="compare with one render of all samples")
    parser.add_argument("--out", type=pathlib.Path, help="folder of merge_films.json")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    arguments.bin = arguments.bin.resolve()
    arguments.round = arguments.round or arguments.films
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        row = measure(arguments, pathlib.Path(folder))
    if arguments.out is not None:
        arguments.out.mkdir(parents=True, exist_ok=True)
        (arguments.out / "merge_films.json").write_text(json.dumps(row, indent=2) + "\n")
    print(format_table(row), end="")


if __name__ == "__main__":
    main()
