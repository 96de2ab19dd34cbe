"""Packs volumes with NaN, infinite and negative numbers by the advice of the messages alone, in every format that has such numbers.

numbers_by_advice.py [--window]: exit status 1 if an advice does not help, leads to itself, or gives other densities.
"""
import re
import struct
import subprocess
import sys

nan, inf = float("nan"), float("inf")
numbers = [nan, 1, -2, inf, 4, -inf, 6, 7]
data = struct.pack("<8f", *numbers)
largest = struct.unpack("<f", b"\xff\xff\x7f\x7f")[0]
window = "--window" in sys.argv


def put(name, content):
    with open(name, "wb") as file:
        file.write(content)
    return [name]


def nifti():
    head = struct.pack("<i36x8h", 348, 3, 2, 2, 2, 1, 1, 1, 1) + struct.pack("<14xhhh", 16, 32, 0)
    head += struct.pack("<8f", 1, 1, 1, 1, 0, 0, 0, 0) + struct.pack("<f", 352)
    return head.ljust(344, b"\0") + b"n+1\0" + b"\0" * 4 + data


def tiff():
    """Two pages of 2 x 2 floats."""
    out, link = bytearray(b"II*\0\0\0\0\0"), 4
    for page in range(2):
        strip = len(out)
        out += data[16 * page:16 * page + 16]
        out[link:link + 4] = struct.pack("<I", len(out))
        tags = {256: 2, 257: 2, 258: 32, 259: 1, 262: 1, 273: strip, 277: 1, 278: 2, 279: 16, 339: 3}
        out += struct.pack("<H", len(tags))
        for tag, value in sorted(tags.items()):
            out += struct.pack("<HHII", tag, 4 if tag in (273, 279) else 3, 1, value)
        link = len(out)
        out += b"\0\0\0\0"
    return bytes(out)


inputs = {
    "raw": put("v.raw", data) + ["--dims", "2,2,2", "--type", "f32"],
    "MetaImage": put("v.mha", b"NDims = 3\nDimSize = 2 2 2\nElementType = MET_FLOAT\nElementDataFile = LOCAL\n" + data),
    "text": put("t.mha", b"NDims = 3\nDimSize = 2 2 2\nElementType = MET_FLOAT\nBinaryData = False\nElementDataFile = LOCAL\n"
                + " ".join(map(str, numbers)).encode()),
    "NRRD": put("v.nrrd", b"NRRD0004\ntype: float\ndimension: 3\nsizes: 2 2 2\nencoding: raw\nendian: little\n\n" + data),
    "NIfTI": put("v.nii", nifti()),
    "TIFF": put("v.tif", tiff()) + ["--pitch", "1"],
}
expected = [0, 1 / 7, 0, 1, 4 / 7, 0, 6 / 7, 1] if window else [0, 1, 0, largest, 4, 0, 6, 7]
for name, source in inputs.items():
    options, advice = ["--window", "0,7"] if window else [], []
    while True:
        run = subprocess.run(["volprep", *source, *options, "-o", "v.vpk"], capture_output=True, text=True)
        if run.returncode == 0:
            break
        cures = [part for part in run.stderr.split("; ") if not part.startswith("--auto")]  # which changes the window, too
        found = re.search(r"(--nan 0|--clamp)", cures[-1])
        if found is None or found[1] in advice:
            sys.exit(f"{name}: no other advice in: {run.stderr}")
        advice.append(found[1])
        options += found[1].split()
    subprocess.run(["volprep", "v.vpk", "--export", "out.raw"], check=True, capture_output=True)
    with open("out.raw", "rb") as file:
        seen = struct.unpack("<8f", file.read())
    if any(abs(a - b) > 1e-6 * abs(b) for a, b in zip(seen, expected)):
        sys.exit(f"{name}: {seen} instead of {expected}")
    if "1 NaN became 0" not in run.stderr or "infinite numbers became" not in run.stderr:
        sys.exit(f"{name}: the numbers that were replaced are not told: {run.stderr}")
    print(name, "by", " and ".join(advice))
