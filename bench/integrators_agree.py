#!/usr/bin/env python3
# Scenes with emitters, rendered from the film and from the emitters, compared by statistics; as JSON and as a table.
"""integrators_agree.py --bin BUILD/bin [--out FOLDER] [--scene NAME]... [--samples 1] [--device cpu|cuda] > agree.json

Each scene is rendered by --integrator path and by --integrator light, with different seeds, and volcompare --statistical judges the two films. The table has its verdict,
the means over all pixels with their standard errors, and the difference in standard errors, by band. --samples multiplies the samples per pixel of all
scenes: with 1, a render takes seconds on two cores. --out keeps volumes and films. Exit status 1: a verdict is negative.

No path from the film finds a slit. There paths are connected to 12 beams side by side, with radii of a twentieth of a mean free path: for the texels of the
probe, an eighth of a mean free path wide, the difference is below the noise."""

import argparse
import contextlib
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

VIEW = ["--resolution", "48x32"]
SMALL_VIEW = ["--resolution", "32x32"]


def write_labels(path, dims, pitch, find_id, materials):
    """Ids by place from the centre as .mha, and the table of their materials beside it."""
    places = [[pitch * (i + 0.5 - 0.5 * count) for i in range(count)] for count in dims]
    ids = bytes(find_id((x, y, z)) for z in places[2] for y in places[1] for x in places[0])
    path.write_bytes(f"ObjectType = Image\nNDims = 3\nDimSize = {dims[0]} {dims[1]} {dims[2]}\nElementSpacing = {pitch} {pitch} {pitch}\n"
                     f"Offset = {places[0][0]} {places[1][0]} {places[2][0]}\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n".encode() + ids)
    path.with_suffix(".json").write_text(json.dumps({"materials": [{"name": "air", "air": True}, *materials]}))


def write_slab(path):
    """A slab with a hole around the lamp: with a point light in contact with the medium, paths have no finite variance."""
    write_labels(path, (48, 48, 16), 0.125, lambda p: 0 if math.dist(p, (0.5, 0.3, 0.2)) < 0.5 else 1,
                 [{"name": "slab", "sigma_t": [1.5, 1.5, 1.5], "albedo": [0.98, 0.9, 0.7], "g": 0.3}])


def write_balls(path):
    """A ball of one medium, and in it, off its centre, one of another."""
    write_labels(path, (40, 40, 40), 0.05, lambda p: 2 if math.dist(p, (0.2, -0.1, 0.2)) < 0.5 else 1 if math.dist(p, (0, 0, 0)) < 0.9 else 0,
                 [{"name": "shell", "sigma_t": [1.5], "albedo": [0.95], "g": 0.5}, {"name": "core", "sigma_t": [6.0], "albedo": [0.8]}])


def write_sky(path, width=128):
    """Lat-long, one band that varies by a factor of 50, in large spots."""
    height = width // 2
    rows = []
    for row in reversed(range(height)):  # .pfm begins with the lowest row
        polar = math.pi * (row + 0.5) / height
        for column in range(width):
            azimuth = 2 * math.pi * (column + 0.5) / width
            direction = (math.sin(polar) * math.sin(azimuth), math.cos(polar), -math.sin(polar) * math.cos(azimuth))
            spot = sum(a * b for a, b in zip(direction, (0.48, 0.8, -0.36)))
            rows.append(0.1 + 5 * math.exp(20 * (spot - 1)))
    path.write_bytes(b"Pf\n%d %d\n-1.0\n" % (width, height) + struct.pack(f"<{len(rows)}f", *rows))


