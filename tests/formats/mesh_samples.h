// Writes small meshes for tests, by means of its own (no code of the readers): a tetrahedron with corners 0, x, y and
// z.
#pragma once

#include "tests/formats/slice_samples.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace volpt {

inline constexpr std::array<std::array<float, 3>, 4> kTetraCorners{
    {{0, 0, 0}, {1.5f, 0, 0}, {0, 2.25f, 0}, {0, 0, 0.1f}}};
/// Counter-clockwise as seen from outside.
inline constexpr std::array<std::array<std::uint32_t, 3>, 4> kTetraFaces{{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};

enum class MeshBytes { little, big };

template <typename Number>
std::string mesh_bytes(Number number, MeshBytes order = MeshBytes::little)
{
    std::string bytes(sizeof number, '\0');
    std::memcpy(bytes.data(), &number, sizeof number);
    if (order == MeshBytes::big) std::reverse(bytes.begin(), bytes.end());
    return bytes;
}

inline std::string make_ascii_stl()
{
    std::string text = "solid a tetrahedron\n";
    for (auto const& face : kTetraFaces) {
        text += " facet normal 0 0 0\n  outer loop\n";
        for (auto const corner : face)
            text += fmt::format("   vertex {} {} {}\n", kTetraCorners[corner][0], kTetraCorners[corner][1],
                                kTetraCorners[corner][2]);
        text += "  endloop\n endfacet\n";
    }
    return text + "endsolid a tetrahedron\n";
}

inline std::string make_binary_stl(std::array<std::uint16_t, 4> const& attributes = {}, std::string header = "binary")
{
    header.resize(80, ' ');
    std::string bytes = header + mesh_bytes(std::uint32_t{4});
    for (std::size_t i = 0; i < 4; ++i) {
        bytes += std::string(12, '\0');
        for (auto const corner : kTetraFaces[i])
            for (float const x : kTetraCorners[corner]) bytes += mesh_bytes(x);
        bytes += mesh_bytes(attributes[i]);
    }
    return bytes;
}

inline std::string ply_header(std::string const& format, std::string const& more = {})
{
    return fmt::format("ply\nformat {} 1.0\ncomment made by a test\nelement vertex 4\nproperty float x\nproperty float "
                       "y\nproperty float "
                       "z\n{}element face 4\nproperty list uchar int vertex_indices\nend_header\n",
                       format, more);
}

inline std::string make_ascii_ply()
{
    std::string text = ply_header("ascii");
    for (auto const& corner : kTetraCorners) text += fmt::format("{} {} {}\n", corner[0], corner[1], corner[2]);
    for (auto const& face : kTetraFaces) text += fmt::format("3 {} {} {}\n", face[0], face[1], face[2]);
    return text;
}

inline std::string make_binary_ply(MeshBytes order)
{
    std::string bytes = ply_header(order == MeshBytes::little ? "binary_little_endian" : "binary_big_endian");
    for (auto const& corner : kTetraCorners)
        for (float const x : corner) bytes += mesh_bytes(x, order);
    for (auto const& face : kTetraFaces) {
        bytes += '\3';
        for (auto const corner : face) bytes += mesh_bytes(corner, order);
    }
    return bytes;
}

inline std::string make_obj(std::string const& head = {})
{
    std::string text = head;
    for (auto const& corner : kTetraCorners) text += fmt::format("v {} {} {}\n", corner[0], corner[1], corner[2]);
    for (auto const& face : kTetraFaces) text += fmt::format("f {} {} {}\n", face[0] + 1, face[1] + 1, face[2] + 1);
    return text;
}

/// Positions, then indices.
inline std::string make_gltf_buffer()
{
    std::string bytes;
    for (auto const& corner : kTetraCorners)
        for (float const x : corner) bytes += mesh_bytes(x);
    for (auto const& face : kTetraFaces)
        for (auto const corner : face) bytes += mesh_bytes(static_cast<std::uint16_t>(corner));
    return bytes;
}

struct GltfParts {
    std::string uri = "mesh.bin"; ///< empty: none, as in a .glb
    std::string nodes = R"({"mesh":0})";
    std::string primitive = R"("attributes":{"POSITION":0},"indices":1)";
    std::string more = {}; ///< members of the root, each with a comma in front
    int corner_count = 4;
};

inline std::string make_gltf(GltfParts const& parts)
{
    std::string const uri = parts.uri.empty() ? "" : fmt::format(R"(,"uri":"{}")", parts.uri);
    return fmt::format(
        R"({{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{}],"meshes":[{{"primitives":[{{{}}}]}}],)"
        R"("buffers":[{{"byteLength":72{}}}],"bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":24}}],)"
        R"("accessors":[{{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3"}},{{"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}}]{}}})",
        parts.nodes, parts.primitive, uri, parts.corner_count, parts.more);
}

inline std::string encode_base64(std::string const& bytes)
{
    constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) { // whole triples alone
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < 3; ++k) word = word << 8 | static_cast<unsigned char>(bytes[i + k]);
        for (int shift = 18; shift >= 0; shift -= 6) text += kDigits[word >> shift & 63u];
    }
    return text;
}

