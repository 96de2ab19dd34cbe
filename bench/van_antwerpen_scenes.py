#!/usr/bin/env python3
# Packs scenes of light that is hard to find, like those of van Antwerpen 2011, and writes their views into scenes.json beside the volumes.
"""van_antwerpen_scenes.py --bin BUILD/bin [--scene NAME]... OUT

His scenes are not public. door stands for Invisible Date (a lamp in the next room), lens for Kitchen (lamps behind lenses), caustic for Buddha (a caustic by
reflection), egg for Glass Egg (glass in a homogeneous medium, his figure 9), box for Cornell Box. print, beam_probe and cloud are of this suite's own kind.
Lengths are in mm. Everything is made here, by Python's standard library."""

import argparse
import dataclasses
import itertools
import json
import math
import pathlib
import random
import shlex
import subprocess
import sys

from surface_scenes import (BLACK, GOLD, NULL, area, checker, conductor, dielectric, diffuse, inside, move, named_medium, number, refer, scale, shape, sphere, turn,
                            two_sided)
from turned_shapes import make_egg, make_lens, make_ring, make_vase, write_turned

WHITE, WALL = diffuse(0.75, 0.75, 0.73), diffuse(0.72, 0.68, 0.6)
LENS_CENTRE, LENS_TARGET = (-1.5, -0.1, 2.1), (0.75, 0.3, 0)
SNOOT, EGG_TARGET = (-2.3, 0.3, 3.9), (0, 0, 0.75)


@dataclasses.dataclass
class Scene:
    name: str
    pack: list[str]  # commands of volprep, in OUT
    view: str  # options of volrender that are measured
    picture: str  # options of volrender for the picture in docs/pictures
    note: str
    stands_for: str = ""  # the scene of van Antwerpen whose light it has

    def describe(self) -> dict:
        return {"name": self.name, "volume": f"{self.name}.vpk", "view": shlex.split(self.view), "picture": shlex.split(self.picture), "note": self.note,
                "stands_for": self.stands_for}


def milk(sigma_t):
    return inside(sigma_t, (0.99, 0.97, 0.93), 0.5)


def block(low, high, bsdf, words=""):
    half = [0.5 * (b - a) for a, b in zip(low, high)]
    return shape("cube", bsdf, scale(*half) + move(*[0.5 * (a + b) for a, b in zip(low, high)]), words)


def mesh(name, bsdf, to_world="", words=""):
    return shape("obj", bsdf, to_world, f'<string name="filename" value="{name}.obj"/>' + words)


def panel(to_world, bsdf, words=""):
    """A square of edge 2 that looks to +z before it is moved."""
    return shape("rectangle", bsdf, to_world, words)


def aim(origin, target):
    """Turns +z to the target and moves the origin there."""
    along = [b - a for a, b in zip(origin, target)]
    polar = math.degrees(math.acos(along[2] / math.hypot(*along)))
    return turn((0, 1, 0), polar) + turn((0, 0, 1), math.degrees(math.atan2(along[1], along[0]))) + move(*origin)


def behind(origin, target, distance):
    """On the ray from target to origin, beyond the origin."""
    along = [a - b for a, b in zip(origin, target)]
    return [a + distance * d / math.hypot(*along) for a, d in zip(origin, along)]


def make_door_leaf():
    """Two sunk panels, a knob; hinged at its right, it stands 11 degrees open into the room of the camera."""
    place = turn((0, 0, 1), 11) + move(1.2, 4.42, 0)
    part = lambda low, high, bsdf: shape("cube", bsdf, scale(*[0.5 * (b - a) for a, b in zip(low, high)]) + move(*[0.5 * (a + b) for a, b in zip(low, high)]) + place)
    wood = diffuse(0.78, 0.72, 0.62)
    frame = [((-0.9, -0.05, 0.01), (-0.78, 0, 2.08)), ((-0.12, -0.05, 0.01), (0, 0, 2.08)), ((-0.78, -0.05, 1.96), (-0.12, 0, 2.08)),
             ((-0.78, -0.05, 0.95), (-0.12, 0, 1.1)), ((-0.78, -0.05, 0.01), (-0.12, 0, 0.2))]
    knob = shape("cube", diffuse(0.7, 0.55, 0.2), scale(0.05, 0.03, 0.012) + move(-0.8, -0.1, 1.02) + place) + part((-0.83, -0.1, 1.01), (-0.81, -0.05, 1.03), wood)
    return "".join(part(low, high, wood) for low, high in frame) + part((-0.78, -0.03, 0.2), (-0.12, -0.01, 1.96), wood) + knob


