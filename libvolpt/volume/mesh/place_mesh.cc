#include "libvolpt/volume/mesh/place_mesh.h"

#include "libvolpt/core/volume_view.hd.h"
#include "libvolpt/surface/weld_vertices.h"
#include "libvolpt/sys/parallel.h"
#include "libvolpt/volume/mesh/mesh_clearance.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace volpt {
namespace {

constexpr std::size_t kVerticesPerPiece = 1 << 16;
constexpr double kMargin_voxels = 0.25;

/// Rotations by multiples of 90 degrees: signs and places alone change.
Vec3 turn_up(Vec3 v, std::uint32_t up_axis)
{
    switch (up_axis) {
    case 0:
        return {-v.z, v.y, v.x};
    case 1:
        return {v.z, v.y, -v.x};
    case 2:
        return {v.x, -v.z, v.y};
    case 3:
        return {v.x, v.z, -v.y};
    case 5:
        return {v.x, -v.y, -v.z};
    default:
        return v;
    }
}

struct Extent {
    std::array<double, 3> lower_mm, upper_mm;
};

/// Of the corners of triangles; none if one is missing or not finite.
std::optional<Extent> measure_extent(TriangleMesh const& mesh, double scale)
{
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    std::array<float, 3> lower{kInfinity, kInfinity, kInfinity};
    std::array<float, 3> upper{-kInfinity, -kInfinity, -kInfinity};
    for (auto const& triangle : mesh.triangles) {
        for (std::uint32_t const corner : triangle) {
            if (corner >= mesh.positions_mm.size()) return {};
            Vec3 const p = mesh.positions_mm[corner];
            if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) return {};
            for (int axis = 0; axis < 3; ++axis) {
                auto const a = static_cast<std::size_t>(axis);
                lower[a] = std::min(lower[a], get_axis(p, axis));
                upper[a] = std::max(upper[a], get_axis(p, axis));
            }
        }
    }
    if (mesh.triangles.empty()) return {};
    Extent extent{};
    for (std::size_t a = 0; a < 3; ++a) {
        extent.lower_mm[a] = scale * static_cast<double>(lower[a]);
        extent.upper_mm[a] = scale * static_cast<double>(upper[a]);
    }
    return extent;
}

MeshBox find_box(Extent const& extent, int bricks)
{
    std::array<double, 3> size_mm{};
    for (std::size_t a = 0; a < 3; ++a) size_mm[a] = extent.upper_mm[a] - extent.lower_mm[a];
    double const longest_mm = *std::ranges::max_element(size_mm);
    int const voxels = bricks * kBrickEdge;
    MeshBox box;
    double const least_mm = longest_mm / (voxels - 2 * kMargin_voxels);
    box.pitch_mm = static_cast<float>(least_mm);
    if (static_cast<double>(box.pitch_mm) < least_mm)
        box.pitch_mm = std::nextafter(box.pitch_mm, std::numeric_limits<float>::max());
    if (!(box.pitch_mm > 0) || !std::isfinite(box.pitch_mm)) box.pitch_mm = 1; // one point: refused later
    auto const pitch_mm = static_cast<double>(box.pitch_mm);
    for (std::size_t a = 0; a < 3; ++a) {
        box.dims[a] = static_cast<int>(
            std::clamp(std::ceil(size_mm[a] / pitch_mm + 2 * kMargin_voxels), 1.0, static_cast<double>(voxels)));
        box.corner_mm[a] = 0.5 * (extent.lower_mm[a] + extent.upper_mm[a]) - 0.5 * box.dims[a] * pitch_mm;
    }
    return box;
}

void move_to_voxels(TriangleMesh& mesh, double scale, MeshBox const& box, int threads)
{
    auto const pitch_mm = static_cast<double>(box.pitch_mm);
    auto const move = [&](float coordinate, std::size_t axis) {
        return static_cast<float>((scale * static_cast<double>(coordinate) - box.corner_mm[axis]) / pitch_mm);
    };
    std::size_t const count = mesh.positions_mm.size();
    parallel_for_joined(threads, (count + kVerticesPerPiece - 1) / kVerticesPerPiece, [&](std::size_t piece, int) {
        std::size_t const end = std::min(count, (piece + 1) * kVerticesPerPiece);
        for (std::size_t i = piece * kVerticesPerPiece; i < end; ++i) {
            Vec3& p = mesh.positions_mm[i];
            p = {move(p.x, 0), move(p.y, 1), move(p.z, 2)};
        }
    });
}

