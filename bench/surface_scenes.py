# Scenes of surfaces around a small medium, as XML that volprep and Mitsuba 3 both read (surfaces_mitsuba.py).
"""list_scenes(): {name: (shapes, light, sensor)}; write_scene writes one, write_files what it refers to."""

import math
import struct
import zlib

WIDTH, HEIGHT = 96, 72
NO_ROULETTE = 1 << 30
MOST_EVENTS = 4096  # of a path of Mitsuba: with -1 the first 200,000 paths among the glass took ten minutes, with this two seconds
PINHOLE = ("perspective", '<float name="fov" value="36"/><string name="fov_axis" value="x"/>', "")
CONSTANT = '<emitter type="constant"><rgb name="radiance" value="1 1 1"/></emitter>'
ENVMAP = '<emitter type="envmap"><string name="filename" value="sky.pfm"/><transform name="to_world"><rotate x="1" angle="90"/></transform></emitter>'


def number(values):
    return " ".join(f"{value:.9g}" for value in values)


def rgb(name, *values):
    return f'<rgb name="{name}" value="{number(values)}"/>'


def checker(size, first=(0.8, 0.6, 0.3), second=(0.2, 0.3, 0.5)):
    return (f'<bsdf type="diffuse"><texture type="checkerboard" name="reflectance">{rgb("color0", *first)}{rgb("color1", *second)}'
            f'<transform name="to_uv"><scale x="{size}" y="{size}"/></transform></texture></bsdf>')


def diffuse(*reflectance):
    return f'<bsdf type="diffuse">{rgb("reflectance", *reflectance)}</bsdf>'


def two_sided(bsdf):
    return f'<bsdf type="twosided">{bsdf}</bsdf>'


def dielectric(kind, index, words="", outside=1):
    return f'<bsdf type="{kind}"><float name="int_ior" value="{index}"/><float name="ext_ior" value="{outside}"/>{words}</bsdf>'


def rough_dielectric(index, alpha, outside=1):
    return dielectric("roughdielectric", index, f'<string name="distribution" value="ggx"/><float name="alpha" value="{alpha}"/>', outside)


def conductor(words):
    return f'<bsdf type="conductor">{words}</bsdf>'


GOLD = rgb("eta", 0.14, 0.43, 1.38) + rgb("k", 3.7, 2.46, 1.91)
NULL = '<bsdf type="null"/>'
BLACK = diffuse(0, 0, 0)
FLIPPED = '<boolean name="flip_normals" value="true"/>'


def emitter(kind, words):
    return f'<emitter type="{kind}">{words}</emitter>\n'


def area(*radiance):
    return emitter("area", rgb("radiance", *radiance))


def shape(kind, bsdf, to_world="", words=""):
    """`to_world` is in the order in which it is applied."""
    transform = f'<transform name="to_world">{to_world}</transform>' if to_world else ""
    return f'<shape type="{kind}">{words}{transform}{bsdf}</shape>\n'


def move(*by):
    return f'<translate value="{number(by)}"/>'


def scale(*by):
    return f'<scale value="{number(by)}"/>'


def turn(axis, angle):
    return f'<rotate value="{number(axis)}" angle="{angle}"/>'


def sphere(bsdf, centre, radius, words=""):
    return shape("sphere", bsdf, "", f'<point name="center" x="{centre[0]}" y="{centre[1]}" z="{centre[2]}"/><float name="radius" value="{radius}"/>{words}')


def floor(bsdf):
    return shape("rectangle", bsdf, scale(6, 6, 1))


def inside(sigma_t, albedo, g=0.0):
    phase = f'<phase type="hg"><float name="g" value="{g}"/></phase>' if g else '<phase type="isotropic"/>'
    return f'<medium type="homogeneous" name="interior"><float name="sigma_t" value="{sigma_t}"/>{rgb("albedo", *albedo)}{phase}</medium>'


def named_medium(name, sigma_t, albedo, g=0.0):
    return inside(sigma_t, albedo, g).replace('name="interior"', f'id="{name}"')


def refer(interior, exterior):
    """To media by name; none where empty."""
    return "".join(f'<ref name="{side}" id="{name}"/>' for side, name in (("interior", interior), ("exterior", exterior)) if name)


def medium(bsdf, centre=(0, 0, 0.75), half=0.6, sigma_t=5.0, albedo=(0.95, 0.8, 0.5), g=0.0):
    return shape("cube", bsdf, scale(half, half, half) + move(*centre), inside(sigma_t, albedo, g))


