# Wall time of volpt.render against the program volrender, in turns, for renders of about a second: python_overhead.py [--rounds N].
"""Both open nothing but what they need: the function has its volume open, the program opens it, and writes no picture."""
import argparse
import statistics
import subprocess
import time

import numpy as np

import volpt
from volpt._programs import find_program


def time_call(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=11)
    arguments = parser.parse_args()
    volume = volpt.pack(np.ones((64, 64, 64), np.float32), pitch_mm=0.1, scale=5, albedo=0.99)
    spp = 16
    while time_call(lambda: volpt.render(volume, resolution=(128, 128), spp=spp, progress=False)) < 1:
        spp *= 2
    words = [find_program("volrender"), volume.path, "-o", volume.path + ".vpf", "-q", "--resolution", "128x128", "--spp", str(spp)]
    function, program, transport = [], [], []
    for _ in range(arguments.rounds):
        film = None

        def render():
            nonlocal film
            film = volpt.render(volume, resolution=(128, 128), spp=spp, progress=False)

        function.append(time_call(render))
        transport.append(film.render_info["seconds_render"])
        program.append(time_call(lambda: subprocess.run(words, check=True, stdout=subprocess.DEVNULL)))
    for name, times in (("volpt.render", function), ("of which transport", transport), ("volrender", program)):
        print(f"{name:20} median {statistics.median(times):.3f} s, {min(times):.3f} to {max(times):.3f}")
    print(f"volpt.render / volrender: {statistics.median(a / b for a, b in zip(function, program)):.3f} (median of pairs)")


if __name__ == "__main__":
    main()
