#!/usr/bin/env python3
# How long printing takes for a ball that is sound, open or overlapped by another one.
"""broken_meshes.py --bin BUILD/bin [--subdivisions 6] [--threads 2]

Packs a ball of 20 mm (20 * 4^N triangles) as a print in elek2017, and prints seconds of processor and of wall clock, and what decided which voxels are inside.
Standard library alone."""

import argparse
import itertools
import json
import math
import pathlib
import resource
import subprocess
import tempfile
import time

GOLDEN = (1 + math.sqrt(5)) / 2


def make_ball(subdivisions: int) -> tuple[list, list]:
    """An icosahedron whose triangles are divided in four, on a sphere of radius 1."""
    corners = [p for a, b in itertools.product((-1, 1), (-GOLDEN, GOLDEN)) for p in ((0, a, b), (a, b, 0), (b, 0, a))]
    near = [[j for j in range(12) if j != i and math.dist(corners[i], corners[j]) < 2.1] for i in range(12)]
    faces = []
    for i, j, k in itertools.combinations(range(12), 3):
        if j in near[i] and k in near[i] and k in near[j]:
            a, b, c = corners[i], corners[j], corners[k]
            normal = [(b[x] - a[x]) * (c[y] - a[y]) - (b[y] - a[y]) * (c[x] - a[x]) for x, y in ((1, 2), (2, 0), (0, 1))]
            faces.append((i, j, k) if sum(n * m for n, m in zip(normal, a)) > 0 else (i, k, j))
    points = [tuple(x / math.hypot(*p) for x in p) for p in corners]
    middles: dict = {}

    def find_middle(i: int, j: int) -> int:
        if (min(i, j), max(i, j)) not in middles:
            middle = [(x + y) / 2 for x, y in zip(points[i], points[j])]
            points.append(tuple(x / math.hypot(*middle) for x in middle))
            middles[min(i, j), max(i, j)] = len(points) - 1
        return middles[min(i, j), max(i, j)]

    for _ in range(subdivisions):
        faces = [face for i, j, k in faces for a, b, c in [(find_middle(i, j), find_middle(j, k), find_middle(k, i))]
                 for face in ((i, a, c), (a, j, b), (c, b, k), (a, b, c))]
    return points, faces


def write_obj(path: pathlib.Path, points: list, faces: list) -> None:
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in points] + [f"f {i + 1} {j + 1} {k + 1}" for i, j, k in faces]
    path.write_text("\n".join(lines) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--subdivisions", type=int, default=6)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    points, faces = make_ball(arguments.subdivisions)
    shifted = [(x + 0.7, y + 0.2, z + 0.1) for x, y, z in points]
    shapes = {"sound": (points, faces, []), "sound, --surface smooth": (points, faces, ["--surface", "smooth"]),
              "cut open below": (points, [face for face in faces if max(points[i][2] for i in face) > -0.9], []),
              "with a second ball that overlaps": (points + shifted, faces + [tuple(i + len(points) for i in face) for face in faces], [])}
    print("| ball | triangles | s of processor | s | inside by |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        mesh, print_file = pathlib.Path(name) / "ball.obj", pathlib.Path(name) / "print.vpk"
        for shape, (vertices, triangles, options) in shapes.items():
            write_obj(mesh, vertices, triangles)
            command = [arguments.bin / "volprep", "--print-mesh", mesh, "--size", "20mm,,", "--colour", "#c08040", "--materials", "elek2017", *options,
                       "-j", str(arguments.threads), "--json", "-q", "-o", print_file]
            before, start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime, time.monotonic()
            answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            print(f"| {shape} | {len(triangles)} | {spent:.1f} | {time.monotonic() - start:.1f} | {find_method(answer)} |", flush=True)


def find_method(answer: dict) -> str:
    """The value of inside_by, wherever the answer has it."""
    for key, value in answer.items():
        if key == "inside_by":
            return str(value)
        if isinstance(value, dict) and (found := find_method(value)) != "-":
            return found
    return "-"


if __name__ == "__main__":
    main()
