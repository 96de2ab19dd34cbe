#!/usr/bin/env python3
# Scenes of surfaces and media with emitters, rendered by volrender and by Mitsuba 3 from the same XML, compared by statistics; as JSON and as a table.
"""emitters_mitsuba.py --bin BUILD/bin [--out FOLDER] [--scene NAME]... [--spp 256] [--seeds 32] [--device cpu|cuda] > emitters.json

Needs Mitsuba 3 (pip install mitsuba). Each scene is written once, as Mitsuba XML; volprep and Mitsuba read the same file. Scenes of surfaces alone are rendered by
Mitsuba's path, those with media by volpath and volpathmis, without roulette; in one scene volrender's light and Mitsuba's ptracer, which knows no media, are
compared too. Mitsuba renders --seeds pictures, and their variance is its noise: they become an .exr with standard errors, against which volcompare --statistical
judges volrender's film. Beside its verdict stand z of the means over all pixels, by band, and of the worst block of 8 x 8 pixels. --out keeps scenes and
pictures. Exit status 1: volcompare finds different expectations in a scene, or a mean is off by more than 3 standard errors in all bands.

What the scenes avoid, since it is defined otherwise: spots have hard edges (Mitsuba fades linearly in the angle), and spheres that emit reflect nothing."""

import contextlib
import json
import pathlib
import struct
import sys
import tempfile

from mitsuba_comparison import compare, import_mitsuba, judge, make_parser, read_picture, render_mitsuba, run, write_reference
from surface_scenes import (BLACK, ENVMAP, GOLD, MOST_EVENTS, NO_ROULETTE, NULL, PINHOLE, area, checker, conductor, dielectric, diffuse, emitter, floor, medium,
                            move, rgb, rough_dielectric, scale, shape, sphere, turn, two_sided, write_scene, write_sky)


def point(position, *intensity):
    return emitter("point", f'<point name="position" x="{position[0]}" y="{position[1]}" z="{position[2]}"/>{rgb("intensity", *intensity)}')


def spot(origin, target, angle, *intensity):
    return emitter("spot", f'<transform name="to_world"><lookat origin="{origin}" target="{target}" up="0, 1, 0"/></transform>{rgb("intensity", *intensity)}'
                   f'<float name="cutoff_angle" value="{angle}"/><float name="beam_width" value="{angle - 0.01}"/>')


def unseen_medium():
    """volprep needs a medium: a cube far below the floor, which hides it."""
    return medium(NULL, (0, 0, -9), 0.05, sigma_t=0.01)


def smoke(half, centre):
    """A cube whose extinction varies (write_smoke)."""
    place = scale(2 * half, 2 * half, 2 * half) + move(*[c - half for c in centre])
    inside = (f'<medium type="heterogeneous" name="interior"><volume type="gridvolume" name="sigma_t"><string name="filename" value="smoke.vol"/>'
              f'<transform name="to_world">{place}</transform></volume>{rgb("albedo", 0.95, 0.85, 0.6)}<float name="scale" value="6"/>'
              '<phase type="hg"><float name="g" value="0.4"/></phase></medium>')
    return shape("cube", NULL, scale(half, half, half) + move(*centre), inside)


