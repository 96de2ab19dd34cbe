#!/usr/bin/env python3
# Packs the scenes of the GPU benchmarks, and writes their views into scenes.json beside the volumes.
"""gpu_scenes.py --bin BUILD/bin [--data FOLDER] OUT

cube, cgg-logo and ad are made; bucky, smoke, ct-head and ct-lung come from the public datasets in --data and are left out,
visibly, without it. The sizes and densities are those of Forti 2018; his datasets artifix and manix are not among them, so
that a chest CT and a CT head of about their size, colours and optical depth stand in for them.
"""

import argparse
import dataclasses
import json
import pathlib
import subprocess
import sys

ROUGH = "--boundary rough --alpha 0.1 --int-ior 1.05 --ext-ior 1.01 --microfacets single"
FROM_AFAR = "--origin 0,0,100 --target 0,0,0 --up 0,1,0"


@dataclasses.dataclass
class Scene:
    name: str
    pack: str  # arguments of volprep; {data} and {work} are folders
    view: str  # arguments of volrender
    note: str
    stands_for: str = ""  # the scene of the thesis that it is not, but takes the place of
    needs: str = ""  # a file of the public datasets

    def describe(self, volume: pathlib.Path) -> dict:
        return {"name": self.name, "volume": volume.name, "view": self.view.split(), "note": self.note, "stands_for": self.stands_for}


# The thesis renders without roulette, and its facets scatter light once.
SCENES = [
    Scene("cube", "--make cube --dims 1,1,1 --size 1 --sigma-t 100 --albedo 1",
          "--ortho 1 --origin 0,0,-5 --target 0,0,0 --resolution 512x512 --boundary none --roulette off",
          "homogeneous white unit cube, sigma_t 100, no boundary, parallel rays over its whole face"),
    Scene("cgg-logo", "--slab {work}/logo.png --dims 100,100,100 --size 1mm,1mm,1mm --ink-share 0.1 --side +z --sigma-t 100 --base-albedo 1",
          f"{FROM_AFAR} --fov 0.7 --resolution 400x400 {ROUGH} --roulette off",
          "print of 100^3 voxels, rough boundary 1.05/1.01, alpha 0.1; a third of the rays miss the cube"),
    Scene("ad", "--slab {work}/ad.png --dims 320,320,100 --size 3.2mm,3.2mm,1mm --ink-share 0.1 --side +z --sigma-t 100 --base-albedo 1",
          f"{FROM_AFAR} --fov 2 --resolution 400x400 {ROUGH} --roulette off",
          "print of 320x320x100 voxels, our own poster, the boundary of cgg-logo"),
    Scene("bucky", "{data}/nvidia-cuda-samples/Bucky.raw --dims 32,32,32 --type u8 --pitch 0.03125mm --window 0,255 "
          "--transfer green-red-blue --scale 40",
          "--resolution 1024x1024 --boundary none --roulette off --majorant global",
          "32^3 voxels, sigma_t 0 to 40, coloured by density, framed", needs="nvidia-cuda-samples/Bucky.raw"),
    Scene("smoke", "{data}/lajolla/hetvol.xml --scale 800", "--boundary none --roulette off --majorant global",
          "128x128x50 voxels, density scale 800, albedo 0.9, the camera of its Mitsuba scene", needs="lajolla/hetvol.xml"),
    Scene("ct-lung", "{data}/elastix/3DCT_lung.mha --window -1000,1000 --transfer grey-red-blue --scale 0.3",
          "--resolution 400x400 --boundary none --roulette off --majorant global",
          "chest CT, 115x157x129 voxels, at most 97 mean free paths long", "artifix", "elastix/3DCT_lung.mha"),
    Scene("ct-head", "{data}/pyvista-data/headsq_64x64x93.mhd --window 0,3926 --transfer grey-red-blue --scale 0.5",
          "--resolution 400x400 --boundary none --roulette off --majorant global",
          "CT head, 64x64x93 voxels, at most 102 mean free paths long", "manix", "pyvista-data/headsq_64x64x93.mhd"),
]


def pack_scenes(bin_folder: pathlib.Path, data: pathlib.Path | None, work: pathlib.Path) -> list[dict]:
    """Packs what can be packed into `work`; the scenes as scenes.json has them."""
    root = pathlib.Path(__file__).resolve().parent.parent
    for texture in ("logo", "ad"):
        subprocess.run([sys.executable, "-B", root / "pipelines/draw_textures.py", texture, work / f"{texture}.png"], check=True)
    packed = []
    for scene in SCENES:
        if scene.needs and (data is None or not (data / scene.needs).exists()):
            print(f"skipped: {scene.name} needs {scene.needs} in --data", file=sys.stderr)
            continue
        volume = work / f"{scene.name}.vpk"
        words = [word.format(data=data, work=work) for word in scene.pack.split()]
        subprocess.run([bin_folder / "volprep", *words, "-o", volume, "-q"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        packed.append(scene.describe(volume))
    (work / "scenes.json").write_text(json.dumps(packed, indent=2) + "\n")
    return packed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    data = arguments.data.resolve() if arguments.data else None
    for scene in pack_scenes(arguments.bin.resolve(), data, arguments.out.resolve()):
        print(f"{scene['name']:10} {scene['note']}")


if __name__ == "__main__":
    main()
