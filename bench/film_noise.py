# Means and variances of a film's pixels, read from the .vpf (docs/formats/vpf.md), and what differs between films.
"""read_film(path) has values of each band and pixel; Film.variance is that of a value, as volrender estimates it from the film's sums."""

import array
import dataclasses
import pathlib
import statistics
import struct
import sys

TILE = 64


@dataclasses.dataclass
class Film:
    values: list[float]  # band by band, row by row from the top
    variances: list[float]  # of the mean, so squares of the standard error
    bands: int

    def mean(self) -> float:
        return statistics.fmean(self.values)

    def band_means(self) -> list[float]:
        pixels = len(self.values) // self.bands
        return [statistics.fmean(self.values[band * pixels : (band + 1) * pixels]) for band in range(self.bands)]

    def variance(self) -> float:
        """Mean over bands and pixels of the squared standard error."""
        return statistics.fmean(self.variances)


def read_sections(data: bytes) -> dict[str, bytes]:
    sections = {}
    for i in range(struct.unpack_from("<I", data, 16)[0]):
        name, offset, size = struct.unpack_from("<16s2Q", data, 64 + 48 * i)
        sections[name.rstrip(b"\0").decode()] = data[offset : offset + size]
    return sections


def read_scene_number(scene: bytes, name: str, default: int) -> int:
    """A field of one u32."""
    place = scene.find(bytes([len(name)]) + name.encode() + b"\1" + struct.pack("<I", 1))
    return default if place < 0 else struct.unpack_from("<I", scene, place + 1 + len(name) + 5)[0]


def count_samples(tiles: bytes, width: int, height: int) -> list[int]:
    """By pixel."""
    columns, counts, place = (width + TILE - 1) // TILE, [], 0
    while place < len(tiles):
        ranges = struct.unpack_from("<Q", tiles, place)[0]
        numbers = struct.unpack_from(f"<{2 * ranges}Q", tiles, place + 8)
        counts.append(sum(numbers[1::2]))
        place += 8 + 16 * ranges
    return [counts[y // TILE * columns + x // TILE] for y in range(height) for x in range(width)]


def read_integers(data: bytes) -> list[int]:
    numbers = array.array("Q", data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tolist()


def read_film(path: pathlib.Path) -> Film:
    sections = read_sections(path.read_bytes())
    _, width, height, bands, _, sum_log2, square_log2 = struct.unpack_from("<Q4I2i", sections["film"])
    integrator = read_scene_number(sections["scene"], "integrator", 0)
    samples = count_samples(sections["tiles"], width, height)
    pixels, particles = width * height, sum(samples)
    sums, words = read_integers(sections["sums"]), read_integers(sections["squares"])
    squares = [low + (high << 64) for low, high in zip(words[0::2], words[1::2])]
    unit, square_unit = 2.0**-sum_log2, 2.0**-square_log2
    values, variances = [0.0] * (bands * pixels), [0.0] * (bands * pixels)
    for plane in range(len(sums) // pixels):
        is_splat = integrator == 1 or plane >= bands
        for pixel in range(pixels):
            at, to = plane * pixels + pixel, plane % bands * pixels + pixel
            # What particles add is a mean over all of them, of which each pixel has a share of `n`.
            m, n = (particles, particles / pixels) if is_splat else (samples[pixel], samples[pixel])
            values[to] += sums[at] * unit / n
            variances[to] += max(0.0, squares[at] * square_unit - (sums[at] * unit) ** 2 / m) * m / max(1, m - 1) / n**2
    return Film(values, variances, bands)


def square_differences(film: Film, reference: Film) -> list[float]:
    return [(a - b) ** 2 for a, b in zip(film.values, reference.values)]


def measure_errors(films: list[Film], reference: Film) -> dict[str, float]:
    """Of films of different seeds: the mean over pixels of the variance among them, with a rough standard error; and the median over pixels of their mean squared
    difference to a reference of another seed, which single bright samples do not move."""
    pairs = [(i, j) for i in range(len(films)) for j in range(i)]
    halves = {pair: statistics.fmean(square_differences(films[pair[0]], films[pair[1]])) / 2 for pair in pairs}
    by_film = [statistics.fmean(half for pair, half in halves.items() if i in pair) for i in range(len(films))]
    by_pixel = [statistics.fmean(column) for column in zip(*(square_differences(film, reference) for film in films))]
    return {"variance": statistics.fmean(halves.values()), "standard_error": statistics.stdev(by_film) / len(films) ** 0.5 if len(films) > 2 else None,
            "median_squared_error": statistics.median(by_pixel)}
