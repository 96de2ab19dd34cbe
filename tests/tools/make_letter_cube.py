# make_letter_cube.py: writes cubes of 3.9 mm with letters on their faces into the working directory, with pictures beside and inside of them.
"""cube.obj, cube.gltf, cube.glb, cube.3mf: letters.png on all faces; project.3mf: the same, its object and picture in another part, as slicers save projects. parts.obj, parts.glb: three faces with it, one with half of its light, a red one, one with
another picture; seen.png is one picture with all of that. opaque.glb, blend.glb: letters.png with an alpha of 0. The others are damaged: cut, outside, raised, bomb, text (.glb); traversal, missing (.gltf)."""
import base64, json, os, pathlib, struct, sys, zipfile, zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "pipelines"))
import png

HALF_M = 2.0**-9
# Normal, right and up of each face as seen from outside, and its letter.
FACES = [((0, 0, 1), (1, 0, 0), (0, 1, 0), "#### #... ###. #... #..."), ((0, 0, -1), (1, 0, 0), (0, -1, 0), ".### #... #.## #..# .###"),
         ((0, -1, 0), (1, 0, 0), (0, 0, 1), "..## ...# ...# #..# .##."), ((0, 1, 0), (-1, 0, 0), (0, 0, 1), "#... #... #... #... ####"),
         ((1, 0, 0), (0, 1, 0), (0, 0, 1), "###. #..# ###. #... #..."), ((-1, 0, 0), (0, -1, 0), (0, 0, 1), "###. #..# ###. #.#. #..#")]
WHITE, BLACK, HALF, RED = b"\xff\xff\xff", b"\0\0\0", b"\xbc\xbc\xbc", b"\xff\0\0"


def write_picture(path, colours):
    """colours: of paper and letter, for each face."""
    rows = [b"".join(colours[i][1] if mark == "#" else colours[i][0] for i, face in enumerate(FACES) for mark in face[3].split()[row]) for row in range(5)]
    png.write_png(path, 24, 5, rows)
    return pathlib.Path(path).read_bytes()


def list_corners(face):
    """Position in metres and texture coordinates, v upwards, of the four corners."""
    normal, right, up, _ = FACES[face]
    for r, u in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        place = [HALF_M * (normal[a] + r * right[a] + u * up[a]) for a in range(3)]
        yield place, struct.unpack("<f", struct.pack("<f", (face + (r > 0)) / 6))[0], (u + 1) // 2


def write_obj(path, materials, of_face):
    """materials: lines of the .mtl."""
    pathlib.Path(path).with_suffix(".mtl").write_text("".join(f"newmtl m{i}\n{text}\n" for i, text in enumerate(materials)))
    lines = [f"mtllib {pathlib.Path(path).with_suffix('.mtl').name}"]
    for face in range(6):
        lines.append(f"usemtl m{of_face[face]}")
        for place, u, v in list_corners(face):
            lines += ["v " + " ".join(f"{1000 * x:.9g}" for x in place), f"vt {u:.9g} {v}"]
        corners = [f"{4 * face + k}/{4 * face + k}" for k in (1, 2, 3, 4)]
        lines += [f"f {corners[0]} {corners[1]} {corners[2]}", f"f {corners[0]} {corners[2]} {corners[3]}"]
    pathlib.Path(path).write_text("\n".join(lines) + "\n")


