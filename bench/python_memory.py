# Resident memory of a process that calls volpt.render again and again: python_memory.py [--renders N].
"""Each film is read as an array and dropped. The first renders fill pools and caches; after them memory has to stay."""
import argparse
import resource

import numpy as np

import volpt


def read_resident_kb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--renders", type=int, default=1000)
    arguments = parser.parse_args()
    volume = volpt.pack(np.random.default_rng(1).random((16, 16, 16), np.float32), pitch_mm=0.1, scale=10, albedo=0.9)
    first = None
    for number in range(100 + arguments.renders + 1):
        assert volpt.render(volume, resolution=(64, 64), spp=1, progress=False).mean.size == 64 * 64
        if number == 100:
            first = read_resident_kb()
    print(f"after 100 renders {first} kB, after {arguments.renders} more {read_resident_kb()} kB")


if __name__ == "__main__":
    main()