def write_spheres(path):
    """A mirror outside of the view, with its caustic and its shadow in the view, and diffuse spheres; the light is a sphere."""
    rgb = lambda name, value: f'<rgb name="{name}" value="{value}"/>'
    sphere = lambda centre, radius, words: (f'<shape type="sphere"><point name="center" x="{centre[0]}" y="{centre[1]}" z="{centre[2]}"/>'
                                            f'<float name="radius" value="{radius}"/>{words}</shape>\n')
    diffuse = lambda *colour: f'<bsdf type="diffuse">{rgb("reflectance", " ".join(map(str, colour)))}</bsdf>'
    medium = ('<medium type="homogeneous" name="interior"><float name="sigma_t" value="3"/>' + rgb("albedo", "0.9 0.8 0.5")
              + '<phase type="isotropic"/></medium>')
    path.write_text(f"""<scene version="3.0.0">
<sensor type="orthographic"><transform name="to_world"><scale value="2"/><lookat origin="0, 0, 8" target="0, 0, 0" up="0, 1, 0"/></transform>
<film type="hdrfilm"><integer name="width" value="48"/><integer name="height" value="32"/></film></sensor>
<shape type="cube"><transform name="to_world"><scale value="0.4"/><translate value="-1, 0.2, 0.5"/></transform><bsdf type="null"/>{medium}</shape>
<shape type="rectangle"><transform name="to_world"><scale value="6"/></transform>{diffuse(0.5, 0.6, 0.7)}</shape>
{sphere((2.9, 0, 1), 0.85, '<bsdf type="conductor"/>')}{sphere((0.6, 0.5, 0.5), 0.4, diffuse(0.8, 0.3, 0.2))}{sphere((0.3, -0.7, 0.9), 0.3, diffuse(0.2, 0.8, 0.3))}
{sphere((-3.4, -0.5, 4), 0.7, '<emitter type="area">' + rgb("radiance", "40 40 32") + "</emitter>")}</scene>
""")


def write_figurine(path):
    tool = pathlib.Path(__file__).resolve().parent.parent / "pipelines" / "make_figurine.py"
    subprocess.run([sys.executable, tool, path, "--rings", "48", "--sides", "48"], check=True)


def list_scenes():
    """By name: title in the table; arguments of volprep; options of both renders; further options of --integrator path; samples per pixel by path and by light. A medium
    whose index is that of its surroundings has no boundary."""
    matched = ["--boundary", "none"]
    slit = [word for i in range(12) for word in ("--light", f"beam origin={0.1 * (i - 5.5):.2f},0,3 direction=0,0,-1 radius=0.05 power={1 / 12:.6f}")]
    return {
        "beam": ("a beam into a cube, seen by a diffuse probe", "--make cube --dims 32,32,32 --size 2mm --sigma-t 4 --albedo 0.95 --g 0.5",
                 [*matched, "--probe", "top", "--view", "diffuse", "--light", "beam origin=0,0,3 direction=0,0,-1 radius=0.4 power=2"], [], 4000, 4000),
        "lamp": ("a point in a hole of an index-matched slab", "slab.mha --materials slab.json",
                 [*matched, *VIEW, "--light", "point origin=0.5,0.3,0.2 power=1"], [], 10000, 2000),
        "fog": ("a spot through varying fog", "--make noise --dims 32,32,32 --size 4mm --sigma-t 2.5 --albedo 0.95 --g 0.6",
                [*matched, *VIEW, "--light", "spot origin=3,-1,3 direction=-3,1,-3 angle=30 inner=25 power=3"], [], 5000, 1000),
        "fire": ("a cloud that glows", "--make noise --dims 32,32,32 --size 4mm --sigma-t 1.5 --albedo 0.6,0.5,0.3 --emission 1,0.3,0.05", [*matched, *VIEW], [], 1000, 2000),
        "figurine": ("a disk over a figurine on a ground", "figurine.stl --sigma-t 3 --albedo 0.98,0.93,0.8",
                     [*matched, *VIEW, "--ground", "diffuse:.5", "--origin", "60,-90,60", "--target", "0,0,11", "--up", "0,0,1", "--fov", "22",
                      "--light", "area origin=-40,-40,60 direction=40,40,-50 radius=12 power=40000"], [], 256, 2000),
        "sun": ("a sun of radiance 1e5, 0.53 degrees wide, on resin of the ink M", "--make slab --size 4,4,2 --sigma-t 2.5,3,10 --albedo 0.98,0.1,0.9 --g 0.4",
                [*matched, *VIEW, "--light", "sun direction=1,0.4,-1.5 angle=0.53 radiance=1e5"], [], 1000, 2000),
        "spheres": ("a mirror sphere's caustic, diffuse spheres and their shadows under a sphere", "spheres.xml", [], [], 1000, 8000),
        "slit": ("a slit on a slab", "--make slab --dims 16,16,8 --size 2,2,1 --sigma-t 1 --albedo 0.9",
                 [*matched, "--probe", "top", "--view", "diffuse"], slit, 60000, 20000),
        "nested": ("two nested balls, as labels, under a sphere", "balls.mha --materials balls.json",
                   [*matched, *SMALL_VIEW, "--light", "sphere center=1.5,-1.5,2 radius=0.5 power=10"], [], 2000, 16000),
        "environment": ("an environment image that varies by a factor of 50, on a cloud", "--make noise --dims 32,32,32 --size 3mm --sigma-t 3 --albedo 0.9",
                        [*matched, *VIEW, "--env", "sky.pfm", "--env-up", "+z"], ["--nee", "on"], 1000, 1500),
    }


