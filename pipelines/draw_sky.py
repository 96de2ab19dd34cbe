#!/usr/bin/env python3
# Draws the light of the colour wheel's picture.
"""draw_sky.py OUT.pfm: a lat-long light, an overcast sky that is brighter to one side, above dim ground; linear values, +y is up"""

import math
import struct
import sys

WIDTH, HEIGHT = 128, 64
# Wide, so that paths that find light by chance alone meet the bright part often.
SUN_AZIMUTH, SUN_HEIGHT, SUN_WIDTH = math.radians(-120), math.radians(42), math.radians(32)


def radiance(azimuth, height):
    """Red, green, blue seen in this direction, radians."""
    if height < 0:
        return (0.10, 0.11, 0.12)
    # From the horizon to the zenith.
    t = math.sin(height)
    sky = [low + (high - low) * t for low, high in zip((0.62, 0.66, 0.72), (0.95, 0.98, 1.05))]
    cosine = math.sin(height) * math.sin(SUN_HEIGHT) + math.cos(height) * math.cos(SUN_HEIGHT) * math.cos(azimuth - SUN_AZIMUTH)
    bright = math.exp(-0.5 * (math.acos(max(-1.0, min(1.0, cosine))) / SUN_WIDTH) ** 2)
    return tuple(s + bright * c for s, c in zip(sky, (1.9, 1.8, 1.65)))


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if sys.argv[1:] in (["-h"], ["--help"]) else 2
    with open(sys.argv[1], "wb") as out:
        out.write(b"PF\n%d %d\n-1.0\n" % (WIDTH, HEIGHT))
        # Rows of a PFM run upwards.
        for y in range(HEIGHT):
            height = ((y + 0.5) / HEIGHT - 0.5) * math.pi
            for x in range(WIDTH):
                out.write(struct.pack("<3f", *radiance(((x + 0.5) / WIDTH - 0.5) * 2 * math.pi, height)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