def list_scenes():
    """Name: (shapes, light, sensor: its type, words and a scale of its transform)."""
    low = (0, 0, 0.65)
    knob = '<string name="filename" value="knob.obj"/>'
    return {
        "floor": (medium(NULL) + floor(checker(6)), CONSTANT, PINHOLE),
        "mirrors": (medium(dielectric("dielectric", 1.4), (0.2, -0.9, 0.65)) + floor(diffuse(0.5, 0.4, 0.3)) + sphere(conductor(""), (-1.6, 0.4, 0.9), 0.9)
                    + sphere(conductor(GOLD), (1.7, 0.4, 0.8), 0.8) + sphere(conductor(GOLD + rgb("specular_reflectance", 0.9, 0.5, 0.7)), (0.1, 1.6, 1.2), 1.2)
                    + shape("rectangle", two_sided(conductor(GOLD)), scale(1, 0.8, 1) + turn((1, 0, 0), 70) + move(2.6, 2.6, 1.2)), CONSTANT, PINHOLE),
        "glass": (medium(rough_dielectric(1.4, 0.25), (0.2, -0.9, 0.65)) + floor(checker(6)) + sphere(dielectric("dielectric", 1.5), (-1.6, 0.4, 0.9), 0.9)
                  + sphere(rough_dielectric(1.5, 0.3), (1.7, 0.4, 0.8), 0.8)
                  + sphere(dielectric("dielectric", 1.5), (0.1, 1.7, 1.2), 1.2) + sphere(dielectric("dielectric", 1.5), (0.1, 1.7, 1.2), 0.9, FLIPPED)
                  + sphere(dielectric("thindielectric", 1.5), (2.5, -1.6, 0.5), 0.5)
                  + shape("rectangle", dielectric("thindielectric", 1.8), scale(0.7, 0.7, 1) + turn((1, 0, 0), 75) + turn((0, 0, 1), 25)
                          + move(-1.9, -1.5, 0.75)),
                  CONSTANT, PINHOLE),
        "mesh": (medium(NULL, (1.3, -1.0, 0.65)) + floor(diffuse(0.4, 0.5, 0.6))
                 + shape("ply", two_sided('<bsdf type="diffuse"><texture type="bitmap" name="reflectance"><string name="filename" value="chart.png"/>'
                                          '</texture></bsdf>'), turn((1, 0, 0), 20) + move(-1.1, 0.4, 1.4), '<string name="filename" value="sheet.ply"/>')
                 + shape("obj", two_sided(diffuse(0.7, 0.5, 0.2)), scale(0.9, 0.9, 0.9) + move(1.5, 1.4, 1.2), knob),
                 CONSTANT, PINHOLE),
        "sides": (medium(dielectric("dielectric", 1.33), low, half=0.5) + floor(diffuse(0.5, 0.5, 0.5))
                  + shape("cylinder", diffuse(0.8, 0.4, 0.3), scale(0.5, 0.5, 1) + turn((0, 1, 0), 60) + move(-2.3, -0.6, 0.7))
                  + shape("cylinder", diffuse(0.3, 0.4, 0.8), turn((0, 1, 0), -50) + move(2.6, -0.4, 0.7), '<float name="radius" value="0.5"/>' + FLIPPED)
                  + shape("cylinder", two_sided(checker(3)), "", '<point name="p0" x="-0.4" y="2.2" z="0.1"/><point name="p1" x="0.4" y="1.8" z="1.6"/>'
                          '<float name="radius" value="0.7"/>')
                  + shape("disk", checker(4), turn((1, 0, 0), 70) + move(-2.2, 1.6, 1.1))
                  + shape("disk", diffuse(0.6, 0.7, 0.2), scale(0.7, 0.7, 1) + turn((1, 0, 0), 70) + move(2.1, 1.6, 1.5), FLIPPED)
                  + shape("rectangle", diffuse(0.7, 0.7, 0.7), scale(0.5, 0.5, 1) + turn((1, 0, 0), -70) + move(0.9, -1.3, 0.6))
                  + shape("cube", diffuse(0.7, 0.3, 0.7), scale(0.3, 0.3, 0.3) + turn((0.6, 0.8, 0), 40) + move(-1.0, -1.5, 0.6))
                  + shape("rectangle", NULL, scale(3, 1, 1) + turn((1, 0, 0), 90) + move(0, -2, 1))
                  + sphere(diffuse(0.9, 0.9, 0.2), (1.5, 2.9, 0.5), 0.5, FLIPPED) + sphere(two_sided(diffuse(0.2, 0.9, 0.6)), (-1.0, 3.2, 0.5), 0.5, FLIPPED),
                  CONSTANT, ("orthographic", "", scale(3.6, 3.6, 1))),
        # A solid that refracts, one that does not, and one that is no box, close to each other.
        "solids": (sphere(dielectric("dielectric", 1.4), (-1.1, -0.4, 0.85), 0.8, inside(5.0, (0.95, 0.8, 0.5)))
                   + medium(NULL, (0.55, -0.6, 0.7), sigma_t=3.0, albedo=(0.5, 0.9, 0.7), g=0.5)
                   + shape("obj", rough_dielectric(1.3, 0.3), scale(0.8, 0.8, 0.8) + turn((1, 0, 0), 30) + move(0.3, 1.6, 1.1),
                           knob + inside(8.0, (0.8, 0.5, 0.95)))
                   + floor(checker(6)) + sphere(conductor(GOLD), (2.2, 0.4, 0.8), 0.8), CONSTANT, PINHOLE),
        # In a block of resin: a rough ball, a bubble with a bead in it, and a fog behind no surface.
        "nested": (named_medium("resin", 0.3, (0.8, 0.9, 0.98), 0.5) + named_medium("milk", 6.0, (0.99, 0.95, 0.9))
                   + named_medium("ruby", 3.0, (0.3, 0.9, 0.5)) + named_medium("haze", 2.0, (0.9, 0.5, 0.95)) + floor(checker(6))
                   + shape("cube", dielectric("dielectric", 1.5), scale(1.7, 1.2, 1.1) + turn((0, 0, 1), 15) + move(0, 0, 1.2), refer("resin", ""))
                   + sphere(rough_dielectric(1.33, 0.2, 1.5), (0.7, -0.4, 1.0), 0.6, refer("milk", "resin"))
                   + sphere(dielectric("dielectric", 1, "", 1.5), (-0.7, 0, 1.3), 0.7, refer("", "resin"))
                   + shape("cube", dielectric("dielectric", 1.4), scale(0.25, 0.25, 0.25) + turn((0.6, 0.8, 0), 30) + move(-0.7, 0, 1.3), refer("ruby", ""))
                   + shape("cube", NULL, scale(0.4, 0.3, 0.15) + move(0.5, 0.2, 1.9), refer("haze", "resin")), CONSTANT, PINHOLE),
        "all": (medium(rough_dielectric(1.5, 0.2), low, sigma_t=12.0, albedo=(0.99, 0.9, 0.6), g=0.5) + floor(checker(6))
                + sphere(dielectric("dielectric", 1.5), (-1.7, -0.6, 0.8), 0.8) + sphere(conductor(GOLD), (1.6, -0.8, 0.7), 0.7)
                + sphere(rough_dielectric(1.5, 0.3), (0.3, 2.2, 0.9), 0.9)
                + shape("cylinder", two_sided(diffuse(0.8, 0.4, 0.3)), turn((0, 1, 0), 60) + move(-2.6, 1.2, 1.0))
                + shape("ply", two_sided('<bsdf type="diffuse"><texture type="bitmap" name="reflectance"><string name="filename" value="chart.png"/>'
                                         '</texture></bsdf>'), turn((1, 0, 0), 30) + move(2.0, 2.4, 1.5), '<string name="filename" value="sheet.ply"/>')
                + shape("rectangle", dielectric("thindielectric", 1.5), scale(0.5, 0.7, 1) + turn((1, 0, 0), 80) + move(0.2, -1.6, 0.75)),
                ENVMAP, ("thinlens", '<float name="fov" value="36"/><string name="fov_axis" value="x"/><float name="aperture_radius" value="0.15"/>'
                         '<float name="focus_distance" value="8.5"/>', "")),
    }


