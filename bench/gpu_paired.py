#!/usr/bin/env python3
# Renders the same scenes with two builds in turn: a change that should not cost anything is held to it.
"""gpu_paired.py --old FOLDER --new FOLDER SCENES [--scene NAME]... [--seconds S] [--runs N] [--kernel NAME] [--device cuda|cpu]
    [--integrator NAME] [--old-lacks OPTION]... [--new-options OPTIONS] [--films equal|any]

FOLDERs hold a volrender each, SCENES is what gpu_scenes.py made. The number of samples is chosen once per scene, so that a
render takes about --seconds. Prints each build's median rate in extensions per second and whether all films are equal. --integrator is of both. --old-lacks takes an
option and its value out of the old build's views, --new-options adds some to the new one's (they overrule the view's). --films any is for
changes that are meant to change the bits; else the exit status is 1 if films differ."""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys


def without(view: list[str], option: str) -> list[str]:
    """The view without an option and its value."""
    if option not in view:
        return view
    at = view.index(option)
    return view[:at] + view[at + 2:]


def choose_view(view: list[str], build: str, arguments: argparse.Namespace) -> list[str]:
    added = arguments.new_options.split() if build == "new" else []
    for option in arguments.old_lacks if build == "old" else added[::2]:
        view = without(view, option if option.startswith("--") else "--" + option)
    return [*view, *added]


def render(build: str, scene: dict, folder: pathlib.Path, spp: int, arguments: argparse.Namespace) -> dict:
    command = [getattr(arguments, build) / "volrender", folder / scene["volume"], *choose_view(scene["view"], build, arguments), "--spp", str(spp), "--device", arguments.device, "--json", "-q",
               "-o", folder / "paired.vpf"]
    if arguments.kernel:
        command += ["--kernel", arguments.kernel]
    if arguments.integrator:
        command += ["--integrator", arguments.integrator]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    (folder / "paired.vpf").unlink()
    return json.loads(answer)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", type=pathlib.Path)
    parser.add_argument("--old", type=pathlib.Path, required=True)
    parser.add_argument("--new", type=pathlib.Path, required=True)
    parser.add_argument("--scene", action="append", default=[])
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--kernel", default="")
    parser.add_argument("--integrator", default="")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--old-lacks", action="append", default=[])
    parser.add_argument("--new-options", default="")
    parser.add_argument("--films", choices=("equal", "any"), default="equal")
    arguments = parser.parse_args()
    scenes = [scene for scene in json.loads((arguments.scenes / "scenes.json").read_text()) if scene["name"] in (arguments.scene or [scene["name"]])]
    all_equal = True
    print("| scene | samples per pixel | old, G extensions/s | new | new / old | films |\n|---|---|---|---|---|---|")
    for scene in scenes:
        spp = 16 # few samples take long for their number: the last paths of a launch are alone
        while (seconds := render("new", scene, arguments.scenes, spp, arguments)["seconds_render"]) < arguments.seconds / 2 and spp < 1 << 20:
            spp *= 2 if seconds > arguments.seconds / 8 else 4
        spp = max(1, round(spp * arguments.seconds / seconds))
        rates, hashes = {"old": [], "new": []}, set()
        for _ in range(arguments.runs):
            for name in rates:
                answer = render(name, scene, arguments.scenes, spp, arguments)
                rates[name].append(answer["extensions"] / answer["seconds_render"] / 1e9)
                hashes.add(answer["film_hash"])
        old, new = (statistics.median(rates[name]) for name in rates)
        all_equal = all_equal and len(hashes) == 1
        print(f"| {scene['name']} | {spp} | {old:.4g} | {new:.4g} | {new / old:.4f} | {'equal' if len(hashes) == 1 else 'NOT EQUAL'} |", flush=True)
    return 0 if all_equal or arguments.films == "any" else 1


if __name__ == "__main__":
    sys.exit(main())
