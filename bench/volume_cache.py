#!/usr/bin/env python3
# Slowdown of a GPU when only a part of a volume's voxels is in its memory, as a table on stdout.
"""volume_cache.py --bin BUILD/bin [--view "OPTIONS"] [--scale N] [--shares 100,90,..] [--save volume.json] [VOLUME.vpk]

The volume is 512^3 voxels of noise of 16 bits, 256 MiB without a constant brick, unless one is given; a mean free path is a fifth of a
millimetre of its ten, and --scale makes it another. Each row is a render of one kernel with --volume-cache; how many samples, one of one
sample tells, so that it lasts about --seconds. Rates are those of --trials 1: of a render after a warm-up, on the device's clock. The last
column is max(1, misses x slowdown of the last row), what the expected hit rate foretells: the bus is the limit, or it is not."""

import argparse
import json
import pathlib
import shlex
import subprocess
import tempfile

NOISE = "--make noise --dims 512,512,512 --size 10mm --sigma-t 10 --albedo 0.99 --encode u16"
MIB = 1 << 20


def render(arguments, volume, share, samples):
    words = [arguments.bin / "volrender", volume, *shlex.split(arguments.view), "--spp", samples, "--device", "cuda", "--kernel", arguments.kernel,
             "--volume-cache", f"{share}%", "--trials", 1, "--json", "-q"]
    if arguments.scale:
        words += ["--scale", arguments.scale]
    return json.loads(subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE).stdout)


def measure(arguments, volume, share):
    first = render(arguments, volume, share, 1)
    samples = max(1, min(4096, int(arguments.seconds * first["paths_per_second"] / first["paths"])))
    answer = render(arguments, volume, share, samples) if samples > 1 else first
    return {"share": share, "samples": samples, "paths_per_second": answer["paths_per_second"], "film_hash": first["film_hash"],
            "tentative_a_path": answer["tentative_collisions"] / answer["paths"], "device": answer["device"]} | answer["gpu"]["memory"]


def print_table(rows):
    slowdowns = [rows[0]["paths_per_second"] / row["paths_per_second"] for row in rows]
    print("| cache | voxels on the device, MiB | in host memory | expected hit rate | paths/s | slowdown | foretold |")
    print("|---|---|---|---|---|---|---|")
    for row, slowdown in zip(rows, slowdowns):
        hit_rate = row["expected_hit_rate"]
        print(f"| {row['share']} % | {row['voxel_bytes_device'] / MIB:.0f} | {row['voxel_bytes_host'] / MIB:.0f} | {hit_rate:.4f} "
              f"| {row['paths_per_second'] / 1e6:.4g} M | {slowdown:.3g} | {max(1, (1 - hit_rate) * slowdowns[-1]):.3g} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of the tools")
    parser.add_argument("--view", default="--resolution 512x512", help="options of volrender")
    parser.add_argument("--scale", default="", help="extinction where the density is 1, 1/mm")
    parser.add_argument("--kernel", default="regen_pool")
    parser.add_argument("--shares", default="100,90,75,50,25,10,5,1,0", help="of the voxels on the device, in percent; the first is what slowdowns refer to")
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--save", type=pathlib.Path, help="write the rows there as JSON")
    parser.add_argument("volume", nargs="?", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        volume = arguments.volume
        if not volume:
            volume = pathlib.Path(folder) / "noise.vpk"
            subprocess.run([arguments.bin / "volprep", *NOISE.split(), "-o", volume, "-q"], check=True, stdout=subprocess.DEVNULL)
        rows = [measure(arguments, volume, share) for share in arguments.shares.split(",")]
    if arguments.save:
        arguments.save.write_text(json.dumps(rows, indent=2) + "\n")
    if len({row["film_hash"] for row in rows}) != 1:
        raise SystemExit("the films of the cache sizes differ")
    print_table(rows)


if __name__ == "__main__":
    main()
