#!/usr/bin/env python3
# Draws the light of the colour wheel's picture, and the sunset of the demonstration.
"""draw_sky.py OUT.pfm [--sunset]: a lat-long light, an overcast sky that is brighter to one side, above dim ground; with --sunset a
sky that is red to one side and blue above, without its sun, above dark ground; linear values, +y is up"""

import math
import struct
import sys

WIDTH, HEIGHT = 128, 64
# Wide, so that paths that find light by chance alone meet the bright part often.
SUN_AZIMUTH, SUN_HEIGHT, SUN_WIDTH = math.radians(-120), math.radians(42), math.radians(32)


def show_sunset(azimuth, height):
    """Red, green, blue seen in this direction, radians: a blue dome, and a red band over the horizon that is widest at the sun."""
    towards_sun = 0.5 + 0.5 * math.cos(azimuth - SUN_AZIMUTH)
    if height < 0:
        return tuple(c * (0.4 + 0.6 * towards_sun) for c in (0.055, 0.045, 0.05))
    band = math.exp(-height / (0.12 + 0.22 * towards_sun)) * (0.35 + 0.65 * towards_sun)
    return tuple(dome + band * glow for dome, glow in zip((0.10, 0.16, 0.34), (1.15, 0.48, 0.12)))


def show_overcast(azimuth, height):
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
    arguments = sys.argv[1:]
    show = show_sunset if "--sunset" in arguments else show_overcast
    arguments = [word for word in arguments if word != "--sunset"]
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if arguments in (["-h"], ["--help"]) else 2
    with open(arguments[0], "wb") as out:
        out.write(b"PF\n%d %d\n-1.0\n" % (WIDTH, HEIGHT))
        # Rows of a PFM run upwards.
        for y in range(HEIGHT):
            height = ((y + 0.5) / HEIGHT - 0.5) * math.pi
            for x in range(WIDTH):
                out.write(struct.pack("<3f", *show(((x + 0.5) / WIDTH - 0.5) * 2 * math.pi, height)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
