#!/usr/bin/env python3
# Rays of triangle meshes on CPU and GPU, as JSON on stdout and as tables on stderr.
"""rays.py --bin BUILD/bin [--threads N] [--no-gpu] [--out FOLDER] > rays.json

Repeats the experiments of two reports on ray tracing on GPUs (Pitkin 2013; Gurfinkel and Jarrett) with the hierarchy and the triangle test of this
library. Three closed meshes of 5,120, 79,380 and 994,580 triangles in pictures of 640 x 480 pixels, without reflection, with a mirror, and with diffuse
reflection: on all threads of the CPU, on the GPU in one launch, in a launch per bounce, and in a launch per bounce and sample; with 1 to 64 samples per
pixel; in blocks of 64, 128 and 512 threads, with nodes in pre-, in- and post-order, with pixels by rows and in blocks of 8 x 8. In pictures that a mesh
fills, primary and diffuse secondary rays per second apart: on the GPU, and on one thread of the CPU beside Embree 3 with the same rays. BUILD/bin
holds bench_rays, and bench_rays_gpu where the build has CUDA; without it, or with --no-gpu, the CPU alone is measured. Without Embree 3 (Debian package
libembree-dev when bench_rays was built) its columns are missing. With --out and matplotlib, plots of the speed-up over samples and of rates.

The exit status is 1 if a checksum over all bits of the hits differs between CPU and GPU, or between ways to launch; 0 otherwise."""

import argparse
import json
import pathlib
import subprocess
import sys


def run_program(words):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"rays.py: {words[0]} failed with exit status {done.returncode}; its message is above")
    return json.loads(done.stdout)


def print_table(title, head, rows):
    rows = [[str(cell) for cell in row] for row in [head, *rows]]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    print(f"\n{title}", file=sys.stderr)
    for row in rows:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths)), file=sys.stderr)


def name_picture(row):
    return row["mesh"], row["bounce"], row["samples"]


def find_differences(answer):
    """What was traced twice, but with other hits."""
    found, compared = [], 0
    gpu = answer.get("gpu")
    if gpu is None:
        return found, compared
    pictures = {}
    for row in answer["cpu"]["pictures"] + gpu["pictures"] + gpu["options"]:
        pictures.setdefault(name_picture(row), []).append(row["checksum"])
    filled = {}
    for row in answer["cpu"]["one_thread"] + gpu["rates"]:
        filled.setdefault((row["mesh"], row["rays"]), []).append(row["checksum"])
    for name, checksums in [*pictures.items(), *filled.items()]:
        compared += len(checksums) - 1
        if len(set(checksums)) > 1:
            found.append(f"{', '.join(map(str, name))}: checksums {', '.join(sorted(set(checksums)))}")
    return found, compared


def list_speed_ups(answer):
    """Time of a picture on the CPU over that on the GPU, each way to launch."""
    cpu = {name_picture(row): row["seconds"] for row in answer["cpu"]["pictures"]}
    gpu = answer.get("gpu", {"pictures": []})
    return [{**{key: row[key] for key in ("mesh", "bounce", "launches", "samples")}, "speed_up": cpu[name_picture(row)] / row["seconds"]}
            for row in gpu["pictures"] if name_picture(row) in cpu]


def print_cpu(cpu):
    print_table(f"CPU ({cpu['isa']}), {cpu['threads']} threads, 640 x 480 pixels", ["mesh", "bounce", "samples", "ms", "M rays/s"],
                [[row["mesh"], row["bounce"], row["samples"], f"{1e3 * row['seconds']:.1f}", f"{1e-6 * row['rays'] / row['seconds']:.2f}"] for row in cpu["pictures"]])
    has_embree = "of_embree" in cpu["one_thread"][0]
    print_table(f"CPU, one thread, M rays/s; Embree {cpu['embree']}", ["mesh", "rays", "hits", "ours"] + (["Embree", "robust", "ratio", "to robust", "equal triangles"] if has_embree else []),
                [[row["mesh"], row["rays"], f"{row['hit_fraction']:.3f}", f"{1e-6 * row['rays_per_s']:.2f}"] + ([
                    f"{1e-6 * row['embree_rays_per_s']:.2f}", f"{1e-6 * row['embree_robust_rays_per_s']:.2f}", f"{row['of_embree']:.2f}",
                    f"{row['of_embree_robust']:.2f}", f"{row['equal_triangles']:.6f}"] if has_embree else []) for row in cpu["one_thread"]])


