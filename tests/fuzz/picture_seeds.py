# Seeds of the fuzz targets of colour profiles, JPEG and TIFF pictures, written byte by byte.
"""make_picture_seeds() returns the content of each file by its name below tests/fuzz/seeds."""

import base64
import struct
import zlib

# By libjpeg, grey, 9 x 17 pixels, with a profile: arithmetic coding is not written here.
ARITHMETIC_JPEG = """
/9j/4AAQSkZJRgABAQAAAQABAAD/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/4gFsSUNDX1BST0ZJTEUAAQEAAAFcbGNtcwRAAABtbnRyR1JBWVhZWi
AH6gALABcAEQAfACNhY3NwQVBQTAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA9tYAAQAAAADTLWxjbXMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
AAAAAAAAAAAAAARkZXNjAAAAtAAAADZjcHJ0AAAA7AAAAEx3dHB0AAABOAAAABRrVFJDAAABTAAAABBtbHVjAAAAAAAAAAEAAAAMZW5VUwAAABoAAAAcAGcAcgBhAHkAIA
BiAHUAaQBsAHQALQBpAG4AAG1sdWMAAAAAAAAAAQAAAAxlblVTAAAAMAAAABwATgBvACAAYwBvAHAAeQByAGkAZwBoAHQALAAgAHUAcwBlACAAZgByAGUAZQBsAHlYWVog
AAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAAAAAABzM3/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeF
xlZ2P/yQALCAAJABEBAREA/8wABgAQEAX/2gAIAQEAAD8A/q8QVd8mXoZWWCP6W+UvGNq7y8ys4gweC8B0nBrSQP/Z
"""


def s15(value):
    return struct.pack(">i", round(value * 65536))


def profile(kind, space, connection, version, tags):
    """An ICC profile of these tags, (name, content)."""
    table, data = struct.pack(">I", len(tags)), b""
    for name, content in tags:
        table += struct.pack(">4sII", name, 132 + 12 * len(tags) + len(data), len(content))
        data += content + bytes(-len(content) % 4)
    size = 128 + len(table) + len(data)
    head = struct.pack(">I4sI4s4s4s6H4s4s", size, b"volp", version, kind, space, connection, 2026, 1, 1, 0, 0, 0, b"acsp", b"APPL")
    head += bytes(24) + b"".join(map(s15, (0.9642, 1, 0.8249))) + bytes(48)
    return head + table + data


def xyz(x, y, z):
    return b"XYZ \0\0\0\0" + s15(x) + s15(y) + s15(z)


def rgb_profile(primaries, curve):
    tags = [(b"wtpt", xyz(0.9642, 1, 0.8249))]
    for name, primary in zip((b"r", b"g", b"b"), primaries):
        tags += [(name + b"XYZ", xyz(*primary)), (name + b"TRC", curve)]
    return profile(b"mntr", b"RGB ", b"XYZ ", 0x04000000, tags)


