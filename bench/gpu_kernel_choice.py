#!/usr/bin/env python3
# How far the standard kernel and --kernel auto are from the best knobs of every bench scene.
"""gpu_kernel_choice.py --bin BUILD/bin SCENES [--scene NAME]... [--kernel "NAME KNOBS"]... [--seconds 0.6] [--auto-seconds 1,2.5,6] [--device cuda|cpu]

SCENES is what gpu_scenes.py made; those with --roulette off are measured with the standard roulette too. Prints the rates of the kernels
relative to the first one in renders of about --seconds, then --kernel auto against it, pilot included, in longer ones."""

import argparse
import json
import pathlib
import subprocess

CHOICES = ["regen_pool", *(f"regen_pool --exit-votes {votes}" for votes in (1, 4, 8)),
           *(f"regen_pool --vote-flights {flights}" for flights in (2, 4, 16)), "regen_pool --min-blocks 6", "regen_vote", "regen_thread"]


class Bench:
    def __init__(self, arguments: argparse.Namespace):
        self.program, self.folder, self.device = arguments.bin / "volrender", arguments.scenes, arguments.device

    def run(self, scene: dict, kernel: str, spp: int, more: list[str]) -> dict:
        command = [self.program, self.folder / scene["volume"], *scene["view"], "--spp", str(spp), "--device", self.device, "--kernel",
                   *kernel.split(), "--json", "-q", *more]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    def find_samples(self, scene: dict, kernel: str, seconds: float) -> int:
        """Samples per pixel of a render that takes about so long."""
        spp = 16
        while (taken := self.run(scene, kernel, spp, ["--trials", "1"])["seconds"]["median"]) < seconds / 4 and spp < 1 << 20:
            spp *= 4
        return max(1, round(spp * seconds / taken))

    def time_whole(self, scene: dict, kernel: str, spp: int) -> dict:
        film = self.folder / "choice.vpf"
        answer = self.run(scene, kernel, spp, ["-o", str(film)])
        film.unlink()
        return answer


def list_scenes(arguments: argparse.Namespace) -> list[dict]:
    scenes = []
    for scene in json.loads((arguments.scenes / "scenes.json").read_text()):
        if scene["name"] not in (arguments.scene or [scene["name"]]):
            continue
        scenes.append(scene)
        if "--boundary rough" in " ".join(scene["view"]):
            at = scene["view"].index("--roulette")
            scenes.append(scene | {"name": scene["name"] + ", roulette", "view": scene["view"][:at] + scene["view"][at + 2:]})
    return scenes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--scene", action="append", default=[])
    parser.add_argument("--kernel", action="append", default=[])
    parser.add_argument("--seconds", type=float, default=0.6)
    parser.add_argument("--auto-seconds", default="1,2.5,6")
    parser.add_argument("--device", default="cuda")
    arguments = parser.parse_args()
    bench, kernels, scenes = Bench(arguments), arguments.kernel or CHOICES, list_scenes(arguments)
    print("| scene | spp | " + " | ".join(kernels[1:]) + " |\n" + "|---" * (len(kernels) + 1) + "|")
    for scene in scenes:
        spp = bench.find_samples(scene, kernels[0], arguments.seconds)
        seconds = [bench.run(scene, kernel, spp, ["--trials", "3"])["seconds"]["median"] for kernel in kernels]
        print(f"| {scene['name']} | {spp} | " + " | ".join(f"{seconds[0] / other:.3f}" for other in seconds[1:]) + " |", flush=True)
    print("\n| scene | spp | kernel | seconds | auto chose | seconds | auto / kernel |\n|---|---|---|---|---|---|---|")
    for scene in scenes:
        for wanted in map(float, arguments.auto_seconds.split(",")):
            spp = bench.find_samples(scene, kernels[0], wanted)
            fixed, auto = (bench.time_whole(scene, kernel, spp) for kernel in (kernels[0], "auto"))
            print(f"| {scene['name']} | {spp} | {kernels[0]} | {fixed['seconds_render']:.3f} | {auto['kernel']} | {auto['seconds_render']:.3f} | "
                  f"{fixed['seconds_render'] / auto['seconds_render']:.3f} |", flush=True)


if __name__ == "__main__":
    main()