void drop_unused_vertices(TriangleMesh& mesh)
{
    constexpr std::uint32_t kUnused = 0xffffffffu;
    std::vector<std::uint32_t> numbers(mesh.positions_mm.size(), kUnused);
    for (auto const& triangle : mesh.triangles)
        for (std::uint32_t const corner : triangle) numbers[corner] = 0;
    std::uint32_t kept = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] == kUnused) continue;
        mesh.positions_mm[kept] = mesh.positions_mm[i];
        numbers[i] = kept++;
    }
    if (kept == numbers.size()) return;
    mesh.positions_mm.resize(kept);
    for (auto& triangle : mesh.triangles)
        for (std::uint32_t& corner : triangle) corner = numbers[corner];
}

/// For messages: what is left of 0 by rounding is 0.
Vec3 to_mm(Vec3 voxels, MeshBox const& box)
{
    auto const pitch_mm = static_cast<double>(box.pitch_mm);
    auto const move = [&](float coordinate, std::size_t axis) {
        double const mm = box.corner_mm[axis] + static_cast<double>(coordinate) * pitch_mm;
        return std::abs(mm) < 1e-6 * pitch_mm ? 0.0f : static_cast<float>(mm);
    };
    return {move(voxels.x, 0), move(voxels.y, 1), move(voxels.z, 2)};
}

void tell_in_mm(MeshReport& report, MeshBox const& box)
{
    scale_figures(report, box.pitch_mm);
    for (MeshFinding& finding : report.findings)
        for (MeshPlace& place : finding.places) place.position_mm = to_mm(place.position_mm, box);
    report.bounds = {to_mm(report.bounds.lower, box), to_mm(report.bounds.upper, box)};
}

} // namespace

void scale_figures(MeshReport& report, float pitch_mm)
{
    auto const pitch = static_cast<double>(pitch_mm);
    report.area_mm2 *= pitch * pitch;
    report.volume_mm3 *= pitch * pitch * pitch;
}

SurfaceMeshView PlacedMesh::view() const
{
    return {.vertices_voxels = mesh.positions_mm,
            .triangles = mesh.triangles,
            .normals = mesh.normals,
            .texture_coordinates = mesh.texture_coordinates,
            .bvh_nodes = bvh.nodes,
            .bvh_order = bvh.order,
            .clearance_mm = clearance_mm,
            .bounds_voxels = bvh.bounds,
            .volume_mm3 = report.volume_mm3,
            .area_mm2 = report.area_mm2};
}

PlacedMesh place_mesh(TriangleMesh mesh, MeshPlaceOptions const& options)
{
    PlacedMesh placed;
    placed.mesh = std::move(mesh);
    TriangleMesh& moved = placed.mesh;
    moved.colours = {};
    for (Vec3& p : moved.positions_mm) p = turn_up(p, options.up_axis);
    for (auto& corners : moved.normals)
        for (Vec3& normal : corners) normal = turn_up(normal, options.up_axis);
    auto const extent = measure_extent(moved, options.scale);
    if (!extent) {
        placed.report = check_mesh(moved, options.threads); // tells which corner
        return placed;
    }
    placed.box = find_box(*extent, options.bricks);
    move_to_voxels(moved, options.scale, placed.box, options.threads);
    weld_vertices(moved, options.threads);
    if (options.repair == MeshRepair::safe) {
        drop_unused_vertices(moved); // which may not be finite
        auto const tolerance = static_cast<float>(kRepairTolerance * kBrickEdge * options.bricks);
        placed.repaired = repair_mesh(moved, {tolerance, options.threads});
    }
    drop_unused_vertices(moved);
    placed.report = check_mesh(moved, options.threads, &placed.bvh);
    if (placed.report.is_accepted()) {
        auto const triangles = gather_leaf_triangles(moved, placed.bvh.order, options.threads);
        float const pitch_mm = placed.box.pitch_mm;
        placed.clearance_mm =
            compute_mesh_clearance_mm({placed.bvh.nodes.data(), triangles.data(), placed.bvh.bounds, placed.bvh.root},
                                      {placed.box.dims, {pitch_mm, pitch_mm, pitch_mm}}, options.threads);
    }
    tell_in_mm(placed.report, placed.box);
    return placed;
}

} // namespace volpt
