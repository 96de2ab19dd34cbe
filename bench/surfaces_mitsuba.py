#!/usr/bin/env python3
# Scenes of surfaces around a small medium, rendered by volrender and by Mitsuba 3 from the same XML, compared by statistics; as JSON and as a table.
"""surfaces_mitsuba.py --bin BUILD/bin [--out FOLDER] [--scene NAME]... [--spp 1024] [--seeds 64] > surfaces.json

Needs Mitsuba 3 (pip install mitsuba). Each scene is written once, as Mitsuba XML; volprep and Mitsuba read the same file. Mitsuba (scalar_rgb, volpath,
roulette off) renders --seeds pictures, and their variance is its noise: they become an .exr with standard errors, against which volcompare --statistical judges
volrender's film, on the CPU. Beside its verdict stand z of the means over all pixels and bands, and of the worst block of 8 x 8 pixels. --out keeps scenes and
pictures. Exit status 1: volcompare finds different expectations in a scene.

Phong's model is not among the BSDFs: Mitsuba 3 has none."""

import argparse
import contextlib
import json
import math
import pathlib
import subprocess
import sys
import tempfile

from surface_scenes import HEIGHT, WIDTH, list_scenes, write_files, write_scene

BLOCK = 8


def render_mitsuba(mi, np, path, samples, seeds):
    """Pictures [seed, y, x, channel], in double precision."""
    scene = mi.load_file(str(path))
    return np.stack([np.array(mi.render(scene, spp=max(1, samples // seeds), seed=seed + 1), dtype=np.float64)[..., :3] for seed in range(seeds)])


def write_reference(mi, np, path, pictures):
    """An .exr as volrender writes them: a seed is a sample."""
    mean, error = pictures.mean(axis=0), pictures.std(axis=0, ddof=1) / math.sqrt(len(pictures))
    planes = np.concatenate([mean, error, np.full(mean.shape[:2] + (1,), len(pictures))], axis=2).astype(np.float32)
    names = ["R", "G", "B", "standard_error.R", "standard_error.G", "standard_error.B", "sample_count"]
    mi.Bitmap(planes, mi.Bitmap.PixelFormat.MultiChannel, names).write(str(path))


def read_picture(mi, np, path):
    """Means and standard errors [y, x, channel]; grey counts as three channels."""
    bitmap = mi.Bitmap(str(path))
    names = [field.name for field in bitmap.struct_()]
    planes = np.array(bitmap, dtype=np.float64)
    take = lambda prefix: np.stack([planes[..., names.index(prefix + (c if prefix + c in names else "Y"))] for c in "RGB"], axis=2)
    return take(""), take("standard_error.")


def average_blocks(values):
    return values.reshape(*values.shape[:-3], HEIGHT // BLOCK, BLOCK, WIDTH // BLOCK, BLOCK, 3).mean(axis=(-4, -2))


def compare(np, mean, error, pictures):
    """z of the means of pictures and of blocks. Channels of one path are not independent: the picture's z are by channel."""
    seeds = len(pictures)
    ours, theirs = mean.mean(axis=(0, 1)), pictures.mean(axis=(1, 2))
    variance = (error**2).mean(axis=(0, 1)) / (WIDTH * HEIGHT) + theirs.var(axis=0, ddof=1) / seeds
    blocks = average_blocks(pictures)
    deviation = np.sqrt(average_blocks(error**2) / BLOCK**2 + blocks.var(axis=0, ddof=1) / seeds)
    z = (average_blocks(mean) - blocks.mean(axis=0)) / np.maximum(deviation, 1e-6)  # blocks of background have no noise
    row, column, channel = np.unravel_index(np.abs(z).argmax(), z.shape)
    return {"volrender": ours.tolist(), "mitsuba": theirs.mean(axis=0).tolist(), "standard_error": np.sqrt(variance).tolist(),
            "z": ((ours - theirs.mean(axis=0)) / np.sqrt(variance)).tolist(), "blocks": z.size, "blocks_rms_z": float(np.sqrt((z**2).mean())),
            "worst_block": {"z": float(z[row, column, channel]), "x": int(column) * BLOCK, "y": int(row) * BLOCK, "channel": "RGB"[channel]}}


def run(*words, statuses=(0,)):
    answer = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if answer.returncode not in statuses:
        sys.exit(f"{' '.join(map(str, words))}: {answer.stderr}")
    return answer


def measure(mi, np, arguments, folder, name, description):
    xml, volume, film = folder / f"{name}.xml", folder / f"{name}.vpk", folder / f"{name}.vpf"
    reference = folder / f"{name}_mitsuba.exr"
    write_scene(xml, *description)
    notices = run(arguments.bin / "volprep", xml, "-o", volume).stderr.splitlines()
    run(arguments.bin / "volrender", volume, "--spp", arguments.spp, "--seed", 1, "--device", "cpu", "-q", "-o", film,
        "-o", folder / f"{name}.exr", "-o", folder / f"{name}.png")
    pictures = render_mitsuba(mi, np, xml, arguments.spp, arguments.seeds)
    write_reference(mi, np, reference, pictures)
    mean = mi.Bitmap(pictures.mean(axis=0).astype(np.float32))
    mean.convert(mi.Bitmap.PixelFormat.RGB, mi.Struct.Type.UInt8, True).write(str(folder / f"{name}_mitsuba.png"))
    verdict = json.loads(run(arguments.bin / "volcompare", film, reference, "--statistical", "--map", "z", folder / f"{name}_z.png", "--json",
                             statuses=(0, 1)).stdout)
    row = {"scene": name, "spp": arguments.spp, "seeds": arguments.seeds} | compare(np, *read_picture(mi, np, folder / f"{name}.exr"), pictures)
    row |= {"verdict": verdict["verdict"], "reasons": verdict["reasons"], "notices": notices}
    print(f"{name:8} z {' '.join(f'{z:+.1f}' for z in row['z'])}, worst block {row['worst_block']}, {row['verdict']} {row['reasons']}", file=sys.stderr)
    return row


def main():
    scenes = list_scenes()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of the tools")
    parser.add_argument("--out", type=pathlib.Path, help="keep scenes and pictures there")
    parser.add_argument("--scene", action="append", choices=list(scenes))
    parser.add_argument("--spp", type=int, default=1024, help="samples per pixel of both")
    parser.add_argument("--seeds", type=int, default=64, help="pictures that Mitsuba's samples are divided into, at least 2")
    parser.add_argument("--variant", default="scalar_rgb", help="of Mitsuba")
    arguments = parser.parse_args()
    try:
        import mitsuba as mi
        import numpy as np
        mi.set_variant(arguments.variant)
    except ImportError as error:
        print(f"skipped: Mitsuba is not installed: {error}", file=sys.stderr)
        return 0
    with contextlib.ExitStack() as stack:
        folder = arguments.out or pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        write_files(np, folder)
        rows = [measure(mi, np, arguments, folder, name, scenes[name]) for name in arguments.scene or scenes]
    print("| scene | volrender | Mitsuba | difference in standard errors | worst of "
          f"{rows[0]['blocks']} blocks | volcompare |\n|---|---|---|---|---|---|", file=sys.stderr)
    for row in rows:
        print(f"| {row['scene']} | {' '.join(f'{v:.4f}' for v in row['volrender'])} | {' '.join(f'{v:.4f}' for v in row['mitsuba'])} | "
              f"{' '.join(f'{v:+.1f}' for v in row['z'])} | {row['worst_block']['z']:+.1f} | {row['verdict']} |", file=sys.stderr)
    print(json.dumps(rows, indent=1))
    return 0 if all(row["verdict"] == "pass" for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