def write_sheet(path, steps=96):
    """A wave with its own normals and uv, open, in ASCII."""
    rows = []
    for i in range(steps + 1):
        for j in range(steps + 1):
            u, v = i / steps, j / steps
            x, y = 2.4 * (u - 0.5), 2.4 * (v - 0.5)
            wave = 0.3 * math.sin(4 * x) * math.cos(3 * y)
            normal = (-1.2 * math.cos(4 * x) * math.cos(3 * y), 0.9 * math.sin(4 * x) * math.sin(3 * y), 1.0)
            length = math.hypot(*normal)
            rows.append(number((x, y, wave, *[n / length for n in normal], u, v)))
    at = lambda i, j: i * (steps + 1) + j
    faces = [f"3 {a} {b} {c}" for i in range(steps) for j in range(steps)
             for a, b, c in ((at(i, j), at(i + 1, j), at(i + 1, j + 1)), (at(i, j), at(i + 1, j + 1), at(i, j + 1)))]
    columns = "".join(f"property float {name}\n" for name in ("x", "y", "z", "nx", "ny", "nz", "u", "v"))
    path.write_text(f"ply\nformat ascii 1.0\nelement vertex {len(rows)}\n{columns}element face {len(faces)}\n"
                    "property list uchar int vertex_indices\nend_header\n" + "\n".join(rows + faces) + "\n")