def make_door():
    """The lamp is behind the wall beside the door: no straight line leads from it through the gap, so all light has been scattered in the next room or by the door."""
    brown, trim = diffuse(0.42, 0.26, 0.15), diffuse(0.7, 0.7, 0.68)
    table = block((-1.25, 2.55, 0.72), (0.15, 3.3, 0.78), brown) + "".join(
        block((x, y, 0), (x + 0.07, y + 0.07, 0.72), brown) for x in (-1.22, 0.05) for y in (2.58, 3.2))
    frame = block((0.2, 4.36, 0), (0.3, 4.4, 2.2), trim) + block((1.2, 4.36, 0), (1.3, 4.4, 2.2), trim) + block((0.3, 4.36, 2.1), (1.2, 4.4, 2.2), trim)
    return (block((-2.2, -0.2, -0.1), (2.2, 8.2, 0), diffuse(0.5, 0.42, 0.34)) + block((-2.2, -0.2, 2.6), (2.2, 8.2, 2.7), WHITE)
            + block((-2.2, -0.2, 0), (-2, 8.2, 2.6), diffuse(0.45, 0.58, 0.66)) + block((2, -0.2, 0), (2.2, 8.2, 2.6), diffuse(0.66, 0.42, 0.33))
            + block((-2, -0.2, 0), (2, 0, 2.6), WALL) + block((-2, 8, 0), (2, 8.2, 2.6), WHITE)
            + block((-2, 4.4, 0), (0.3, 4.6, 2.6), WALL) + block((1.2, 4.4, 0), (2, 4.6, 2.6), WALL) + block((0.3, 4.4, 2.1), (1.2, 4.6, 2.6), WALL)
            + frame + make_door_leaf() + table + mesh("vase", diffuse(0.2, 0.42, 0.6), move(-0.95, 2.95, 0.78)) + sphere(diffuse(0.8, 0.6, 0.2), (-0.42, 2.85, 0.95), 0.17)
            + block((-0.2, 2.95, 0.785), (0.06, 3.21, 1.045), NULL, milk(25)) + sphere(BLACK, (-0.9, 5.2, 1.7), 0.2, area(1500, 1350, 1100)))


def make_lens_scene():
    tube, lamp = behind(LENS_CENTRE, LENS_TARGET, 1.25), behind(LENS_CENTRE, LENS_TARGET, 0.9)
    length = math.dist(tube, LENS_CENTRE) + 0.12
    housing = two_sided(diffuse(0.35, 0.34, 0.33))
    return (panel(scale(8, 8, 1), checker(20, (0.75, 0.7, 0.6), (0.45, 0.42, 0.38))) + panel(scale(8, 8, 1) + turn((1, 0, 0), 90) + move(0, 1.7, 0), diffuse(0.62, 0.68, 0.74))
            + shape("cylinder", housing, scale(0.53, 0.53, length) + aim(tube, LENS_TARGET)) + shape("disk", housing, scale(0.53, 0.53, 1) + aim(tube, LENS_TARGET))
            + sphere(BLACK, lamp, 0.12, area(2250, 2050, 1750)) + mesh("lens", dielectric("dielectric", 1.5), aim(LENS_CENTRE, LENS_TARGET))
            + block((0.95, 0.3, 0.005), (1.4, 0.75, 0.455), NULL, milk(12)) + sphere(diffuse(0.7, 0.16, 0.1), (0.35, 0.8, 0.22), 0.22))


def make_caustic():
    room = panel(scale(7, 7, 1), diffuse(0.5, 0.47, 0.42)) + "".join(
        panel(scale(7, 4, 1) + turn((1, 0, 0), 90) + move(0, 7, 4) + turn((0, 0, 1), angle), diffuse(0.1, 0.11, 0.12)) for angle in (0, 90, 180, 270))
    return (room + panel(scale(7, 7, 1) + turn((1, 0, 0), 180) + move(0, 0, 8), diffuse(0.1, 0.11, 0.12)) + mesh("ring", conductor(GOLD), move(0, 0, 0.002))
            + sphere(BLACK, (-5.2, 2.6, 4.6), 0.15, area(2600, 2460, 2250)) + sphere(diffuse(0.2, 0.4, 0.62), (1.5, -0.95, 0.25), 0.25)
            + block((-1.55, -1.25, 0.005), (-1.05, -0.75, 0.505), NULL, milk(12)))


