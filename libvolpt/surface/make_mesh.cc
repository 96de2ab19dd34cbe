#include "libvolpt/surface/make_mesh.h"

#include "libvolpt/surface/weld_vertices.h"

#include <utility>

namespace volpt {
namespace {

// Of an icosahedron: cyclic permutations of (0, +-1, +-golden ratio).
constexpr float kGoldenRatio = 1.618034f;
constexpr std::array<Vec3, 12> kIcosahedronVertices = {{{-1, kGoldenRatio, 0},
                                                        {1, kGoldenRatio, 0},
                                                        {-1, -kGoldenRatio, 0},
                                                        {1, -kGoldenRatio, 0},
                                                        {0, -1, kGoldenRatio},
                                                        {0, 1, kGoldenRatio},
                                                        {0, -1, -kGoldenRatio},
                                                        {0, 1, -kGoldenRatio},
                                                        {kGoldenRatio, 0, -1},
                                                        {kGoldenRatio, 0, 1},
                                                        {-kGoldenRatio, 0, -1},
                                                        {-kGoldenRatio, 0, 1}}};
constexpr std::array<std::array<std::uint8_t, 3>, 20> kIcosahedronFaces = {
    {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
     {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
     {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};

/// radius(direction) gives the distance from the origin.
template <typename Radius>
TriangleMesh make_star(std::uint32_t divisions, Radius const& radius)
{
    TriangleMesh mesh;
    for (auto const& face : kIcosahedronFaces) {
        Vec3 const a = kIcosahedronVertices[face[0]];
        Vec3 const b = kIcosahedronVertices[face[1]];
        Vec3 const c = kIcosahedronVertices[face[2]];
        auto const base = static_cast<std::uint32_t>(mesh.positions_mm.size());
        // Row j has divisions - j + 1 vertices; on an edge of the face only two terms are not 0, and their sum does not
        // depend on the face that computes it.
        for (std::uint32_t j = 0; j <= divisions; ++j) {
            for (std::uint32_t i = 0; i + j <= divisions; ++i) {
                Vec3 const p =
                    (static_cast<float>(divisions - i - j) * a + static_cast<float>(i) * b) + static_cast<float>(j) * c;
                Vec3 const direction = (1.0f / __builtin_sqrtf((p.x * p.x + p.y * p.y) + p.z * p.z)) * p;
                mesh.positions_mm.push_back(radius(direction) * direction);
            }
        }
        auto const number = [&](std::uint32_t i, std::uint32_t j) {
            return base + j * (divisions + 1) - j * (j - 1) / 2 + i;
        };
        for (std::uint32_t j = 0; j < divisions; ++j) {
            for (std::uint32_t i = 0; i + j < divisions; ++i) {
                mesh.triangles.push_back({number(i, j), number(i + 1, j), number(i, j + 1)});
                if (i + j + 1 < divisions) {
                    mesh.triangles.push_back({number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)});
                }
            }
        }
    }
    weld_vertices(mesh, 1);
    return mesh;
}

std::uint32_t to_turns(float turns)
{
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(turns * 0x1p32f));
}

} // namespace

TriangleMesh make_icosphere(float radius_mm, std::uint32_t divisions)
{
    return make_star(divisions, [=](Vec3) { return radius_mm; });
}

TriangleMesh make_bumpy_sphere(float radius_mm, std::uint32_t divisions, float depth)
{
    return make_star(divisions, [=](Vec3 d) {
        float const wave_x = exact::sincos_turns(to_turns(0.9f * d.x + 0.1f)).sine;
        float const wave_y = exact::sincos_turns(to_turns(1.3f * d.y + 0.3f)).sine;
        float const wave_z = exact::sincos_turns(to_turns(1.1f * d.z + 0.7f)).sine;
        return radius_mm * (1.0f + depth * (wave_x * wave_y + wave_y * wave_z + wave_z * wave_x) / 3.0f);
    });
}

TriangleMesh make_torus(float ring_radius_mm, float tube_radius_mm, std::uint32_t around, std::uint32_t along)
{
    TriangleMesh mesh;
    for (std::uint32_t i = 0; i < around; ++i) {
        auto const ring = exact::sincos_turns(static_cast<std::uint32_t>((std::uint64_t{i} << 32) / around));
        for (std::uint32_t j = 0; j < along; ++j) {
            auto const tube = exact::sincos_turns(static_cast<std::uint32_t>((std::uint64_t{j} << 32) / along));
            float const r = ring_radius_mm + tube_radius_mm * tube.cosine;
            mesh.positions_mm.push_back({r * ring.cosine, r * ring.sine, tube_radius_mm * tube.sine});
            std::uint32_t const next_i = (i + 1) % around;
            std::uint32_t const next_j = (j + 1) % along;
            std::array<std::uint32_t, 4> const quad = {i * along + j, next_i * along + j, next_i * along + next_j,
                                                       i * along + next_j};
            mesh.triangles.push_back({quad[0], quad[1], quad[2]});
            mesh.triangles.push_back({quad[0], quad[2], quad[3]});
        }
    }
    return mesh;
}

TriangleMesh make_box(Vec3 lower_mm, Vec3 upper_mm)
{
    TriangleMesh mesh;
    for (unsigned i = 0; i < 8; ++i) {
        mesh.positions_mm.push_back({(i & 1) != 0 ? upper_mm.x : lower_mm.x, (i & 2) != 0 ? upper_mm.y : lower_mm.y,
                                     (i & 4) != 0 ? upper_mm.z : lower_mm.z});
    }
    mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return mesh;
}

TriangleMesh join_meshes(TriangleMesh const& a, TriangleMesh const& b)
{
    TriangleMesh mesh{a.positions_mm, a.triangles, {}, {}, {}};
    auto const base = static_cast<std::uint32_t>(mesh.positions_mm.size());
    mesh.positions_mm.insert(mesh.positions_mm.end(), b.positions_mm.begin(), b.positions_mm.end());
    for (auto const& t : b.triangles) mesh.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
    return mesh;
}

TriangleMesh invert_mesh(TriangleMesh mesh)
{
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
    for (auto& t : mesh.texture_coordinates) std::swap(t[1], t[2]);
    for (auto& n : mesh.normals) n = {-n[0], -n[2], -n[1]};
    return mesh;
}

TriangleMesh move_mesh(TriangleMesh mesh, Vec3 by_mm)
{
    for (Vec3& p : mesh.positions_mm) p = p + by_mm;
    return mesh;
}

} // namespace volpt
