#!/usr/bin/env python3
# Time of volprep on measured volumes, and on a dense 512^3 OpenVDB grid against OpenVDB's own reading of it, as JSON.
"""read_volumes.py --bin BUILD/bin [--data DATA] [--edge 512] [--folder DISK] [--trials 5] > read.json

OpenVDB's own rate is that of its Python module (Debian package python3-openvdb), all voxels loaded, in a process of its own.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

OWN_READ = """
import sys, time, pyopenvdb
start = time.monotonic()
grids, _ = pyopenvdb.readAll(sys.argv[1])
assert grids[0].activeVoxelCount() == int(sys.argv[2])
print(time.monotonic() - start)
"""


def pack(tool, source, target, *options):
    start = time.monotonic()
    subprocess.run([tool, source, "-o", target, "-q", *options], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def read_by_openvdb(path, voxels):
    # Delayed loading would leave the voxels on the disk.
    environment = dict(os.environ, OPENVDB_DISABLE_DELAYED_LOAD="1")
    done = subprocess.run(["/usr/bin/python3", "-c", OWN_READ, path, str(voxels)], check=True, stdout=subprocess.PIPE, text=True, env=environment)
    return float(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--edge", type=int, default=512)
    parser.add_argument("--folder", help="where the files go; a folder in memory leaves the disk out")
    parser.add_argument("--trials", type=int, default=5)
    arguments = parser.parse_args()
    tool = arguments.bin.resolve() / "volprep"
    rows = []
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        folder = pathlib.Path(name)
        if arguments.data:
            for file, options in (("arnold-usd/smoke.vdb", []),
                                  ("elastix/3DCT_lung.mha", ["--window", "-1000,1000", "--transfer", "grey-red-blue"])):
                seconds = [pack(tool, arguments.data / file, folder / "v.vpk", *options) for _ in range(arguments.trials)]
                rows.append({"volume": file, "seconds_median": statistics.median(seconds), "seconds_max": max(seconds)})
        edge = arguments.edge
        subprocess.run([tool, "--make", "noise", "--dims", f"{edge},{edge},{edge}", "--pitch", "1", "-o", folder / "n.vpk", "-q"], check=True,
                       stdout=subprocess.DEVNULL)
        subprocess.run([tool, folder / "n.vpk", "--export", folder / "n.vdb", "-q"], check=True, stdout=subprocess.DEVNULL)
        os.remove(folder / "n.vpk")
        own, packed = [], []
        for _ in range(arguments.trials):
            own.append(read_by_openvdb(folder / "n.vdb", edge**3))
            packed.append(pack(tool, folder / "n.vdb", folder / "v.vpk"))
        rows.append({"volume": f"{edge}^3 dense float .vdb", "seconds_median": statistics.median(packed), "seconds_max": max(packed),
                     "openvdb_seconds_median": statistics.median(own),
                     "share_of_openvdb_rate": statistics.median(own) / statistics.median(packed),
                     "file_bytes": os.path.getsize(folder / "n.vdb")})
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    json.dump({"rows": rows, "peak_memory_bytes_of_any_process": peak}, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