SLIT_LIGHT = ["--light", "slit origin=0,0,3 direction=0,0,-1 u=0.6,0,0 power=1"]


def write_files(folder):
    write_slab(folder / "slab.mha")
    write_balls(folder / "balls.mha")
    write_sky(folder / "sky.pfm")
    write_spheres(folder / "spheres.xml")
    write_figurine(folder / "figurine.stl")


def run(folder, *words, statuses=(0,)):
    answer = subprocess.run([str(word) for word in words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if answer.returncode not in statuses:
        sys.exit(f"{' '.join(map(str, words))}: {answer.stderr}")
    return json.loads(answer.stdout) if "--json" in words else {}


def measure(arguments, folder, name, description):
    title, volume, options, film_options, path_samples, light_samples = description
    run(folder, arguments.bin / "volprep", *volume.split(), "-o", f"{name}.vpk", "-q")
    device = ["--device", arguments.device, "--json", "-q"]
    render = lambda kind, seed, samples, more: run(
        folder, arguments.bin / "volrender", f"{name}.vpk", *options, *more, "--integrator", kind, "--seed", seed, "--spp",
        max(16, round(arguments.samples * samples)), "-o", f"{name}_{kind}.vpf", *device)
    path = render("path", 1, path_samples, film_options)
    light = render("light", 2, light_samples, SLIT_LIGHT if name == "slit" else [])
    verdict = run(folder, arguments.bin / "volcompare", f"{name}_light.vpf", f"{name}_path.vpf", "--statistical", "--json", statuses=(0, 1))
    row = {"scene": name, "title": title, "verdict": verdict["verdict"], "reasons": verdict["reasons"]}
    for kind, answer in (("path", path), ("light", light)):
        row[kind] = {key: answer[key] for key in ("mean", "standard_error", "samples", "seconds_render", "device")}
    row["z"] = [(a - b) / math.hypot(s, t) for a, b, s, t in
                zip(light["mean"], path["mean"], light["standard_error"], path["standard_error"])]
    print(f"{name:12} z {' '.join(f'{z:+.1f}' for z in row['z'])}, {path['seconds_render']:.1f} s and {light['seconds_render']:.1f} s, "
          f"{row['verdict']} {row['reasons']}", file=sys.stderr)
    return row


def describe_mean(side):
    return ", ".join(f"{mean:.4g} ({100 * error / mean:.2f} %)" for mean, error in zip(side["mean"], side["standard_error"]))


def main():
    scenes = list_scenes()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of the tools")
    parser.add_argument("--out", type=pathlib.Path, help="keep volumes and films there")
    parser.add_argument("--scene", action="append", choices=list(scenes))
    parser.add_argument("--samples", type=float, default=1.0, help="factor on the samples per pixel of all scenes")
    parser.add_argument("--device", default="cpu", help="as volrender's")
    arguments = parser.parse_args()
    arguments.bin = arguments.bin.resolve()
    with contextlib.ExitStack() as stack:
        folder = (arguments.out or pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        write_files(folder)
        rows = [measure(arguments, folder, name, scenes[name]) for name in arguments.scene or scenes]
    print("| scene | `path`: mean (standard error) | `light` | difference in standard errors | samples per pixel | `volcompare --statistical` |\n"
          "|---|---|---|---|---|---|", file=sys.stderr)
    for row in rows:
        print(f"| {row['title']} | {describe_mean(row['path'])} | {describe_mean(row['light'])} | {' '.join(f'{z:+.1f}' for z in row['z'])} | "
              f"{row['path']['samples']}, {row['light']['samples']} | {row['verdict']} |", file=sys.stderr)
    print(json.dumps(rows, indent=1))
    return 0 if all(row["verdict"] == "pass" for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
