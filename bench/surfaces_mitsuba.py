#!/usr/bin/env python3
# Scenes of surfaces around a small medium, rendered by volrender and by Mitsuba 3 from the same XML, compared by statistics; as JSON and as a table.
"""surfaces_mitsuba.py --bin BUILD/bin [--out FOLDER] [--scene NAME]... [--spp 1024] [--seeds 64] > surfaces.json

Needs Mitsuba 3 (pip install mitsuba). Each scene is written once, as Mitsuba XML; volprep and Mitsuba read the same file. Mitsuba (scalar_rgb, volpath,
roulette off) renders --seeds pictures, and their variance is its noise: they become an .exr with standard errors, against which volcompare --statistical judges
volrender's film, on the CPU. Beside its verdict stand z of the means over all pixels and bands, and of the worst block of 8 x 8 pixels. --out keeps scenes and
pictures. Exit status 1: volcompare finds different expectations in a scene.

Phong's model is not among the BSDFs: Mitsuba 3 has none."""

import contextlib
import json
import pathlib
import sys
import tempfile

from mitsuba_comparison import compare, import_mitsuba, judge, make_parser, read_picture, render_mitsuba, run, write_reference
from surface_scenes import list_scenes, write_files, write_scene


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
    row = {"scene": name, "spp": arguments.spp, "seeds": arguments.seeds} | compare(np, *read_picture(mi, np, folder / f"{name}.exr"), pictures)
    row |= judge(arguments, folder, name, film, reference) | {"notices": notices}
    print(f"{name:8} z {' '.join(f'{z:+.1f}' for z in row['z'])}, worst block {row['worst_block']}, {row['verdict']} {row['reasons']}", file=sys.stderr)
    return row


def main():
    scenes = list_scenes()
    arguments = make_parser(__doc__, scenes, 1024, "samples per pixel of both", 64).parse_args()
    mi, np = import_mitsuba(arguments.variant)
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
