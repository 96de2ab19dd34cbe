#!/usr/bin/env python3
# Finds the picture that has all colours of an .obj or glTF mesh by itself.
"""find_texture.py MESH.obj|.gltf|.glb: prints `picture PATH`, if all triangles have the colours of one picture beside the mesh, unchanged; else `why`
and the reason. Factors are those by which `volprep --print-mesh` multiplies a picture. Python's standard library alone."""

import argparse
import json
import pathlib
import struct
import urllib.parse

# Kd that means no factor beside a picture: see docs/formats/meshes.md#pictures.
NEUTRAL_KD = ([1, 1, 1], [0, 0, 0], [0.6, 0.6, 0.6])


def read_words(path, keys):
    """Lines of a text file that begin with one of the keys (in lower case): key and the rest."""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            key, _, rest = line.strip().partition(" ")
            if key.lower() in keys:
                yield key.lower(), rest.strip()


def list_obj_materials(path):
    """Picture (or None) and whether it has a factor, of each material that a face has."""
    materials, used, current = {}, set(), None
    for key, rest in read_words(path, {"mtllib", "usemtl", "f"}):
        if key == "mtllib" and (path.parent / rest).is_file():
            name = None
            for word, value in read_words(path.parent / rest, {"newmtl", "map_kd", "kd"}):
                if word == "newmtl":
                    name = value
                    materials[name] = [None, False]
                elif name is not None and word == "map_kd":
                    materials[name][0] = value
                elif name is not None:
                    materials[name][1] = [float(x) for x in value.split()[:3]] not in NEUTRAL_KD
        elif key == "usemtl":
            current = rest
        elif key == "f":
            used.add(current)
    return [materials.get(name, (None, False)) for name in used]


def list_gltf_materials(path):
    """The same of each part of a glTF; a picture inside the file is a number."""
    data = path.read_bytes()
    if data[:4] == b"glTF":
        data = data[20 : 20 + struct.unpack_from("<I", data, 12)[0]]
    scene = json.loads(data)
    parts = []
    for primitive in (p for mesh in scene.get("meshes", []) for p in mesh["primitives"] if p.get("mode", 4) >= 4):
        material = scene["materials"][primitive["material"]] if "material" in primitive else {}
        base = material.get("pbrMetallicRoughness", {})
        gloss = material.get("extensions", {}).get("KHR_materials_pbrSpecularGlossiness", {})
        factors = [source.get(key, [1, 1, 1])[:3] for source, key in ((base, "baseColorFactor"), (gloss, "diffuseFactor"))]
        texture = base.get("baseColorTexture") or gloss.get("diffuseTexture")
        picture = None
        if texture is not None:
            number = scene["textures"][texture["index"]]["source"]
            uri = scene["images"][number].get("uri", "data:")
            picture = number if uri.startswith("data:") else urllib.parse.unquote(uri)
        parts.append((picture, any(f != [1, 1, 1] for f in factors) or any(a.startswith("COLOR_") for a in primitive["attributes"])))
    return parts


def find_texture(path):
    parts = list_obj_materials(path) if path.suffix.lower() == ".obj" else list_gltf_materials(path)
    pictures = {picture for picture, _ in parts if picture is not None}
    if not pictures:
        return "why the mesh names no picture"
    if len(pictures) > 1:
        return "why the mesh has several pictures: give TEXTURE=picture.png to print it with one"
    picture = pictures.pop()
    if isinstance(picture, int):
        return "why the picture is inside the file: give TEXTURE=picture.png"
    if any(other is None for other, _ in parts):
        return "why parts of the mesh have no picture but a plain colour: give TEXTURE=picture.png to print all with it"
    if any(has_factor for _, has_factor in parts):
        return "why the picture is multiplied by factors (Kd, baseColorFactor or colours of vertices): give TEXTURE=picture.png to print it as it is"
    file = path.parent / picture
    return f"picture {file}" if file.is_file() else f"why the picture {file} is not there: give TEXTURE=picture.png"


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("mesh", type=pathlib.Path)
arguments = parser.parse_args()
try:
    print(find_texture(arguments.mesh))
except (OSError, ValueError, LookupError, TypeError, AttributeError, struct.error) as error:
    print(f"why the names of pictures cannot be read from {arguments.mesh} ({error!r})")