def press_profile():
    """C M Y K to L*a*b* through a table of 2^4 nodes: paper, inks, their overprints."""
    nodes = b""
    for node in range(16):
        c, m, y, k = (node >> bit & 1 for bit in (3, 2, 1, 0))
        light = max(0, 95 - 40 * c - 45 * m - 8 * y - 85 * k)
        red_green, yellow_blue = -35 * c + 70 * m - 5 * y, -50 * c - 5 * m + 90 * y
        nodes += struct.pack(">3H", light * 0xff00 // 100, 0x8000 + 0x100 * red_green * (1 - k), 0x8000 + 0x100 * yellow_blue * (1 - k))
    lut = b"mft2\0\0\0\0" + bytes([4, 3, 2, 0]) + b"".join(s15(i % 4 == 0) for i in range(9)) + struct.pack(">2H", 2, 2)
    lut += struct.pack(">2H", 0, 0xffff) * 4 + nodes + struct.pack(">2H", 0, 0xffff) * 3
    return profile(b"prtr", b"CMYK", b"Lab ", 0x02400000, [(b"A2B0", lut), (b"wtpt", xyz(0.9642, 1, 0.8249))])


def gamma_curve(gamma):
    return b"curv\0\0\0\0" + struct.pack(">IH", 1, round(gamma * 256)) + bytes(2)


SRGB_CURVE = b"para\0\0\0\0" + struct.pack(">2H", 3, 0) + b"".join(map(s15, (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)))
ADOBE = rgb_profile(((0.60974, 0.31111, 0.01947), (0.20528, 0.62567, 0.06087), (0.14919, 0.06322, 0.74457)), gamma_curve(2.2))
P3 = rgb_profile(((0.51512, 0.2412, -0.00105), (0.29198, 0.69225, 0.04189), (0.1571, 0.06657, 0.78407)), SRGB_CURVE)
GREY = profile(b"mntr", b"GRAY", b"XYZ ", 0x04000000, [(b"wtpt", xyz(0.9642, 1, 0.8249)), (b"kTRC", gamma_curve(1.8))])
PRESS = press_profile()


def segment(marker, content):
    return struct.pack(">BBH", 0xff, marker, len(content) + 2) + content


def jpeg(components, blocks, start, more):
    """Blocks of 8 x 8 side by side, each with a mean and one ripple; `start` is the marker of its frame: 0xc0, or 0xc2, progressive."""
    bits = ""
    last = [0] * components
    for block in blocks:
        for component, mean in enumerate(block):
            step = mean - last[component]
            last[component] = mean
            size = abs(step).bit_length()
            bits += f"{size:04b}" + (f"{step if step > 0 else step + (1 << size) - 1:0{size}b}" if size else "")
            if start == 0xc0:
                bits += "01" + "1" + "00"  # a first coefficient of 1, then the end of the block
    bits += "1" * (-len(bits) % 8)
    scan = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8)).replace(b"\xff", b"\xff\0")
    frame = struct.pack(">BHHB", 8, 8, 8 * len(blocks), components) + b"".join(bytes([i + 1, 0x11, 0]) for i in range(components))
    means = bytes([0x00, 0, 0, 0, 12]) + bytes(12) + bytes(range(12))
    ripples = bytes([0x10, 0, 2]) + bytes(14) + bytes([0, 1])
    heads = more + segment(0xdb, bytes([0]) + bytes([16] * 64)) + segment(start, frame) + segment(0xc4, means + ripples)
    last_coefficient = 63 if start == 0xc0 else 0
    begin = bytes([components]) + b"".join(bytes([i + 1, 0]) for i in range(components)) + bytes([0, last_coefficient, 0])
    return b"\xff\xd8" + heads + segment(0xda, begin) + scan + b"\xff\xd9"


def make_jpegs():
    jfif = segment(0xe0, b"JFIF\0\1\1\0\0\1\0\1\0\0")
    turned = segment(0xe1, b"Exif\0\0MM\0*\0\0\0\x08\0\1\x01\x12\0\3\0\0\0\1\0\6\0\0\0\0\0\0")
    colours = [(-20, 5, -9), (31, -12, 0), (7, 7, 7)]
    inks = segment(0xee, b"Adobe\0\x64\0\0\0\0\0") + segment(0xe2, b"ICC_PROFILE\0\1\1" + PRESS)
    return {
        "arithmetic.jpg": base64.b64decode(ARITHMETIC_JPEG),
        "colour.jpg": jpeg(3, colours, 0xc0, jfif + turned),
        "grey_profile.jpg": jpeg(1, [(-20,), (31,)], 0xc0, jfif + segment(0xe2, b"ICC_PROFILE\0\1\1" + GREY)),
        "inks.jpg": jpeg(4, [(-20, 5, -9, 60), (31, -12, 0, 63)], 0xc0, inks),
        "progressive.jpg": jpeg(3, colours, 0xc2, jfif),
    }


def pack_literals(data):
    """LZW of TIFF that is all literals: fewer than 250, so that codes keep 9 bits."""
    bits = "".join(f"{code:09b}" for code in (256, *data, 257))
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


def pack_runs(data):
    """PackBits, by runs of equal bytes."""
    packed = b""
    while data:
        run = next((i for i in range(1, min(len(data), 128)) if data[i] != data[0]), min(len(data), 128))
        packed += bytes([(257 - run) % 256, data[0]])
        data = data[run:]
    return packed