def write_knob(path, parallels=64):
    """A closed body with bumps, normals computed by the reader, in quadrilaterals."""
    meridians = 2 * parallels
    lines = ["v 0 0 1"]
    for i in range(1, parallels):
        for j in range(meridians):
            polar, azimuth = math.pi * i / parallels, 2 * math.pi * j / meridians
            radius = 1 + 0.2 * math.sin(polar) ** 3 * math.cos(3 * azimuth)
            lines.append("v " + number((radius * math.sin(polar) * math.cos(azimuth), radius * math.sin(polar) * math.sin(azimuth), math.cos(polar))))
    lines.append("v 0 0 -1")
    at = lambda i, j: 2 + (i - 1) * meridians + j % meridians
    last = 2 + (parallels - 1) * meridians
    for j in range(meridians):
        lines.append(f"f 1 {at(1, j)} {at(1, j + 1)}")
        lines.append(f"f {last} {at(parallels - 1, j + 1)} {at(parallels - 1, j)}")
        for i in range(1, parallels - 1):
            lines.append(f"f {at(i, j)} {at(i + 1, j)} {at(i + 1, j + 1)}")
            lines.append(f"f {at(i, j)} {at(i + 1, j + 1)} {at(i, j + 1)}")
    path.write_text("\n".join(lines) + "\n")


def write_chart(path, edge=16):
    """A picture of few pixels, no two rows or columns alike."""
    rows = b"".join(b"\0" + bytes(value for x in range(edge) for value in (255 * x // (edge - 1), 255 * y // (edge - 1), 240 if (x // 4 + y // 2) % 2 else 40))
                    for y in range(edge))
    chunk = lambda name, data: struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    header = struct.pack(">IIBBBBB", edge, edge, 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"sRGB", b"\0") + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def write_sky(np, path, width=4096):
    """Bright in one direction, of another colour in another, without sharp edges: interpolation between pixels does not matter. So large because Mitsuba puts
    the centres of the first and the last row on the poles, not half a row from them."""
    height = width // 2
    polar = np.pi * (np.arange(height) + 0.5)[::-1, None] / height  # from the lowest row
    azimuth = 2 * np.pi * (np.arange(width) + 0.5)[None, :] / width
    direction = np.stack([np.sin(polar) * np.sin(azimuth), np.cos(polar) + 0 * azimuth, -np.sin(polar) * np.cos(azimuth)], axis=2)
    sky = np.zeros((height, width, 3)) + (0.2, 0.3, 0.4)
    for towards, strength in (((0.6, 0.7, -0.4), (9, 8, 6)), ((-0.8, 0.3, 0.5), (1, 2, 4)), ((0.1, -1, 0.2), (0.5, 0.2, 0.1))):
        sky += np.exp(10 * (direction @ towards / np.linalg.norm(towards) - 1))[..., None] * strength
    path.write_bytes(b"PF\n%d %d\n-1.0\n" % (width, height) + sky.astype("<f4").tobytes())


def write_scene(path, shapes, light, sensor):
    kind, words, stretch = sensor
    path.write_text(f"""<scene version="3.0.0">
<integrator type="volpath"><integer name="max_depth" value="{MOST_EVENTS}"/><integer name="rr_depth" value="{NO_ROULETTE}"/></integrator>
<sensor type="{kind}">{words}<transform name="to_world">{stretch}<lookat origin="0.6, -8, 4.2" target="0, 0.2, 0.6" up="0, 0, 1"/></transform>
<film type="hdrfilm"><integer name="width" value="{WIDTH}"/><integer name="height" value="{HEIGHT}"/><rfilter type="box"/></film>
<sampler type="independent"/></sensor>
{light}
{shapes}</scene>
""")


def write_files(np, folder):
    for write, name in ((write_sheet, "sheet.ply"), (write_knob, "knob.obj"), (write_chart, "chart.png")):
        write(folder / name)
    write_sky(np, folder / "sky.pfm")