def print_gpu(gpu, speed_ups):
    ups = {(*name_picture(row), row["launches"]): row["speed_up"] for row in speed_ups}
    rows = []
    for row in gpu["pictures"]:
        up = ups.get((*name_picture(row), row["launches"]))
        rows.append([row["mesh"], row["bounce"], row["launches"], row["samples"], f"{1e3 * row['seconds']:.3f}", f"{1e-9 * row['rays'] / row['seconds']:.3f}", "" if up is None else f"{up:.0f}"])
    print_table(f"{gpu['device']}, 640 x 480 pixels", ["mesh", "bounce", "launches", "samples", "ms", "G rays/s", "times the CPU"], rows)
    print_table("Options: 994,580 triangles, diffuse, one launch", ["nodes", "pixels", "block", "G rays/s"],
                [[row["nodes"], row["pixels"], row["block"], f"{1e-9 * row['rays_per_s']:.3f}"] for row in gpu["options"]])
    print_table("Pictures that the mesh fills", ["mesh", "rays", "block", "hits", "G rays/s"],
                [[row["mesh"], row["rays"], row["block"], f"{row['hit_fraction']:.3f}", f"{1e-9 * row['rays_per_s']:.3f}"] for row in gpu["rates"]])


def draw_plots(answer, folder):
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        print("rays.py: no matplotlib (Debian package python3-matplotlib): no plots", file=sys.stderr)
        return
    folder.mkdir(parents=True, exist_ok=True)
    if answer["speed_ups"]:
        figure, axes = pyplot.subplots(1, 3, figsize=(12, 4), sharey=True)
        for axis, bounce in zip(axes, ("none", "mirror", "diffuse")):
            rows = [row for row in answer["speed_ups"] if row["bounce"] == bounce and row["launches"] == "one"]
            for mesh in dict.fromkeys(row["mesh"] for row in rows):
                points = [(row["samples"], row["speed_up"]) for row in rows if row["mesh"] == mesh]
                axis.plot(*zip(*points), marker="o", label=mesh)
            axis.set(xscale="log", title=f"reflection: {bounce}", xlabel="samples per pixel")
            axis.legend()
        axes[0].set(ylabel=f"time of {answer['cpu']['threads']} CPU threads / time of the GPU")
        figure.tight_layout()
        figure.savefig(folder / "speed_up.png", dpi=120)
    figure, axis = pyplot.subplots(figsize=(6, 4))
    rows = answer["cpu"]["one_thread"]
    labels = [f"{row['mesh'].split()[0]}\n{row['rays']}" for row in rows]
    series = [("ours", "rays_per_s"), ("Embree, robust", "embree_robust_rays_per_s"), ("Embree", "embree_rays_per_s")]
    for i, (name, key) in enumerate(series):
        if key in rows[0]:
            axis.bar([place + 0.27 * i for place in range(len(rows))], [1e-6 * row[key] for row in rows], 0.25, label=name)
    axis.set_xticks([place + 0.27 for place in range(len(rows))], labels, fontsize=7)
    axis.set(ylabel="M rays/s, one thread")
    axis.legend()
    figure.tight_layout()
    figure.savefig(folder / "one_thread.png", dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of bench_rays and bench_rays_gpu")
    parser.add_argument("--threads", type=int, help="of the CPU; all unless given")
    parser.add_argument("--no-gpu", action="store_true", help="measure the CPU alone")
    parser.add_argument("--out", type=pathlib.Path, help="folder for plots")
    arguments = parser.parse_args()
    answer = {"cpu": run_program([arguments.bin / "bench_rays", "pictures", *([arguments.threads] if arguments.threads else [])])}
    has_gpu = not arguments.no_gpu and (arguments.bin / "bench_rays_gpu").exists()
    if has_gpu:
        answer["gpu"] = run_program([arguments.bin / "bench_rays_gpu"])
    answer["speed_ups"] = list_speed_ups(answer)
    differences, answer["checksums_compared"] = find_differences(answer)
    answer["differences"] = differences
    print_cpu(answer["cpu"])
    if has_gpu:
        print_gpu(answer["gpu"], answer["speed_ups"])
        print(f"\n{answer['checksums_compared']} checksums compared, {len(differences)} scenes differ", file=sys.stderr)
    for line in differences:
        print(f"rays.py: hits differ: {line}", file=sys.stderr)
    if arguments.out:
        draw_plots(answer, arguments.out)
    print(json.dumps(answer, indent=1))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
