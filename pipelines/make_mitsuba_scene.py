#!/usr/bin/env python3
# Writes a Mitsuba scene of our own with its volumes, a block of veined marble: what volprep reads in the examples.
"""make_mitsuba_scene.py OUT.xml: writes the scene, and beside it OUT_density.vol and OUT_albedo.vol. Python's standard library alone,
the same files on every machine but for the last bits of its sines. Mitsuba 3 renders it too."""

import array
import math
import pathlib
import struct
import sys

EDGE = 48  # voxels
STONE, VEIN = (0.995, 0.99, 0.98), (0.90, 0.93, 0.95)
SCENE = """<scene version="3.0.0">
    <integrator type="volpath"/>
    <sensor type="perspective">
        <float name="fov" value="24"/>
        <transform name="to_world">
            <lookat origin="2.9, 2.3, 3.4" target="0.5, 0.47, 0.5" up="0, 1, 0"/>
        </transform>
        <film type="hdrfilm">
            <integer name="width" value="480"/>
            <integer name="height" value="480"/>
        </film>
        <sampler type="independent">
            <integer name="sample_count" value="256"/>
        </sampler>
    </sensor>
    <emitter type="constant">
        <rgb name="radiance" value="1, 1, 1"/>
    </emitter>
    <medium type="heterogeneous" id="marble">
        <float name="scale" value="30"/>
        <volume name="sigma_t" type="gridvolume">
            <string name="filename" value="{name}_density.vol"/>
        </volume>
        <volume name="albedo" type="gridvolume">
            <string name="filename" value="{name}_albedo.vol"/>
        </volume>
        <phase type="hg">
            <float name="g" value="0.3"/>
        </phase>
    </medium>
    <shape type="cube">
        <transform name="to_world">
            <scale value="0.5"/>
            <translate x="0.5" y="0.5" z="0.5"/>
        </transform>
        <bsdf type="dielectric">
            <float name="int_ior" value="1.5"/>
            <float name="ext_ior" value="1.0"/>
        </bsdf>
        <ref name="interior" id="marble"/>
    </shape>
</scene>
"""


def vein(x, y, z):
    """How much of a voxel is vein, 0..1: sheets bent by slower waves."""
    bend = math.sin(5 * y + 2 * math.sin(3 * z)) + 0.6 * math.sin(11 * z + 4 * x) + 0.3 * math.sin(23 * x + 9 * y)
    return math.exp(-((math.sin(6 * x + 1.7 * bend) / 0.22) ** 2))


def write_vol(path, channels, values):
    """Version 3, float32, over the unit cube (docs/formats/mitsuba.md)."""
    numbers = array.array("f", values)
    if sys.byteorder == "big":
        numbers.byteswap()
    path.write_bytes(b"VOL\x03" + struct.pack("<5i6f", 1, EDGE, EDGE, EDGE, channels, 0, 0, 0, 1, 1, 1) + numbers.tobytes())


def main():
    if sys.argv[1:] in (["--help"], ["-h"]):
        print(__doc__)
        return
    if len(sys.argv) != 2:
        sys.exit("usage: make_mitsuba_scene.py OUT.xml")
    out = pathlib.Path(sys.argv[1])
    places = [(i + 0.5) / EDGE for i in range(EDGE)]
    shares = [vein(x, y, z) for z in places for y in places for x in places]
    write_vol(out.with_name(out.stem + "_density.vol"), 1, [1 - 0.4 * share for share in shares])
    albedos = [a + (b - a) * share for share in shares for a, b in zip(STONE, VEIN)]
    write_vol(out.with_name(out.stem + "_albedo.vol"), 3, albedos)
    out.write_text(SCENE.format(name=out.stem), encoding="ascii")


if __name__ == "__main__":
    main()
