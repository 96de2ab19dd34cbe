#!/usr/bin/env python3
# Rates of paths in triangle meshes beside those of a box of the same medium, and lost paths, as JSON on stdout.
"""objects.py --bin BUILD/bin [--device cuda] [--kernel NAME] [--samples 100] [--furnace 0] [--mitsuba SECONDS] > objects.json

A white medium of 100 mean free paths in: the box; the box of 256^3 voxels with local majorants; a cube of 12 triangles; spheres of 80,088 and 998,000
triangles. Each without a boundary and with a smooth one of IOR 1.5, 512 x 512 pixels, without roulette, `--samples` samples; four times
as many in the meshes and ten times in the boxes, which takes about as long.
With --mitsuba also Mitsuba 3 on the same meshes, roulette off there too, a few seconds each (Python packages mitsuba and numpy).
With --furnace N also N samples of the sphere of 80,088 triangles at 30 mean free paths behind a smooth and a rough boundary: 4000 are 10^9 paths. Every
mean is 1 and no path is lost, or the exit status is 1."""

import argparse
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

import gpu_mitsuba

VIEW = "--ortho 1mm --origin 0,0,100 --target 0,0,0 --up 0,1,0 --resolution 512x512 --roulette off".split()
BOUNDARIES = {"none": [], "smooth": ["--boundary", "smooth", "--int-ior", "1.5"], "rough": ["--boundary", "rough", "--int-ior", "1.3", "--alpha", "0.3"]}


def list_cube():
    corners = [(x, y, z) for z in (-0.5, 0.5) for y in (-0.5, 0.5) for x in (-0.5, 0.5)]
    for a, b, c, d in ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)):
        yield corners[a], corners[b], corners[c]
        yield corners[a], corners[c], corners[d]


def list_sphere(parallels):
    """4 parallels (parallels - 1) triangles."""

    def place(i, j):
        if i in (0, parallels):
            return 0.0, 0.0, 0.5 if i == 0 else -0.5
        polar, turn = math.pi * i / parallels, math.pi * (j % (2 * parallels)) / parallels
        return 0.5 * math.sin(polar) * math.cos(turn), 0.5 * math.sin(polar) * math.sin(turn), 0.5 * math.cos(polar)

    for i in range(parallels):
        for j in range(2 * parallels):
            a, b, c, d = place(i, j), place(i + 1, j), place(i + 1, j + 1), place(i, j + 1)
            if i > 0:
                yield a, b, d
            if i < parallels - 1:
                yield b, c, d


def write_stl(path, triangles):
    records = [struct.pack("<12fH", 0, 0, 0, *a, *b, *c, 0) for a, b, c in triangles]
    path.write_bytes(bytes(80) + struct.pack("<I", len(records)) + b"".join(records))


def pack(arguments, folder, name, words):
    volume = folder / f"{name}.vpk"
    subprocess.run([arguments.bin / "volprep", *map(str, words), "-o", volume, "-q"], check=True, stdout=subprocess.DEVNULL)
    return volume


def render(arguments, folder, volume, boundary, samples):
    words = [arguments.bin / "volrender", volume, *VIEW, *BOUNDARIES[boundary], "--spp", max(1, samples), "--device", arguments.device, "-o", folder / "film.vpf",
             "--json", "-q", *(["--kernel", arguments.kernel] if arguments.kernel else [])]
    answer = json.loads(subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE).stdout)
    return {"volume": volume.stem, "boundary": boundary, "device": answer["device"], "kernel": answer["kernel"], "paths": answer["paths"],
            "paths_per_second": answer["paths_per_second"], "extensions_a_path": answer["extensions"] / answer["paths"], "seconds_render": answer["seconds_render"],
            "lost_paths": answer["lost_paths"], "mean": answer["mean"]}


