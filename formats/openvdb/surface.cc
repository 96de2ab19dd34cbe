// The surface of occupied voxels, by OpenVDB in a sandboxed process.
#include "formats/openvdb/surface.h"

#include "formats/mesh/transfer.h"
#include "formats/openvdb/library.h"
#include "libvolpt/core/surface/bvh.hd.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <openvdb/tools/VolumeToMesh.h>
#include <unistd.h>

namespace volpt {
namespace {

constexpr int kLeafEdge_voxels = 8;
constexpr std::uint64_t kMachineBytes_unknown = std::uint64_t{1} << 40;

/// Eight voxels of a row along x; `x` is a multiple of 8.
std::uint64_t get_row_bits(Occupancy const& occupied, int x, int y, int z)
{
    return occupied.get_word(x / 64, y, z) >> (x % 64) & 0xff;
}

enum class LeafKind { empty, full, mixed };

LeafKind find_leaf_kind(Occupancy const& occupied, int x, int y, int z)
{
    std::uint64_t any = 0, all = 0xff;
    for (int k = z; k < z + kLeafEdge_voxels; ++k)
        for (int j = y; j < y + kLeafEdge_voxels; ++j) {
            std::uint64_t const bits = get_row_bits(occupied, x, j, k);
            any |= bits;
            all &= bits;
        }
    return any == 0 ? LeafKind::empty : all == 0xff ? LeafKind::full : LeafKind::mixed;
}

template <typename Visit>
void visit_leaves(Occupancy const& occupied, Visit&& visit)
{
    auto const& dims = occupied.dims();
    for (int z = 0; z < dims[2]; z += kLeafEdge_voxels)
        for (int y = 0; y < dims[1]; y += kLeafEdge_voxels)
            for (int x = 0; x < dims[0]; x += kLeafEdge_voxels) visit(x, y, z, find_leaf_kind(occupied, x, y, z));
}

openvdb::FloatGrid::Ptr make_occupancy_grid(Occupancy const& occupied)
{
    auto grid = openvdb::FloatGrid::create(0.0f);
    auto& tree = grid->tree();
    visit_leaves(occupied, [&](int x, int y, int z, LeafKind kind) {
        openvdb::Coord const origin(x, y, z);
        if (kind == LeafKind::full) tree.addTile(1, origin, 1.0f, true);
        if (kind != LeafKind::mixed) return;
        auto* const leaf = tree.touchLeaf(origin);
        for (int k = 0; k < kLeafEdge_voxels; ++k)
            for (int j = 0; j < kLeafEdge_voxels; ++j) {
                std::uint64_t const bits = get_row_bits(occupied, x, y + j, z + k);
                for (int i = 0; i < kLeafEdge_voxels; ++i)
                    if ((bits >> i & 1) != 0) leaf->setValueOn(openvdb::Coord(x + i, y + j, z + k), 1.0f);
            }
    });
    return grid;
}

/// In the child. Each quadrilateral a b c d is sent as the triangles a b c and a c d.
MeshFile mesh_occupancy(Occupancy const& occupied, std::string const& where)
{
    VdbLibrary const library;
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec3I> triangles;
    std::vector<openvdb::Vec4I> quads;
    openvdb::tools::volumeToMesh(*make_occupancy_grid(occupied), points, triangles, quads, 0.5, 0.0, false);
    if (!triangles.empty() || 2 * quads.size() > kMaxBvhTriangles)
        fail_input(fmt::format("its surface has {} quadrilaterals and {} triangles", quads.size(), triangles.size()),
                   where, "a mesh has at most 2^29 - 4 triangles", "use larger voxels, or crop the volume");
    MeshFile file;
    TriangleMesh& mesh = file.mesh;
    // OpenVDB's indices are those of voxel centres.
    for (openvdb::Vec3s const& p : points) mesh.positions_mm.push_back({p.x() + 0.5f, p.y() + 0.5f, p.z() + 0.5f});
    double volume = 0;
    for (openvdb::Vec4I const& q : quads) {
        mesh.triangles.push_back({q[0], q[1], q[2]});
        mesh.triangles.push_back({q[0], q[2], q[3]});
        openvdb::Vec3d const a(points[q[0]]), b(points[q[1]]), c(points[q[2]]), d(points[q[3]]);
        volume += a.dot(b.cross(c)) + a.dot(c.cross(d));
    }
    if (volume < 0)
        for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
    return file;
}

/// Memory of a leaf of the grid and of what volumeToMesh makes of it, generously.
SandboxLimits find_surface_limits(Occupancy const& occupied)
{
    std::uint64_t leaves = 0;
    visit_leaves(occupied, [&](int, int, int, LeafKind kind) { leaves += kind == LeafKind::mixed ? 1 : 0; });
    long const pages = ::sysconf(_SC_PHYS_PAGES), page_bytes = ::sysconf(_SC_PAGESIZE);
    std::uint64_t const machine_bytes = pages > 0 && page_bytes > 0
                                            ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes)
                                            : kMachineBytes_unknown;
    std::uint64_t const needed_bytes =
        (std::uint64_t{2} << 30) + 4 * occupied.size_bytes() + leaves * (std::uint64_t{32} << 10);
    return {std::min(machine_bytes, needed_bytes), 60 + leaves / 1000 + occupied.size_bytes() / 1'000'000};
}

[[noreturn]] void refuse_transfer(std::string const& where)
{
    fail_input("OpenVDB's surface of its voxels is not sound", where, {}, "use --surface voxels");
}

} // namespace

QuadMesh find_smooth_surface(Occupancy const& occupied, std::string const& where)
{
    MeshReadOptions options;
    options.limits = find_surface_limits(occupied);
    TriangleMesh mesh = read_mesh_in_sandbox(where, options, [&] { return mesh_occupancy(occupied, where); }).mesh;
    if (mesh.triangles.empty() || mesh.triangles.size() % 2 != 0) refuse_transfer(where);
    QuadMesh surface{std::move(mesh.positions_mm), {}};
    auto const& dims = occupied.dims();
    for (Vec3& p : surface.positions_voxels) {
        bool const is_near = p.x >= -0.5f && p.x <= static_cast<float>(dims[0]) + 0.5f && p.y >= -0.5f &&
                             p.y <= static_cast<float>(dims[1]) + 0.5f && p.z >= -0.5f &&
                             p.z <= static_cast<float>(dims[2]) + 0.5f;
        if (!is_near) refuse_transfer(where);
        p = {std::clamp(p.x, 0.0f, static_cast<float>(dims[0])), std::clamp(p.y, 0.0f, static_cast<float>(dims[1])),
             std::clamp(p.z, 0.0f, static_cast<float>(dims[2]))};
    }
    for (std::size_t i = 0; i < mesh.triangles.size(); i += 2) {
        auto const &a = mesh.triangles[i], &b = mesh.triangles[i + 1];
        // Turned round, they are a c b and a d c.
        if (a[0] == b[0] && a[2] == b[1])
            surface.quads.push_back({a[0], a[1], a[2], b[2]});
        else if (a[0] == b[0] && a[1] == b[2])
            surface.quads.push_back({a[0], b[1], a[1], a[2]});
        else
            refuse_transfer(where);
    }
    return surface;
}

} // namespace volpt
