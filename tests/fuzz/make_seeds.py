#!/usr/bin/env python3
# Writes the seeds of the fuzz targets of pictures, colour profiles, MetaImage, meshes and requests to volview.
"""make_seeds.py FOLDER: FOLDER/bmp, icc, jpg, tiff_picture, metaimage, stl, ply, obj, gltf, three_mf and volview_request as tests/fuzz/seeds has them (zlib's
bytes may differ with its version)."""

import base64
import io
import json
import pathlib
import struct
import sys
import zipfile
import zlib

from picture_seeds import make_picture_seeds


def bmp(width, height, bits, pixels, palette=b""):
    offset = 54 + len(palette)
    header = struct.pack("<2sIHHI", b"BM", offset + len(pixels), 0, 0, offset)
    return header + struct.pack("<IiiHHIIiiII", 40, width, height, 1, bits, 0, 0, 0, 0, 0, 0) + palette + pixels


def letters(first, count):
    return bytes(range(ord(first), ord(first) + count))


def metaimage(lines, data):
    head = ["ObjectType = Image", "NDims = 3", "DimSize = 2 2 2", *lines, "ElementDataFile = LOCAL"]
    return "".join(line + "\n" for line in head).encode() + data


CORNERS = [(0, 0, 0), (1.5, 0, 0), (0, 2.25, 0), (0, 0, 0.5)]
FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]


def stl(is_binary):
    if is_binary:
        facets = [struct.pack("<12fH", 0, 0, 0, *(x for i in face for x in CORNERS[i]), 0x8000 + 31) for face in FACES]
        return b"binary".ljust(80) + struct.pack("<I", 4) + b"".join(facets)
    lines = ["solid t"]
    for face in FACES:
        lines += ["facet normal 0 0 0", "outer loop", *("vertex %g %g %g" % CORNERS[i] for i in face), "endloop", "endfacet"]
    return "\n".join([*lines, "endsolid t", ""]).encode()


def ply(kind):
    head = ["ply", f"format {kind} 1.0", "element vertex 4", *(f"property float {name}" for name in ("x", "y", "z", "nx", "ny", "nz", "s", "t")),
            *(f"property uchar {name}" for name in ("red", "green", "blue")), "element face 4", "property list uchar int vertex_indices",
            "end_header", ""]
    values = [(*corner, 0, 0, 1, .5, .25, 255, 128, 0) for corner in CORNERS]
    if kind == "ascii":
        rows = [" ".join(map(str, row)) for row in values] + ["3 %d %d %d" % face for face in FACES]
        return ("\n".join(head) + "\n".join(rows) + "\n").encode()
    order = "<" if kind == "binary_little_endian" else ">"
    data = b"".join(struct.pack(order + "8f3B", *row) for row in values) + b"".join(struct.pack(order + "B3i", 3, *face) for face in FACES)
    return "\n".join(head).encode() + data


def gltf(is_binary):
    data = struct.pack("<12f", *(x for corner in CORNERS for x in corner)) + struct.pack("<12H", *(i for face in FACES for i in face))
    buffer = {"byteLength": 72}
    if not is_binary:
        buffer["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    text = json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, "scale": [1, 2, -1]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 0, "COLOR_0": 0}, "indices": 1, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1, .5, 0, 1]}}], "buffers": [buffer],
        "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                      {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}]}).encode()
    if not is_binary:
        return text
    text += b" " * (-len(text) % 4)
    return (struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data)) + struct.pack("<I4s", len(text), b"JSON") + text +
            struct.pack("<I4s", len(data), b"BIN\0") + data)


def three_mf():
    vertices = "".join('<vertex x="%g" y="%g" z="%g"/>' % corner for corner in CORNERS)
    triangles = "".join('<triangle v1="%d" v2="%d" v3="%d" pid="2" p1="0" p2="1"/>' % face for face in FACES)
    schemas = "http://schemas.microsoft.com/3dmanufacturing/"
    model = (f'<model unit="inch" xmlns="{schemas}core/2015/02" xmlns:m="{schemas}material/2015/02"><resources><m:colorgroup id="2">'
             f'<m:color color="#FF0000"/><m:color color="#00FF0080"/></m:colorgroup><object id="1"><mesh><vertices>{vertices}</vertices>'
             f'<triangles>{triangles}</triangles></mesh></object><object id="3"><components><component objectid="1" '
             'transform="1 0 0 0 1 0 0 0 -1 0 0 5"/></components></object></resources><build><item objectid="3"/></build></model>')
    relations = f'<Relationships><Relationship Target="/3D/3dmodel.model" Type="{schemas}2013/01/3dmodel"/></Relationships>'
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        for name, text in (("_rels/.rels", relations), ("3D/3dmodel.model", model)):
            file.writestr(zipfile.ZipInfo(name), text)
    return archive.getvalue()


