#!/usr/bin/env python3
# Draws a slice of a tally over the same slice of its volume: the picture of a dose in a CT.
"""draw_dose.py VOLUME.mha DOSE.mha OUT.png [--axis N] [--slice K] [--decades D] [--zoom Z]: the values of a tally that volrender wrote as .mha, in colours by
their logarithm, D decades down from the largest value of the slice, over the grey values of a volume of the same voxels, as volprep --export
writes them. The slice is the one through the largest value unless K says another; axis 0, 1, 2 is x, y, z."""

import argparse
import array
import math
import sys

from png import write_png

# From the lowest value to the largest; below it, the volume alone is seen.
COLOURS = [(40, 20, 110), (150, 40, 140), (235, 80, 60), (255, 190, 60), (255, 255, 200)]


def read_metaimage(path):
    """The size along x, y, z, the pitch in mm, and the first channel, x fastest."""
    header = {}
    with open(path, "rb") as data:
        for line in data:
            key, _, value = line.decode("latin-1").partition("=")
            header[key.strip()] = value.strip()
            if key.strip() == "ElementDataFile":
                break
        if header.get("ElementDataFile") != "LOCAL" or header.get("CompressedData", "False") != "False":
            sys.exit(f"{path}: only uncompressed values in the same file are read")
        if header.get("ElementType") != "MET_FLOAT":
            sys.exit(f"{path}: only MET_FLOAT is read")
        values = array.array("f", data.read())
    channels = int(header.get("ElementNumberOfChannels", 1))
    size = [int(word) for word in header["DimSize"].split()]
    return size, [float(word) for word in header["ElementSpacing"].split()], values[::channels]


def colour_of(share):
    """Of 0 to 1."""
    place = share * (len(COLOURS) - 1)
    i = min(int(place), len(COLOURS) - 2)
    return [a + (b - a) * (place - i) for a, b in zip(COLOURS[i], COLOURS[i + 1])]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("volume")
    parser.add_argument("dose")
    parser.add_argument("out")
    parser.add_argument("--axis", type=int, choices=(0, 1, 2), default=1)
    parser.add_argument("--slice", type=int)
    parser.add_argument("--decades", type=float, default=4)
    parser.add_argument("--zoom", type=int, default=3)
    options = parser.parse_args()
    size, pitch_mm, volume = read_metaimage(options.volume)
    dose_size, _, dose = read_metaimage(options.dose)
    if dose_size != size:
        sys.exit(f"{options.dose}: {dose_size} cells, the volume has {size} voxels")
    strides = [1, size[0], size[0] * size[1]]
    across, up = [axis for axis in range(3) if axis != options.axis]
    peak = max(range(len(dose)), key=dose.__getitem__)
    place = options.slice if options.slice is not None else peak // strides[options.axis] % size[options.axis]
    first = place * strides[options.axis]
    # Square pixels of the finer pitch.
    pixel_mm = min(pitch_mm[across], pitch_mm[up]) / options.zoom
    width, height = (round(size[axis] * pitch_mm[axis] / pixel_mm) for axis in (across, up))
    brightest = max(volume) or 1
    largest = max(dose[first + i * strides[across] + j * strides[up]] for i in range(size[across]) for j in range(size[up]))
    rows = []
    for y in range(height):
        row = bytearray()
        j = size[up] - 1 - int((y + 0.5) * pixel_mm / pitch_mm[up])
        for x in range(width):
            at = first + int((x + 0.5) * pixel_mm / pitch_mm[across]) * strides[across] + j * strides[up]
            pixel = [220 * volume[at] / brightest] * 3
            share = 1 + math.log10(dose[at] / largest) / options.decades if dose[at] > 0 else -1
            if share > 0:
                cover = min(1, 0.35 + share)
                pixel = [grey + (colour - grey) * cover for grey, colour in zip(pixel, colour_of(share))]
            row += bytes(int(value + 0.5) for value in pixel)
        rows.append(bytes(row))
    write_png(options.out, width, height, rows)


if __name__ == "__main__":
    main()
