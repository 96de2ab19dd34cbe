#!/usr/bin/env python3
# Draws smooth spectra through the three bands of a material table: 36 bands for examples and tests, interpolated and not measured.
"""make_spectral_table.py RGB_TABLE.json > SPECTRAL_TABLE.json

Extinction is interpolated as its logarithm, albedo as log((1 - albedo) / albedo), with a cubic whose slopes keep it monotone
between the bands (F. Fritsch, R. Carlson, Monotone Piecewise Cubic Interpolation, 1980). R, G and B are taken to lie at 610, 545 and
455 nm; beyond them the spectra are constant. The table says that nobody measured it.
"""

import json
import math
import pathlib
import sys

CENTRES_NM = (455, 545, 610)
WAVELENGTHS_NM = tuple(range(380, 731, 10))


def interpolate(values, at_nm):
    """The monotone cubic through (CENTRES_NM, values), flat at and beyond its ends."""
    at_nm = min(max(at_nm, CENTRES_NM[0]), CENTRES_NM[-1])
    steps = [b - a for a, b in zip(CENTRES_NM, CENTRES_NM[1:])]
    rises = [(b - a) / step for a, b, step in zip(values, values[1:], steps)]
    middle = 0.0 if rises[0] * rises[1] <= 0 else 2 / (1 / rises[0] + 1 / rises[1])
    slopes = (0.0, middle, 0.0)
    i = 0 if at_nm <= CENTRES_NM[1] else 1
    t = (at_nm - CENTRES_NM[i]) / steps[i]
    return (values[i] * (1 + 2 * t) * (1 - t) ** 2 + values[i + 1] * t * t * (3 - 2 * t)
            + steps[i] * t * (1 - t) * (slopes[i] * (1 - t) - slopes[i + 1] * t))


def spread(entry):
    """One material on all wavelengths."""
    sigma_t = [math.log(v) for v in reversed(entry["sigma_t"])]
    odds = [math.log((1 - v) / v) for v in reversed(entry["albedo"])]
    keys = {key: entry[key] for key in ("name", "id", "colour", "g") if key in entry}
    keys["sigma_t"] = [float(f"{math.exp(interpolate(sigma_t, nm)):.5g}") for nm in WAVELENGTHS_NM]
    keys["one_minus_albedo"] = [float(f"{1 / (1 + math.exp(-interpolate(odds, nm))):.5g}") for nm in WAVELENGTHS_NM]
    return keys


def main():
    if sys.argv[1:] in (["--help"], ["-h"]):
        print(__doc__)
        return
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    table = json.loads(pathlib.Path(sys.argv[1]).read_text())
    if table.get("bands") != ["R", "G", "B"]:
        sys.exit(f"{sys.argv[1]}: a table of the bands R, G, B is needed")
    head = {"$schema": table["$schema"], "source": "INTERPOLATED, NOT MEASURED: smooth spectra through the three bands of: " + table["source"],
            "notes": "made by make_spectral_table.py, as an example of a spectral table and for tests", "bands": list(WAVELENGTHS_NM)}
    if "ior" in table:
        head["ior"] = table["ior"]
    lines = "{\n" + ",\n".join(f"    {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items())
    entries = ",\n".join("        " + json.dumps(spread(entry)) for entry in table["materials"])
    print(f'{lines},\n    "materials": [\n{entries}\n    ]\n}}')


if __name__ == "__main__":
    main()