def main():
    root = pathlib.Path(sys.argv[1])
    grey = b"".join(bytes([v, v, v, 0]) for v in (0, 128, 255))
    numbers = struct.pack("<8H", *range(100, 900, 100))
    deflated = zlib.compress(numbers)
    obj = "".join("v %g %g %g\n" % corner for corner in CORNERS) + "vt 0 0\nvn 0 0 1\nf 1/1/1 3/1/1 2/1/1\nf -4 -3 -1\nf 2 3 4 1\nl 1 2\n"
    files = {
        "stl/text.stl": stl(False),
        "stl/binary.stl": stl(True),
        "ply/text.ply": ply("ascii"),
        "ply/little.ply": ply("binary_little_endian"),
        "ply/big.ply": ply("binary_big_endian"),
        "obj/polygons.obj": obj.encode(),
        "gltf/embedded.gltf": gltf(False),
        "gltf/binary.glb": gltf(True),
        "three_mf/colours.3mf": three_mf(),
        "bmp/alpha.bmp": bmp(2, 2, 32, letters("i", 8) + letters("a", 8)),
        "bmp/colour.bmp": bmp(3, 2, 24, letters("j", 9) + bytes(3) + letters("a", 9) + bytes(3)),
        "bmp/grey.bmp": bmp(3, 2, 8, bytes([2, 1, 0, 0, 0, 1, 2, 0]), grey),
        "metaimage/colour.mha": metaimage(["ElementType = MET_UCHAR", "ElementNumberOfChannels = 3", "BinaryData = True"], bytes(range(24))),
        "metaimage/raw.mha": metaimage(["ElementType = MET_USHORT", "ElementSpacing = 1 1 2", "Offset = 1 2 3", "BinaryData = True",
                                        "BinaryDataByteOrderMSB = False"], numbers),
        "metaimage/zlib.mha": metaimage(["ElementType = MET_USHORT", "BinaryData = True", "CompressedData = True",
                                         f"CompressedDataSize = {len(deflated)}", "TransformMatrix = 0 1 0 -1 0 0 0 0 1"], deflated),
    }
    files.update(make_picture_seeds())
    # The first byte chooses the parser.
    requests = [("host", "[::1]:8080"), ("cookie", "a=b; volview-0=0123456789abcdef; c"), ("origin", "http://localhost:8080"),
                ("camera", '{"origin":[0.1,0,1e2],"target":[0,0,0],"up":[0,1,0],"fov":30,"moving":true}'),
                ("options", '{"set":{"g":"0.5","alpha":null},"moving":false}'),
                ("display", '{"exposure":1,"tone":"linear","illuminant":"D50","band":1}'), ("pick", '{"x":0.5,"y":0.25}'),
                ("patch", '{"x0":0,"y0":0,"x1":0.5,"y1":1}'), ("save", '{"kind":"vpf"}')]
    json_post = "POST /camera HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json"
    heads = [("get", "GET /film.vpf HTTP/1.1\r\nHost: localhost:8080\r\nAuthorization: Bearer 00\r\nRange: bytes=5-9"),
             ("post", f"{json_post}; charset=utf-8\r\nContent-Length: 2"), ("lengths", f"{json_post}\r\nContent-Length: 2\r\ncontent-length: 3"),
             ("chunked", f"{json_post}\r\nTransfer-Encoding: chunked"), ("body_of_get", "GET / HTTP/1.1\r\nContent-Length: 4"),
             ("form", "POST /camera HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 2"),
             ("ranges", "GET / HTTP/1.1\r\nRange: bytes=0-,0-"), ("folded", "GET / HTTP/1.1\r\nA: b\r\n c\r\nContent-Length : 2\nX")]
    ranges = [("both", "bytes=5-9"), ("from", "bytes=17-"), ("end", "bytes = -20"), ("long", "bytes=0-99999999999999999999999")]
    numbered = [*enumerate(requests), *((9, (f"head_{name}", f"{text}\r\n\r\n")) for name, text in heads),
                *((10, (f"range_{name}", text)) for name, text in ranges)]
    for parser, (name, text) in numbered:
        files[f"volview_request/{name}"] = bytes([parser]) + text.encode()
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)


if __name__ == "__main__":
    main()