def tiff(tags, pieces, is_tiled=False):
    """One page; a tag is (number, type, values), in bytes for type 7. Pieces are strips, or tiles."""
    formats = {3: "H", 4: "I"}
    offsets, data = [], b""
    for piece in pieces:
        offsets.append(8 + len(data))
        data += piece + bytes(len(piece) % 2)
    places = (324, 325) if is_tiled else (273, 279)
    tags = sorted([*tags, (places[0], 4, offsets), (places[1], 4, [len(piece) for piece in pieces])])
    at = 8 + len(data)
    beyond, entries = b"", b""
    for number, kind, values in tags:
        content = values if kind == 7 else struct.pack(f"<{len(values)}{formats[kind]}", *values)
        entries += struct.pack("<HHI", number, kind, len(values))
        if len(content) <= 4:
            entries += content.ljust(4, b"\0")
            continue
        entries += struct.pack("<I", at + 6 + 12 * len(tags) + len(beyond))
        beyond += content + bytes(len(content) % 2)
    return b"II*\0" + struct.pack("<I", at) + data + struct.pack("<H", len(tags)) + entries + bytes(4) + beyond


def describe_page(width, height, bits, samples, photometric, compression, more=()):
    return [(256, 3, [width]), (257, 3, [height]), (258, 3, [bits] * samples), (259, 3, [compression]), (262, 3, [photometric]),
            (277, 3, [samples]), *more]


def make_tiffs():
    none, lzw, deflate, packbits = 1, 5, 8, 32773
    ramp = [(40 * x + 9 * y) % 256 for y in range(5) for x in range(7)]
    wide = struct.pack("<35H", *(257 * value for value in ramp))
    rgb = b"".join(bytes([value, 255 - value, 99]) for value in ramp)
    inks = b"".join(bytes([value, 30, 255 - value, 9]) for value in ramp)
    tile = b"".join(bytes([16 * x, 16 * y, 99, 255 - 8 * x]) for y in range(16) for x in range(16))
    flat = bytes(5 for _ in range(35))
    palette = [257 * (255 - value) for _ in range(3) for value in range(256)]
    return {
        "alpha_tiles.tif": tiff(describe_page(7, 5, 8, 4, 2, deflate, [(274, 3, [6]), (322, 3, [16]), (323, 3, [16]), (338, 3, [1])]),
                                [zlib.compress(tile)], is_tiled=True),
        "far_alpha.tif": tiff(describe_page(7, 5, 8, 5, 2, none, [(278, 3, [5]), (338, 3, [0, 2])]), [bytes(range(175))]),
        "grey16.tif": tiff(describe_page(7, 5, 16, 1, 1, deflate, [(278, 3, [2]), (34675, 7, GREY)]),
                           [zlib.compress(wide[at:at + 28]) for at in (0, 28, 56)]),
        "inks.tif": tiff(describe_page(7, 5, 8, 4, 5, lzw, [(278, 3, [5]), (332, 3, [1]), (34675, 7, PRESS)]), [pack_literals(inks)]),
        "palette.tif": tiff(describe_page(7, 5, 8, 1, 3, packbits, [(278, 3, [5]), (320, 3, palette)]), [pack_runs(flat)]),
        "planar.tif": tiff(describe_page(7, 5, 8, 3, 2, lzw, [(278, 3, [5]), (284, 3, [2])]), [pack_literals(rgb[c::3]) for c in range(3)]),
        "rgb.tif": tiff(describe_page(7, 5, 8, 3, 2, none, [(278, 3, [5])]), [rgb]),
    }


def make_picture_seeds():
    # The first byte of a profile's seed chooses the picture that it is applied to.
    files = {"icc/adobe.icc": b"\1" + ADOBE, "icc/p3.icc": b"\1" + P3, "icc/grey.icc": b"\0" + GREY, "icc/press.icc": b"\2" + PRESS}
    files.update({"jpg/" + name: content for name, content in make_jpegs().items()})
    files.update({"tiff_picture/" + name: content for name, content in make_tiffs().items()})
    return files
