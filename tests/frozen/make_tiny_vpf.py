#!/usr/bin/env python3
# Writes the tiny*.vpf of this folder from docs/formats alone (no code of the library), into the folder given.
#
# tiny.vpf holds the samples 0:2 and 5:1; tiny_rest.vpf the samples 2:3 of the same scene; tiny_newer_minor.vpf is tiny.vpf
# as a later minor version may write it, with a section of its own. The files are kept in this folder and must decode
# forever; the script says how they came to be and is not run by the tests. It needs libxxhash for the checksums.
import ctypes
import json
import pathlib
import struct
import sys

ALIGNMENT = 4096
MAGIC = b"VOLPTVPF"


class Hash128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


def hash_bytes(data):
    function = ctypes.CDLL("libxxhash.so.0").XXH3_128bits
    function.restype, function.argtypes = Hash128, [ctypes.c_char_p, ctypes.c_size_t]
    value = function(data, len(data))
    return struct.pack("<QQ", value.high, value.low)


def record(name, kind, *values):
    code, letter = {"u32": (1, "I"), "f32": (2, "f"), "f64": (3, "d"), "hash": (4, "QQ")}[kind]
    payload = b"".join(struct.pack("<" + letter, *(value if kind == "hash" else [value])) for value in values)
    return struct.pack("<B", len(name)) + name.encode() + struct.pack("<BI", code, len(values)) + payload


SCENE = b"".join([
    record("volume_checksum", "hash", (0x0123456789ABCDEF, 0xFEDCBA9876543210)),
    record("width", "u32", 3),
    record("height", "u32", 2),
    record("bands", "u32", 3),
    record("camera.kind", "u32", 0),
    record("camera.origin_world", "f64", 0.0, 0.0, 100.0),
    record("camera.target_world", "f64", 0.0, 0.0, 0.0),
    record("camera.up_world", "f64", 0.0, 1.0, 0.0),
    record("camera.fov_x_deg", "f64", 0.7),
    record("camera.ortho_width_mm", "f64", 1.0),
    record("environment.kind", "u32", 1),
    record("environment.radiance", "f32", 1.0, 0.5, 0.25),
    record("environment.below", "f32", 0.0),
    record("environment.image_checksum", "hash", (0, 0)),
    record("environment.up_axis", "u32", 4),
    record("environment.rotate_deg", "f64", 0.0),
    record("boundary.kind", "u32", 2),
    record("boundary.int_ior", "f64", 1.5),
    record("boundary.ext_ior", "f64", 1.0),
    record("boundary.alpha", "f64", 0.1),
    record("scale", "f32", 2.5),
    record("override_g", "u32", 1),
    record("g", "f32", 0.4),
    record("majorant", "u32", 1),
    record("roulette_w_min", "f32", 0.5),
    record("depth_limit", "u32", 1000),
])
SEED, SUM_LOG2, SQUARE_LOG2, PIXELS = 42, 31, 31, 3 * 2 * 3
FILM = struct.pack("<QIIIIii", SEED, 3, 2, 3, 64, SUM_LOG2, SQUARE_LOG2) + hash_bytes(SCENE)
TILES, REST_TILES = struct.pack("<5Q", 2, 0, 2, 5, 1), struct.pack("<3Q", 1, 2, 3)
SUMS = struct.pack(f"<{PIXELS}Q", *(i << 28 for i in range(PIXELS)))
SQUARES = struct.pack(f"<{PIXELS}Q", *(i << 27 for i in range(PIXELS)))
STATISTICS = struct.pack("<5Q", 18, 1500, 2500, 1, 123456)
PROVENANCE = json.dumps({"tool": "make_tiny_vpf.py"}, separators=(",", ":")).encode()

SECTIONS = [("scene", SCENE), ("film", FILM), ("tiles", TILES), ("sums", SUMS), ("squares", SQUARES),
            ("statistics", STATISTICS), ("provenance", PROVENANCE)]
REST = [(name, REST_TILES if name == "tiles" else payload) for name, payload in SECTIONS]


def make_file(version, sections):
    body, table, offset = b"", b"", ALIGNMENT
    for name, payload in sections:
        table += struct.pack("<16sQQ", name.encode(), offset, len(payload)) + hash_bytes(payload)
        padded = payload + bytes(-len(payload) % ALIGNMENT)
        body += padded
        offset += len(padded)
    file_bytes = offset + 32

    def make_header(checksum):
        start = struct.pack("<8sIIIIQ16s16x", MAGIC, version, 0x01020304, len(sections), ALIGNMENT, file_bytes, checksum)
        return (start + table).ljust(ALIGNMENT, b"\0")

    checksum = hash_bytes(make_header(bytes(16)))
    return make_header(checksum) + body + struct.pack("<8sQ16s", MAGIC, file_bytes, checksum)


folder = pathlib.Path(sys.argv[1])
(folder / "tiny.vpf").write_bytes(make_file(1 << 16, SECTIONS))
(folder / "tiny_newer_minor.vpf").write_bytes(make_file(1 << 16 | 9, SECTIONS[:6] + [("of_later", b"later")]))
(folder / "tiny_rest.vpf").write_bytes(make_file(1 << 16, REST))