def make_egg_scene():
    rim = behind(SNOOT, EGG_TARGET, 1.1)
    tube = two_sided(diffuse(0.02, 0.02, 0.02))
    return (named_medium("fog", 0.28, (0.9, 0.9, 0.9), 0.2) + shape("cube", NULL, scale(2.2, 1.9, 1.45) + move(0.2, 0, 1.455), refer("fog", ""))
            + mesh("egg", dielectric("dielectric", 1.5), move(0, 0, 0.02), refer("", "fog"))
            + panel(scale(9, 9, 1), diffuse(0.4, 0.37, 0.33)) + panel(scale(9, 9, 1) + turn((1, 0, 0), 90) + move(0, 3, 0), diffuse(0.25, 0.27, 0.3))
            + shape("cylinder", tube, scale(0.22, 0.22, 1.1) + aim(rim, EGG_TARGET))
            + shape("disk", BLACK, scale(0.12, 0.12, 1) + aim(rim, EGG_TARGET), area(3200, 3000, 2700)))


def make_box():
    lamp = panel(scale(0.3, 0.25, 1) + turn((1, 0, 0), 180) + move(0, 0.1, 1.995), BLACK, area(17, 14, 9))
    return (panel(scale(1, 1, 1), WHITE) + panel(turn((1, 0, 0), 180) + move(0, 0, 2), WHITE) + panel(turn((1, 0, 0), 90) + move(0, 1, 1), WHITE)
            + panel(turn((0, 1, 0), 90) + move(-1, 0, 1), diffuse(0.63, 0.06, 0.05)) + panel(turn((0, 1, 0), -90) + move(1, 0, 1), diffuse(0.14, 0.45, 0.09)) + lamp
            + shape("cube", WHITE, scale(0.3, 0.3, 0.6) + turn((0, 0, 1), -17) + move(-0.35, 0.3, 0.6))
            + shape("cube", NULL, scale(0.29, 0.29, 0.29) + turn((0, 0, 1), 18) + move(0.34, -0.3, 0.295), milk(10)))


MADE = {"door": make_door, "lens": make_lens_scene, "caustic": make_caustic, "egg": make_egg_scene, "box": make_box}
SMALL = "--resolution 96x72 --boundary none"
DOOR_VIEW = "--origin -0.9,0.15,1.45 --target 0.0,4.4,1.1 --up 0,0,1 --fov 50 --boundary none"
BOX_VIEW = "--origin 0,-4.6,1 --target 0,0,1 --up 0,0,1 --fov 32 --boundary none"
CLOUD_LIGHT = "--light 'sun direction=1,0.5,-0.7 angle=3 irradiance=3'"

SCENES = [
    Scene("door", ["{xml} -o {out}"], f"{DOOR_VIEW} --resolution 96x72", f"{DOOR_VIEW} --resolution 400x300",
          "a room whose only light comes through the gap of a door, from a lamp in the next room that it does not see", "Invisible Date"),
    Scene("lens", ["{xml} -o {out}"], f"{SMALL} --origin 0.9,-3.2,2.6 --target 0.7,0.3,0.1 --up 0,0,1 --fov 34",
          "--boundary none --resolution 480x360 --origin 1.5,-6.6,3.0 --target -0.5,0.4,1.25 --up 0,0,1 --fov 38",
          "a lamp in a tube behind a lens: all its light on the floor is a caustic", "Kitchen"),
    Scene("caustic", ["{xml} -o {out}"], f"{SMALL} --origin 0,0,6 --target 0,0,0 --up 0,1,0 --ortho 1.05",
          "--boundary none --resolution 480x360 --origin 1.2,-4.3,4.0 --target 0.05,-0.05,0.1 --up 0,0,1 --fov 32",
          "the caustic of a gold ring, seen from above inside the ring", "Buddha"),
    Scene("egg", ["{xml} -o {out}"], "--resolution 96x72 --origin 0.4,-6.6,1.9 --target 0.15,0,1.2 --up 0,0,1 --fov 36",
          "--resolution 480x360 --origin 0.4,-6.6,1.9 --target 0.15,0,1.2 --up 0,0,1 --fov 36", "a glass egg in fog, in the light of a small lamp in a tube", "Glass Egg"),
    Scene("box", ["{xml} -o {out}"], f"{BOX_VIEW} --resolution 72x72", f"{BOX_VIEW} --resolution 400x400",
          "a box with an area light, a diffuse and a scattering block", "Cornell Box"),
    Scene("print", ["--slab {texture} --dims 80,80,16 --size 16mm,16mm,3.2mm --ink-share 0.25 --side +z --sigma-t 6 --base-albedo 0.9995 -o {out}"],
          "--boundary smooth --int-ior 1.5 --ground diffuse:.4 --light 'area origin=-14,4,20 direction=14,-4,-18 radius=3 power=9000' --resolution 80x60 "
          "--origin 6,-26,22 --target 0,0,0.5 --up 0,0,1 --fov 42", "", "a print of white resin behind a refracting boundary, under a disk"),
    Scene("beam_probe", ["--make slab --dims 32,32,16 --size 4mm,4mm,2mm --sigma-t 4 --albedo 0.95 --g 0.5 -o {out}"],
          "--boundary none --probe top --view diffuse --resolution 32x32 --light 'beam origin=0,0,6 direction=0,0,-1 radius=0.3 power=2'", "",
          "a beam into a slab, whose face is seen diffusely"),
    Scene("cloud", ["cloud.mha --window 0,255 --scale 24 --albedo .999,.995,.99 --g 0.6 -o {out}"],
          f"{SMALL} {CLOUD_LIGHT}", "", "a cloud of varying density under a sun of 3 degrees"),
]