def write_smoke(path, edge=24):
    """Densities from 0 to 1 in stripes of several directions."""
    values = [((5 * x + 3 * y + 7 * z) % 29 / 28) ** 2 * (1 if (x // 4 + y // 6 + z // 5) % 3 else 0.1)
              for z in range(edge) for y in range(edge) for x in range(edge)]
    path.write_bytes(b"VOL\3" + struct.pack("<5i6f", 1, edge, edge, edge, 1, 0, 0, 0, 1, 1, 1) + struct.pack(f"<{len(values)}f", *values))


def list_scenes():
    """Name: (shapes, lights, Mitsuba's integrators, each with options of volrender)."""
    balls = sphere(diffuse(0.8, 0.4, 0.2), (-1.3, 0.4, 0.8), 0.8) + sphere(two_sided(diffuse(0.3, 0.7, 0.8)), (1.2, -0.4, 0.6), 0.6)
    mirror = sphere(conductor(GOLD), (0.3, 1.7, 1.0), 1.0)
    down = turn((1, 0, 0), 180)
    lamp = sphere(BLACK, (-1.8, -1.2, 3.2), 0.5, area(9, 8, 6))
    surfaces, media = {"path": []}, {"volpath": [], "volpathmis": []}
    return {
        "point": (unseen_medium() + floor(checker(6)) + balls + mirror, point((0.8, -1.5, 3.5), 18, 16, 12), surfaces),
        "spot": (unseen_medium() + floor(diffuse(0.6, 0.5, 0.4)) + balls + mirror, spot("1.5, -2, 4", "-0.3, 0.3, 0.3", 22, 30, 28, 25), surfaces),
        "areas": (unseen_medium() + floor(diffuse(0.6, 0.5, 0.4)) + balls + lamp
                  + shape("rectangle", BLACK, scale(0.6, 0.4, 1) + down + move(1.5, 0.5, 3), area(4, 5, 6))
                  + shape("disk", BLACK, scale(0.5, 0.5, 1) + turn((1, 0, 0), 60) + move(0, 2.6, 0.9), area(2, 1.5, 1)),
                  "", {"path": [], "ptracer": ["--integrator", "light"]}),
        "sky": (unseen_medium() + floor(checker(6)) + balls + mirror, ENVMAP, {"path": ["--nee", "on"]}),
        "sun": (medium(NULL, (-0.2, -0.6, 0.75), g=0.5) + floor(diffuse(0.6, 0.5, 0.4)) + sphere(diffuse(0.8, 0.4, 0.2), (1.5, 0.6, 0.8), 0.8),
                emitter("directional", f'<vector name="direction" x="0.5" y="0.4" z="-1"/>{rgb("irradiance", 3, 2.8, 2.5)}'), media),
        "matched": (medium(NULL, (0, -0.2, 0.95), 0.9, sigma_t=2.5, g=0.3) + floor(diffuse(0.6, 0.5, 0.4)) + lamp, point((1.8, -1, 2), 4, 5, 6), media),
        "smoke": (smoke(1.2, (0, 0, 1.3)) + floor(diffuse(0.6, 0.5, 0.4)) + shape("rectangle", BLACK, scale(0.8, 0.8, 1) + down + move(0.8, -0.5, 4), area(9, 8, 6)), "", media),
        "glass": (medium(rough_dielectric(1.4, 0.25), (0.2, -0.9, 0.65)) + floor(checker(6)) + sphere(dielectric("dielectric", 1.5), (1.6, 0.6, 0.8), 0.8)
                  + sphere(BLACK, (-0.8, 0.8, 4.2), 1.4, area(3, 2.8, 2.5)), "", {"volpath": []}),
    }


def measure(mi, np, arguments, folder, name, integrator, options):
    volume, stem = folder / f"{name}.vpk", f"{name}_{integrator}"
    film, reference = folder / f"{stem}.vpf", folder / f"{stem}_mitsuba.exr"
    samples = arguments.spp * (16 if integrator == "ptracer" else 1)
    run(arguments.bin / "volrender", volume, *options, "--spp", samples, "--seed", 1, "--device", arguments.device, "-q", "-o", film,
        "-o", folder / f"{stem}.exr")
    method = mi.load_dict({"type": integrator, "max_depth": MOST_EVENTS, "rr_depth": NO_ROULETTE})
    pictures = render_mitsuba(mi, np, folder / f"{name}.xml", samples, arguments.seeds, method)
    write_reference(mi, np, reference, pictures)
    row = {"scene": name, "integrator": integrator, "spp": samples, "seeds": arguments.seeds}
    row |= compare(np, *read_picture(mi, np, folder / f"{stem}.exr"), pictures)
    row |= judge(arguments, folder, stem, film, reference)
    print(f"{stem:20} z {' '.join(f'{z:+.1f}' for z in row['z'])}, worst block {row['worst_block']}, rms {row['blocks_rms_z']:.2f}, "
          f"{row['verdict']} {row['reasons']}", file=sys.stderr)
    return row


def main():
    scenes = list_scenes()
    parser = make_parser(__doc__, scenes, 256, "samples per pixel of both; 16 times as many of light and ptracer", 32)
    parser.add_argument("--device", default="cpu", help="as volrender's")
    arguments = parser.parse_args()
    mi, np = import_mitsuba(arguments.variant)
    rows = []
    with contextlib.ExitStack() as stack:
        folder = arguments.out or pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        write_smoke(folder / "smoke.vol")
        write_sky(np, folder / "sky.pfm")
        for name in arguments.scene or scenes:
            shapes, lights, integrators = scenes[name]
            write_scene(folder / f"{name}.xml", shapes, lights, PINHOLE)
            print(run(arguments.bin / "volprep", folder / f"{name}.xml", "-o", folder / f"{name}.vpk").stderr, file=sys.stderr, end="")
            rows += [measure(mi, np, arguments, folder, name, integrator, options) for integrator, options in integrators.items()]
    print("| scene | Mitsuba's integrator | volrender | Mitsuba | difference in standard errors | blocks: rms of z, worst of "
          f"{rows[0]['blocks']} | volcompare |\n|---|---|---|---|---|---|---|", file=sys.stderr)
    for row in rows:
        print(f"| {row['scene']} | {row['integrator']} | {' '.join(f'{v:.4f}' for v in row['volrender'])} | {' '.join(f'{v:.4f}' for v in row['mitsuba'])} | "
              f"{' '.join(f'{v:+.1f}' for v in row['z'])} | {row['blocks_rms_z']:.2f}, {row['worst_block']['z']:+.1f} | {row['verdict']} |", file=sys.stderr)
    print(json.dumps(rows, indent=1))
    return 0 if all(row["verdict"] == "pass" and min(map(abs, row["z"])) < 3 for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