inline std::string make_embedded_gltf()
{
    return make_gltf({.uri = "data:application/octet-stream;base64," + encode_base64(make_gltf_buffer())});
}

inline std::string make_glb(GltfParts parts = {})
{
    parts.uri.clear();
    std::string json = make_gltf(parts);
    json.resize((json.size() + 3) / 4 * 4, ' ');
    std::string const buffer = make_gltf_buffer();
    auto const size = [](std::string const& bytes) { return static_cast<std::uint32_t>(bytes.size()); };
    return "glTF" + le(2, 4) + le(12 + 8 + size(json) + 8 + size(buffer), 4) + le(size(json), 4) + "JSON" + json +
           le(size(buffer), 4) + std::string("BIN\0", 4) + buffer;
}

/// The <mesh> of the tetrahedron; `triangles` are attributes of each triangle.
inline std::string make_3mf_mesh(std::array<std::string, 4> const& triangles = {})
{
    std::string text = "<mesh><vertices>";
    for (auto const& corner : kTetraCorners)
        text += fmt::format(R"(<vertex x="{}" y="{}" z="{}"/>)", corner[0], corner[1], corner[2]);
    text += "</vertices><triangles>";
    for (std::size_t i = 0; i < 4; ++i)
        text += fmt::format(R"(<triangle v1="{}" v2="{}" v3="{}" {}/>)", kTetraFaces[i][0], kTetraFaces[i][1],
                            kTetraFaces[i][2], triangles[i]);
    return text + "</triangles></mesh>";
}

inline std::string make_3mf_model(std::string const& resources, std::string const& build,
                                  std::string const& attributes = {})
{
    return R"(<?xml version="1.0" encoding="UTF-8"?><model xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02" )"
           R"(xmlns:m="http://schemas.microsoft.com/3dmanufacturing/material/2015/02" )"
           R"(xmlns:p="http://schemas.microsoft.com/3dmanufacturing/production/2015/06" )" +
           attributes + "><resources>" + resources + "</resources><build>" + build + "</build></model>";
}

inline std::string make_3mf(std::string const& model,
                            std::vector<std::pair<std::string, std::string>> const& more_parts = {})
{
    std::string const relations =
        R"(<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">)"
        R"(<Relationship Target="/3D/3dmodel.model" Id="rel0" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>)";
    std::vector<std::pair<std::string, std::string>> parts{{"_rels/.rels", relations}, {"3D/3dmodel.model", model}};
    parts.insert(parts.end(), more_parts.begin(), more_parts.end());
    return make_zip(parts);
}

inline std::string make_plain_3mf()
{
    return make_3mf(make_3mf_model(R"(<object id="1">)" + make_3mf_mesh() + "</object>", R"(<item objectid="1"/>)"));
}

} // namespace volpt