def write_cloud(path: pathlib.Path) -> None:
    """64 x 64 x 48 voxels of 0.125 mm: balls that are dense in their middles, in empty space, as a MetaImage."""
    chance = random.Random(5)
    balls = []
    for _ in range(40):
        radius = chance.uniform(4, 11)
        balls.append((radius, [chance.uniform(radius, size - radius) for size in (64, 64, 40)]))
    voxels = bytearray()
    for z, y, x in itertools.product(range(48), range(64), range(64)):
        density = sum(max(0.0, 1 - ((x - a) ** 2 + (y - b) ** 2 + (z - c) ** 2) / radius**2) for radius, (a, b, c) in balls)
        voxels.append(min(255, round(110 * density)))
    header = "ObjectType = Image\nNDims = 3\nDimSize = 64 64 48\nElementSpacing = 0.125 0.125 0.125\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n"
    path.write_bytes(header.encode() + voxels)


def write_meshes(folder: pathlib.Path) -> None:
    for name, pieces, sides in (("egg", make_egg(1.5, 1.12), 192), ("lens", make_lens(0.5, 1.0, 0.04), 192), ("ring", make_ring(1.0, 1.05, 0.5), 384),
                                ("vase", make_vase(0.62), 96)):
        write_turned(folder / f"{name}.obj", pieces, sides)


def pack_scene(program: pathlib.Path, folder: pathlib.Path, scene: Scene) -> None:
    if scene.name in MADE:
        (folder / f"{scene.name}.xml").write_text(f'<scene version="3.0.0">\n{MADE[scene.name]()}</scene>\n')
    files = {"xml": f"{scene.name}.xml", "out": f"{scene.name}.vpk", "texture": "ad.png"}
    for command in scene.pack:
        words = [program, *command.format(**files).split(), "-q"]
        answer = subprocess.run(words, cwd=folder, capture_output=True, text=True)
        if answer.returncode != 0:
            sys.exit(f"{' '.join(map(str, words))}: {answer.stderr}")


def pack_scenes(bin_folder: pathlib.Path, folder: pathlib.Path, names: list[str] | None = None) -> list[dict]:
    """Packs into `folder`; the scenes as scenes.json has them."""
    folder.mkdir(parents=True, exist_ok=True)
    write_meshes(folder)
    write_cloud(folder / "cloud.mha")
    textures = pathlib.Path(__file__).resolve().parent.parent / "pipelines/draw_textures.py"
    subprocess.run([sys.executable, "-B", textures, "ad", folder / "ad.png"], check=True)
    packed = []
    for scene in SCENES:
        if not names or scene.name in names:
            pack_scene(bin_folder / "volprep", folder, scene)
            packed.append(scene.describe())
    (folder / "scenes.json").write_text(json.dumps(packed, indent=1) + "\n")
    return packed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of the tools")
    parser.add_argument("--scene", action="append", choices=[scene.name for scene in SCENES])
    parser.add_argument("out", type=pathlib.Path)
    arguments = parser.parse_args()
    for scene in pack_scenes(arguments.bin.resolve(), arguments.out.resolve(), arguments.scene):
        print(f"{scene['name']:10} {scene['note']}")


if __name__ == "__main__":
    main()
