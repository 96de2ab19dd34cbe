# Bodies of revolution about +z as Wavefront OBJ, with normals: an egg, a lens, a ring, a vase and a tube.
"""write_turned(path, pieces, sides): a piece is a smooth part of the outline, points (r, z) with the outside on the right of its direction, so that an outline that
begins at the bottom of the axis goes outwards and up. Pieces meet in edges. make_egg() and the others are pieces."""

import math
import pathlib


def find_normals(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Of the outline at its points, (r, z): across the chord between the neighbours. On the axis it is the axis."""
    normals = []
    for i, (r, _) in enumerate(points):
        (r0, z0), (r1, z1) = points[max(i - 1, 0)], points[min(i + 1, len(points) - 1)]
        length = math.hypot(r1 - r0, z1 - z0)
        across = (z1 - z0) / length, (r0 - r1) / length
        normals.append(across if r > 0 else (0.0, math.copysign(1.0, across[1])))
    return normals


def write_turned(path: pathlib.Path, pieces: list[list[tuple[float, float]]], sides: int) -> None:
    turns = [(math.cos(2 * math.pi * side / sides), math.sin(2 * math.pi * side / sides)) for side in range(sides)]
    places, lines, faces = {}, [], []

    def place(r: float, z: float) -> list[int]:
        """Numbers of the points of a parallel: pieces that meet share them."""
        if (r, z) not in places:
            first = 1 + sum(len(numbers) for numbers in places.values())
            ring = [(0.0, 0.0)] if r == 0 else [(r * c, r * s) for c, s in turns]
            lines.extend(f"v {x:.9g} {y:.9g} {z:.9g}" for x, y in ring)
            places[r, z] = list(range(first, first + len(ring)))
        return places[r, z]

    normals = 0
    for piece in pieces:
        rings = []
        for point, (across, along) in zip(piece, find_normals(piece)):
            lines.extend(f"vn {across * c:.9g} {across * s:.9g} {along:.9g}" for c, s in turns)
            numbers = place(*point)
            rings.append([f"{numbers[side % len(numbers)]}//{normals + side + 1}" for side in range(sides)])
            normals += sides
        for below, above, (r0, _), (r1, _) in zip(rings, rings[1:], piece, piece[1:]):
            for side in range(sides):
                after = (side + 1) % sides
                if r0 > 0:
                    faces.append(f"f {below[side]} {below[after]} {above[after]}")
                if r1 > 0:
                    faces.append(f"f {below[side]} {above[after]} {above[side]}")
    path.write_text("\n".join(lines + faces) + "\n")


def bow(radius: float, centre_z: float, first: float, last: float, steps: int) -> list[tuple[float, float]]:
    """An arc from angle to angle, degrees from -z towards +r; on the axis r is 0 exactly."""
    points = []
    for i in range(steps + 1):
        angle = math.radians(first + (last - first) * i / steps)
        r = radius * math.sin(angle)
        points.append((0.0 if abs(r) < 1e-9 else r, centre_z - radius * math.cos(angle)))
    return points


def make_egg(height: float, width: float, steps: int = 96) -> list[list[tuple[float, float]]]:
    """It stands on z = 0 with its blunt end."""
    outline = []
    for i in range(steps + 1):
        angle = math.pi * i / steps
        r = 0.5 * width * math.sin(angle) * (1 + 0.18 * math.cos(angle))
        outline.append((0.0 if i in (0, steps) else r, 0.5 * height * (1 - math.cos(angle))))
    return [outline]


def make_lens(aperture_radius: float, curvature_radius: float, edge: float, steps: int = 48) -> list[list[tuple[float, float]]]:
    """Biconvex, its middle in the origin."""
    half_angle = math.degrees(math.asin(aperture_radius / curvature_radius))
    sagitta = curvature_radius * (1 - math.cos(math.radians(half_angle)))
    low = bow(curvature_radius, curvature_radius - sagitta - 0.5 * edge, 0, half_angle, steps)
    high = [(r, -z) for r, z in reversed(low)]
    return [low, [low[-1], high[0]], high]


def make_ring(inner_radius: float, outer_radius: float, height: float) -> list[list[tuple[float, float]]]:
    corners = [(inner_radius, 0.0), (outer_radius, 0.0), (outer_radius, height), (inner_radius, height)]
    return [[corner, corners[(i + 1) % 4]] for i, corner in enumerate(corners)]


def make_vase(height: float, steps: int = 96) -> list[list[tuple[float, float]]]:
    """Closed, with a foot, a belly and a neck."""
    wall = []
    for i in range(steps + 1):
        t = i / steps
        belly = math.exp(-(((t - 0.38) / 0.24) ** 2))
        lip = math.exp(-(((t - 1.02) / 0.1) ** 2))
        wall.append((height * (0.1 + 0.24 * belly + 0.09 * lip + 0.06 * math.exp(-((t / 0.06) ** 2))), height * t))
    return [[(0.0, 0.0), wall[0]], wall, [wall[-1], (0.0, height)]]
