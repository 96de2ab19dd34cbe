# Mitsuba's rates on the scenes that the thesis compares with it; skipped, visibly, where the Python package mitsuba is not installed.
"""measure(bench, results): {scene: rates} of Mitsuba 3's volpath, roulette off (its default is wrong in white resin: rr_depth).

It renders the same box, voxels, boundary and camera in constant light, with CUDA if the bench does and else on the CPU in its
scalar variant, at a few pixels. Mitsuba does not count extensions: its paths are given those that ours take in the scene.
load_mitsuba and measure_variant measure any variant (peers.py).
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

SCENES = ("cgg-logo", "ad", "smoke")
NO_ROULETTE = 1 << 30
SCALAR_WIDTH = 48
MOST_PATHS = 1 << 24  # of a wavefront: a path takes some 200 bytes


def read_plane(np, volume: pathlib.Path, plane: str, bin_folder: pathlib.Path, work: pathlib.Path):
    """Voxels [z, y, x, channel] as volprep exports them, u8 scaled to 0..1."""
    out = work / f"{plane}.nrrd"
    subprocess.run([bin_folder / "volprep", volume, "--export", out, "--plane", plane, "-q"], check=True, stdout=subprocess.DEVNULL)
    header, data = out.read_bytes().split(b"\n\n", 1)
    sizes = [int(size) for size in re.search(rb"sizes: (.*)", header)[1].split()]
    kind = re.search(rb"type: (\w+)", header)[1]
    voxels = np.frombuffer(data, {b"uint8": np.uint8, b"uint16": np.uint16, b"float": np.float32}[kind]).reshape(sizes[::-1])
    voxels = voxels.astype(np.float32) / (255.0 if kind == b"uint8" else 1.0)
    return voxels if voxels.ndim == 4 else voxels[..., None]


def describe_scene(mi, np, bench, scene: dict, work: pathlib.Path) -> dict:
    bin_folder, volume = bench.program.parent, bench.folder / scene["volume"]
    info = json.loads(subprocess.run([bin_folder / "volinfo", volume, "--json"], check=True, capture_output=True).stdout)
    film = work / "film.vpf"
    subprocess.run([bench.program, volume, *scene["view"], "--spp", "1", "-o", film, "--device", "cpu", "-q"], check=True,
                   stdout=subprocess.DEVNULL)
    seen = json.loads(subprocess.run([bin_folder / "volinfo", film, "--json"], check=True, capture_output=True).stdout)["scene"]
    point = lambda key: [float(number) for number in seen[key].split(",")]
    T = mi.ScalarTransform4f
    box = T().translate(info["placement"]["origin_world_mm"]).scale(info["size_mm"])

    def make_grid(voxels) -> dict:
        return {"type": "gridvolume", "grid": mi.VolumeGrid(voxels), "to_world": box, "raw": True, "wrap_mode": "clamp"}

    medium = {"type": "heterogeneous", "scale": float(seen["scale"]), "phase": {"type": "isotropic"}}
    if info["extinction"]["source"] == "constant":
        medium |= {"type": "homogeneous", "sigma_t": info["extinction"]["value"][0]}
    else:
        medium["sigma_t"] = make_grid(read_plane(np, volume, "density", bin_folder, work))
    if info["one_minus_albedo"]["source"] == "constant":
        medium["albedo"] = 1.0 - info["one_minus_albedo"]["value"][0]
    else:
        medium["albedo"] = make_grid(read_plane(np, volume, "albedo", bin_folder, work))
    bsdf = {"type": "null"}
    if seen["boundary.kind"] == "rough":
        bsdf = {"type": "roughdielectric", "distribution": "ggx", "alpha": float(seen["boundary.alpha"]),
                "int_ior": float(seen["boundary.int_ior"]), "ext_ior": float(seen["boundary.ext_ior"])}
    width, height = int(seen["width"]), int(seen["height"])
    if mi.variant().startswith("scalar"):
        width, height = SCALAR_WIDTH, max(1, SCALAR_WIDTH * height // width)
    view = T().look_at(origin=point("camera.origin_world"), target=point("camera.target_world"), up=point("camera.up_world"))
    sensor = {"type": "perspective", "fov": float(seen["camera.fov_x_deg"]), "fov_axis": "x", "to_world": view} \
        if seen["camera.kind"] == "perspective" else \
        {"type": "orthographic", "to_world": view @ T().scale([float(seen["camera.ortho_width_mm"]) / 2] * 2 + [1])}
    return {"type": "scene", "integrator": {"type": "volpath", "max_depth": -1, "rr_depth": NO_ROULETTE},
            "sensor": sensor | {"near_clip": 1e-3,
                                "film": {"type": "hdrfilm", "width": width, "height": height, "rfilter": {"type": "box"}},
                                "sampler": {"type": "independent"}},
            "light": {"type": "constant"}, "box": {"type": "cube", "to_world": box @ T().translate(0.5).scale(0.5), "bsdf": bsdf, "interior": medium}}


def time_paths(mi, np, description: dict, seconds_wanted: float) -> tuple[float, float]:
    """Paths a second of one render of at least half of the seconds wanted, after shorter ones; and the mean of its picture."""
    scene = mi.load_dict(description)
    film = description["sensor"]["film"]
    pixels = film["width"] * film["height"]
    samples, seconds = 1, 0.0
    while True:
        start = time.perf_counter()
        mean = float(np.mean(np.array(mi.render(scene, spp=samples, seed=samples))))
        previous, seconds = seconds, time.perf_counter() - start
        if previous > 0 and (seconds > seconds_wanted / 2 or 2 * samples * pixels > MOST_PATHS):
            return pixels * samples / seconds, mean
        samples *= 1 if previous == 0 else 2


def load_mitsuba(variant: str):
    """(mitsuba, numpy) with the variant set; ImportError if it is not there, or its driver is not."""
    import mitsuba as mi
    import numpy as np
    mi.set_variant(variant)
    return mi, np


def measure_variant(mi, np, bench, scene: dict) -> dict:
    """Rate and mean of a scene; {"error": ..} where a driver or a grid is refused."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            paths_per_second, mean = time_paths(mi, np, describe_scene(mi, np, bench, scene, pathlib.Path(folder)), bench.seconds)
        except Exception as error:  # costs its row alone
            print(f"{scene['name']:10} mitsuba {mi.variant()} FAILED: {error}", file=sys.stderr)
            return {"error": str(error)}
    return {"variant": mi.variant(), "version": mi.__version__, "paths_per_second": paths_per_second, "mean": mean}


def measure(bench, results: list[dict]) -> dict:
    variant = "cuda_ad_rgb" if bench.device == "cuda" else "scalar_rgb"
    try:
        mi, np = load_mitsuba(variant)
    except ImportError as error:
        print(f"skipped: Mitsuba's rows: {error}", file=sys.stderr)
        return {"skipped": f"Mitsuba's {variant} is not there ({error})"}
    rates = {}
    for scene in [scene for scene in results if scene["name"] in SCENES and scene.get("best")]:
        rate = bench.store.take(f"{scene['name']}: Mitsuba", lambda scene=scene: measure_variant(mi, np, bench, scene))
        rates[scene["name"]] = rate
        if "error" not in rate:
            ours = scene["runs"][scene["best"]]
            rate["extensions_per_second"] = rate["paths_per_second"] * ours["extensions"] / ours["paths"]
            print(f"{scene['name']:10} mitsuba {rate['version']} {variant}: {rate['paths_per_second'] / 1e6:.4f} M paths/s, mean "
                  f"{rate['mean']:.4f}", file=sys.stderr)
    return rates