def write_gltf(path, materials, of_face, pictures=(), uris=(), beyond=0, raised=0, alpha_mode="OPAQUE"):
    """pictures: inside; uris: named; beyond: what the last picture takes too much; raised: what the buffer announces too much. A .gltf has all of its bytes in data URIs, its pictures apart from the buffer."""
    is_binary, data, views, accessors, primitives = path.endswith(".glb"), b"", [], [], []

    def add_view(part):
        nonlocal data
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(part)})
        data += part + bytes(-len(part) % 4)
        return len(views) - 1

    def add_accessor(part, kind, code, count, **more):
        accessors.append({"bufferView": add_view(part), "componentType": code, "type": kind, "count": count, **more})
        return len(accessors) - 1

    for material in range(len(materials)):
        faces = [face for face in range(6) if of_face[face] == material]
        corners = [corner for face in faces for corner in list_corners(face)]
        places = add_accessor(b"".join(struct.pack("<3f", *c[0]) for c in corners), "VEC3", 5126, len(corners), min=[-HALF_M] * 3, max=[HALF_M] * 3)
        coordinates = add_accessor(b"".join(struct.pack("<2f", c[1], 1 - c[2]) for c in corners), "VEC2", 5126, len(corners))
        indices = [4 * k + i for k in range(len(faces)) for i in (0, 1, 2, 0, 2, 3)]
        primitives.append({"attributes": {"POSITION": places, "TEXCOORD_0": coordinates}, "material": material,
                           "indices": add_accessor(struct.pack(f"<{len(indices)}H", *indices), "SCALAR", 5123, len(indices))})
    if is_binary:
        images = [{"bufferView": add_view(picture), "mimeType": "image/png"} for picture in pictures]
    else:
        images = [{"uri": "data:image/png;base64," + base64.b64encode(picture).decode()} for picture in pictures]
    images += [{"uri": uri} for uri in uris]
    if beyond:
        views[-1]["byteLength"] += beyond
    scene = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}], "meshes": [{"primitives": primitives}],
             "materials": [{"alphaMode": alpha_mode, "pbrMetallicRoughness": material} for material in materials], "images": images,
             "textures": [{"source": i} for i in range(len(images))], "accessors": accessors, "bufferViews": views,
             "buffers": [{"byteLength": len(data) + raised} if is_binary else
                         {"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}]}
    text = json.dumps(scene).encode()
    if not is_binary:
        return pathlib.Path(path).write_bytes(text)
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    return pathlib.Path(path).write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)


def write_3mf(path, picture, object_part=None):
    """object_part: where the object is, if not in the root."""
    extensions = "http://schemas.microsoft.com/3dmanufacturing/"
    model = (f'<model unit="millimeter" xmlns="{extensions}core/2015/02" xmlns:m="{extensions}material/2015/02" xmlns:p="{extensions}production/2015/06">'
             "<resources>%s</resources><build>%s</build></model>")
    corners = [corner for face in range(6) for corner in list_corners(face)]
    vertices = "".join('<vertex x="%.9g" y="%.9g" z="%.9g"/>' % tuple(1000 * x for x in place) for place, _, _ in corners)
    points = "".join(f'<m:tex2coord u="{u:.9g}" v="{v}"/>' for _, u, v in corners)
    triangles = "".join(f'<triangle v1="{4 * f + a}" v2="{4 * f + b}" v3="{4 * f + c}" pid="2" p1="{4 * f + a}" p2="{4 * f + b}" p3="{4 * f + c}"/>'
                        for f in range(6) for a, b, c in ((0, 1, 2), (0, 2, 3)))
    cube = (f'<m:texture2d id="1" path="/3D/Textures/letters.png" contenttype="image/png"/><m:texture2dgroup id="2" texid="1">{points}</m:texture2dgroup>'
            f'<object id="3"><mesh><vertices>{vertices}</vertices><triangles>{triangles}</triangles></mesh></object>')
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("_rels/.rels", '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
                         f'<Relationship Target="/3D/3dmodel.model" Id="r" Type="{extensions}2013/01/3dmodel"/></Relationships>')
        archive.writestr("3D/Textures/letters.png", picture)
        item = '<item objectid="3"/>'
        if object_part:
            archive.writestr(object_part.lstrip("/"), model % (cube, ""))
            cube = f'<object id="3"><components><component p:path="{object_part}" objectid="3"/></components></object>'
        archive.writestr("3D/3dmodel.model", model % (cube, item))


letters = write_picture("letters.png", [(WHITE, BLACK)] * 6)
negative = write_picture("negative.png", [(BLACK, WHITE)] * 6)
write_picture("seen.png", [(WHITE, BLACK)] * 3 + [(HALF, BLACK), (RED, RED), (BLACK, WHITE)])
whole, picture = [0] * 6, {"baseColorTexture": {"index": 0}}
write_obj("cube.obj", ["map_Kd letters.png"], whole)
write_gltf("cube.glb", [picture], whole, [letters])
write_gltf("cube.gltf", [picture], whole, [letters])
write_3mf("cube.3mf", letters)
write_3mf("project.3mf", letters, "/3D/Objects/object_1.model")
of_face = [0, 0, 0, 1, 2, 3]
write_obj("parts.obj", ["map_Kd letters.png", f"Kd {188 / 255:.6f} {188 / 255:.6f} {188 / 255:.6f}\nmap_Kd letters.png", "Kd 1 0 0", "Kd 0 0 0\nmap_Kd negative.png"],
          of_face)
write_gltf("parts.glb", [picture, {**picture, "baseColorFactor": [0.5, 0.5, 0.5, 1]}, {"baseColorFactor": [1, 0, 0, 1]}, {"baseColorTexture": {"index": 1}}],
           of_face, [letters, negative])
header = struct.pack(">IIBBBBB", 24, 5, 8, 6, 0, 0, 0)
clear = zlib.compress(b"".join(b"\0" + b"".join((BLACK if mark == "#" else WHITE) + b"\0" for face in FACES for mark in face[3].split()[row]) for row in range(5)))
clear = letters[:8] + png.chunk(b"IHDR", header) + png.chunk(b"IDAT", clear) + png.chunk(b"IEND", b"")
write_gltf("opaque.glb", [picture], whole, [clear])
write_gltf("blend.glb", [picture], whole, [clear], alpha_mode="BLEND")
write_gltf("cut.glb", [picture], whole, [letters[:-20]])
write_gltf("outside.glb", [picture], whole, [letters], beyond=1 << 30)
write_gltf("raised.glb", [picture], whole, [letters], beyond=1 << 30, raised=1 << 30)
write_gltf("bomb.glb", [picture], whole, [letters[:8] + png.chunk(b"IHDR", struct.pack(">IIBBBBB", 60000, 60000, 8, 2, 0, 0, 0)) + letters[33:]])
write_gltf("text.glb", [picture], whole, [b"no picture at all"])
write_gltf("traversal.gltf", [picture], whole, uris=["../letters.png"])
write_gltf("missing.gltf", [picture], whole, uris=["none.png"])
