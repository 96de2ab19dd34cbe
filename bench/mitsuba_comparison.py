# Compares pictures of volrender with pictures of Mitsuba 3, for the scripts that render the same scenes with both.
"""Mitsuba renders several pictures of a scene; their spread is its noise. compare() gives z of means and of blocks, judge() volcompare's verdict."""

import argparse
import json
import math
import pathlib
import subprocess
import sys

from surface_scenes import HEIGHT, WIDTH

BLOCK = 8


def render_mitsuba(mi, np, path, samples, seeds, integrator=None):
    """Pictures [seed, y, x, channel], in double precision; without `integrator`, that of the scene is used."""
    scene = mi.load_file(str(path))
    return np.stack([np.array(mi.render(scene, integrator=integrator, spp=max(1, samples // seeds), seed=seed + 1), dtype=np.float64)[..., :3]
                     for seed in range(seeds)])


def write_reference(mi, np, path, pictures):
    """An .exr as volrender writes it; the picture of each seed counts as one sample."""
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
    """z of the means of pictures and of blocks; by channel, since the channels of one path are not independent."""
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


def judge(arguments, folder, stem, film, reference):
    """volcompare's verdict and reasons; the map of z is written to `folder`."""
    verdict = json.loads(run(arguments.bin / "volcompare", film, reference, "--statistical", "--map", "z", folder / f"{stem}_z.png", "--json",
                             statuses=(0, 1)).stdout)
    return {"verdict": verdict["verdict"], "reasons": verdict["reasons"]}


def make_parser(description, scenes, spp, spp_help, seeds):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of the tools")
    parser.add_argument("--out", type=pathlib.Path, help="keep scenes and pictures there")
    parser.add_argument("--scene", action="append", choices=list(scenes))
    parser.add_argument("--spp", type=int, default=spp, help=spp_help)
    parser.add_argument("--seeds", type=int, default=seeds, help="pictures that Mitsuba's samples are divided into, at least 2")
    parser.add_argument("--variant", default="scalar_rgb", help="of Mitsuba")
    return parser


def import_mitsuba(variant):
    """Modules mitsuba and numpy; without Mitsuba the script ends with status 0 and a message."""
    try:
        import mitsuba as mi
        import numpy as np
        mi.set_variant(variant)
    except ImportError as error:
        print(f"skipped: Mitsuba is not installed: {error}", file=sys.stderr)
        sys.exit(0)
    return mi, np