def write_ply(path, triangles):
    corners, numbers = {}, []
    for triangle in triangles:
        numbers.append([corners.setdefault(corner, len(corners)) for corner in triangle])
    head = f"ply\nformat binary_little_endian 1.0\nelement vertex {len(corners)}\nproperty float x\nproperty float y\nproperty float z\n" \
        f"element face {len(numbers)}\nproperty list uchar int vertex_indices\nend_header\n"
    path.write_bytes(head.encode() + b"".join(struct.pack("<3f", *corner) for corner in corners) + b"".join(struct.pack("<B3i", 3, *three) for three in numbers))


def time_mitsuba(mi, np, mesh, boundary, seconds):
    """Of the scene that `render` renders: paths per second and the mean of the picture."""
    bsdf = {"type": "null"} if boundary == "none" else {"type": "dielectric", "int_ior": 1.5, "ext_ior": 1.0}
    view = mi.ScalarTransform4f().look_at(origin=[0, 0, 100], target=[0, 0, 0], up=[0, 1, 0]) @ mi.ScalarTransform4f().scale([0.5, 0.5, 1])
    film = {"type": "hdrfilm", "width": 512, "height": 512, "rfilter": {"type": "box"}}
    medium = {"type": "homogeneous", "sigma_t": 100.0, "albedo": 1.0, "phase": {"type": "isotropic"}}
    rate, mean = gpu_mitsuba.time_paths(mi, np, {
        "type": "scene", "integrator": {"type": "volpath", "max_depth": -1, "rr_depth": gpu_mitsuba.NO_ROULETTE},
        "sensor": {"type": "orthographic", "to_world": view, "near_clip": 1e-3, "film": film, "sampler": {"type": "independent"}},
        "light": {"type": "constant"}, "solid": {"type": "ply", "filename": str(mesh), "face_normals": True, "bsdf": bsdf, "interior": medium}}, seconds)
    return {"volume": mesh.stem, "boundary": boundary, "renderer": f"Mitsuba {mi.__version__} {mi.variant()}", "paths_per_second": rate, "mean": [mean]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of the tools")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--kernel")
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--furnace", type=int, default=0, help="samples per pixel")
    parser.add_argument("--mitsuba", type=float, default=0, metavar="SECONDS")
    arguments = parser.parse_args()
    rows, theirs = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        white = ["--sigma-t", 100, "--albedo", 1]
        (folder / "ones.raw").write_bytes(b"\1" * 256**3)
        volumes = [(10, pack(arguments, folder, "box", ["--make", "cube", "--dims", "1,1,1", "--size", "1mm", *white])),
                   (10, pack(arguments, folder, "box_256", [folder / "ones.raw", "--dims", "256,256,256", "--type", "u8", "--pitch", 1 / 256, "--scale", 100, "--albedo", 1]))]
        for mesh, triangles in (("cube_12", list_cube()), ("sphere_80088", list_sphere(142)), ("sphere_998000", list_sphere(500))):
            triangles = list(triangles)
            write_stl(folder / f"{mesh}.stl", triangles)
            write_ply(folder / f"{mesh}.ply", triangles)
            volumes.append((4, pack(arguments, folder, mesh, [folder / f"{mesh}.stl", *white])))
        for boundary in ("none", "smooth"):
            rows += [render(arguments, folder, volume, boundary, times * arguments.samples) for times, volume in volumes]
        if arguments.furnace > 0:
            thin = pack(arguments, folder, "sphere_80088_thin", [folder / "sphere_80088.stl", "--sigma-t", 30, "--albedo", 1])
            rows += [render(arguments, folder, thin, boundary, arguments.furnace) for boundary in ("smooth", "rough")]
        if arguments.mitsuba > 0:
            mi, np = gpu_mitsuba.load_mitsuba("cuda_ad_rgb" if arguments.device == "cuda" else "scalar_rgb")
            theirs = [time_mitsuba(mi, np, mesh, boundary, arguments.mitsuba) for boundary in ("none", "smooth") for mesh in sorted(folder.glob("*.ply"))]
    print(json.dumps(rows + theirs, indent=1))
    return 0 if all(row["lost_paths"] == 0 and row["mean"] == [1.0] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
