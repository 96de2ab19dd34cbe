#!/usr/bin/env python3
# Writes tiny.vpk and tiny_labels.vpk of this folder from docs/formats alone (no code of the library), into the folder given.
#
# tiny.vpk: 9 x 2 x 1 voxels, trilinear, density in u8 steps of 0.5, three bands of 1 - albedo in f16; its first brick
# varies, its second is constant. tiny_labels.vpk: 16 x 8 x 9 voxels of two materials in two bands, nearest. The files are
# kept in this folder and must decode forever; the script says how they came to be and is not run by the tests. It needs
# libxxhash for the checksums.
import ctypes
import pathlib
import struct
import sys

ALIGNMENT = 4096
MAGIC = b"VOLPTVPK"
CONSTANT = 0xFFFFFFFF


class Hash128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


def hash_bytes(data):
    function = ctypes.CDLL("libxxhash.so.0").XXH3_128bits
    function.restype, function.argtypes = Hash128, [ctypes.c_char_p, ctypes.c_size_t]
    value = function(data, len(data))
    return struct.pack("<QQ", value.high, value.low)


def write_container(path, sections):
    table, body = b"", b""
    for name, data in sections:
        table += struct.pack("<16sQQ", name.encode(), ALIGNMENT + len(body), len(data)) + hash_bytes(data)
        body += data + bytes(-len(data) % ALIGNMENT)
    size = ALIGNMENT + len(body) + 32

    def header(checksum):
        start = MAGIC + struct.pack("<IIIIQ", 0x00010000, 0x01020304, len(sections), ALIGNMENT, size)
        return (start + checksum + bytes(16) + table).ljust(ALIGNMENT, b"\0")

    checksum = hash_bytes(header(bytes(16)))
    path.write_bytes(header(checksum) + body + MAGIC + struct.pack("<Q", size) + checksum)


def meta(dims, bands, pitch, scale, origin, filter_, sources, g, value_scale, encodings, materials, extinction, majorant):
    pad = lambda values, code: struct.pack("<16" + code, *(list(values) + [0] * (16 - len(values))))
    rotation = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    record = struct.pack("<3II3ff9d3d", *dims, bands, *pitch, scale, *rotation, *origin)
    record += struct.pack("<IIIIffIII12x", filter_, *sources, g, value_scale, *encodings, materials)
    record += pad(range(bands), "I") + pad(extinction, "f") + pad([], "f") + pad(majorant, "f")
    assert len(record) == 432
    return record


def spread(x, y, z):
    return sum((x >> b & 1) << 3 * b | (y >> b & 1) << 3 * b + 1 | (z >> b & 1) << 3 * b + 2 for b in range(3))


def brick(corner, dims, record):
    cells = [b""] * 512
    for z in range(8):
        for y in range(8):
            for x in range(8):
                at = [min(c + v, d - 1) for c, v, d in zip(corner, (x, y, z), dims)]
                cells[spread(x, y, z)] = record(*at)
    return b"".join(cells)


TEXTS = [
    ("scene_hints", b'{"camera":{"fov":40}}'),
    ("source_metadata", b"{}"),
    ("provenance", b'{"tool":"make_tiny_vpk.py"}'),
]


def write_tiny(path):
    dims = (9, 2, 1)
    density = lambda x, y, z: 10 * y + x if x < 8 else 20
    albedo = lambda x, y, z: (0.25, x / 16, y / 2) if x < 8 else (0.5, 0.75, 1.0)
    half = lambda values: struct.pack("<4e", *values, 0)
    float_bits = lambda value: struct.unpack("<I", struct.pack("<f", value))[0]
    # The second brick reaches one voxel into the first, and the other way round: codes 17 and 20.
    majorants = struct.pack("<2f", 20 * 0.5, 20 * 0.5)
    mean_density = sum(0.5 * density(x, y, 0) for x in range(9) for y in range(2)) / 18
    write_container(path, [
        ("meta", meta(dims, 3, (0.5, 0.25, 2.0), 3.0, (-1.0, 2.0, 0.5), 0, (1, 1, 0), 0.5, 0.5, (0, 2), 0, [], [10.0] * 3)),
        ("density.voxels", brick((0, 0, 0), dims, lambda *at: bytes([density(*at)]))),
        ("density.table", struct.pack("<4I", 0, 0, CONSTANT, float_bits(10.0))),
        ("albedo.voxels", brick((0, 0, 0), dims, lambda *at: half(albedo(*at)))),
        ("albedo.table", struct.pack("<8I", 0, 0, 0, 0, CONSTANT, *map(float_bits, (0.5, 0.75, 1.0)))),
        ("majorants", majorants),
        ("statistics", struct.pack("<QQdddd", 2, 1, 0.0, 0.0, 1.0, mean_density / 10)),
    ] + TEXTS)


def write_labels(path):
    dims = (16, 8, 9)
    label = lambda x, y, z: 1 if x >= 8 and z < 8 and (x + y + z) % 2 else 0
    rows = [[9.0, 2.0], [4.0, 3.0]], [[0.5, 0.25], [0.125, 0.0625]], [0.5, -0.25]
    pad = lambda values: struct.pack("<256f", *(values + [0.0] * (256 - len(values))))
    ones = sum(label(x, y, z) for x in range(16) for y in range(8) for z in range(9))
    voxels = 16 * 8 * 9
    # Bricks in table order: x fastest; only brick (1, 0, 0) is mixed.
    local = [[9.0, 9.0, 9.0, 9.0], [4.0, 4.0, 4.0, 4.0]]
    ratio = sum(((voxels - ones) * row[0] + ones * row[1]) / voxels / row[0] for row in rows[0]) / 2
    write_container(path, [
        ("meta", meta(dims, 2, (1, 1, 1), 1.0, (0, 0, 0), 1, (2, 2, 2), 0, 0, (0, 0), 2, [], [9.0, 4.0])),
        ("materials", pad(rows[0][0]) + pad(rows[0][1]) + pad(rows[1][0]) + pad(rows[1][1]) + pad(rows[2])),
        ("material_names", b'["A","B"]'),
        ("label.voxels", brick((8, 0, 0), dims, lambda *at: bytes([label(*at)]))),
        ("label.table", struct.pack("<8I", CONSTANT, 0, 0, 0, CONSTANT, 0, CONSTANT, 0)),
        ("majorants", struct.pack("<8f", *local[0], *local[1])),
        ("statistics", struct.pack("<QQdddd", 4, 3, 0.0, 0.0, 1.0, ratio)),
    ] + TEXTS)


folder = pathlib.Path(sys.argv[1])
write_tiny(folder / "tiny.vpk")
write_labels(folder / "tiny_labels.vpk")
