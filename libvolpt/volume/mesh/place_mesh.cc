#include "libvolpt/volume/mesh/place_mesh.h"

#include "libvolpt/core/volume_view.hd.h"
#include "libvolpt/surface/weld_vertices.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/parallel.h"
#include "libvolpt/volume/mesh/mesh_clearance.h"
#include "libvolpt/volume/vpk_layout.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace volpt {
namespace {

constexpr std::size_t kVerticesPerPiece = 1 << 16;
constexpr double kMargin_voxels = 0.25;
constexpr std::uint32_t kUpright = 4; ///< +z is up already

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
std::optional<Extent> measure_extent(TriangleMesh const& mesh, double scale, std::uint32_t up_axis = kUpright)
{
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    std::array<float, 3> lower{kInfinity, kInfinity, kInfinity};
    std::array<float, 3> upper{-kInfinity, -kInfinity, -kInfinity};
    for (auto const& triangle : mesh.triangles) {
        for (std::uint32_t const corner : triangle) {
            if (corner >= mesh.positions_mm.size()) return {};
            Vec3 const p = turn_up(mesh.positions_mm[corner], up_axis);
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
    auto rounded_mm = static_cast<float>(least_mm);
    if (static_cast<double>(rounded_mm) < least_mm)
        rounded_mm = std::nextafter(rounded_mm, std::numeric_limits<float>::max());
    if (!(rounded_mm > 0) || !std::isfinite(rounded_mm)) rounded_mm = 1; // one point: refused later
    box.pitch_mm.fill(rounded_mm);
    auto const pitch_mm = static_cast<double>(rounded_mm);
    for (std::size_t a = 0; a < 3; ++a) {
        box.dims[a] = static_cast<int>(
            std::clamp(std::ceil(size_mm[a] / pitch_mm + 2 * kMargin_voxels), 1.0, static_cast<double>(voxels)));
        box.placement.origin_world_mm[a] =
            0.5 * (extent.lower_mm[a] + extent.upper_mm[a]) - 0.5 * box.dims[a] * pitch_mm;
    }
    return box;
}

/// `v` along the axes of the box, of unit length if `v` is.
Vec3 turn_to_box(Vec3 v, Placement const& placement)
{
    auto const along = [&](std::size_t axis) {
        auto const& r = placement.rotation; // its columns are the axes
        return static_cast<float>(static_cast<double>(v.x) * r[axis] + static_cast<double>(v.y) * r[3 + axis] +
                                  static_cast<double>(v.z) * r[6 + axis]);
    };
    return {along(0), along(1), along(2)};
}

/// Coordinates in voxels, before they are rounded, of positions that `scale` makes mm.
class ToVoxels {
public:
    ToVoxels(MeshBox const& box, double scale) : box_(box), scale_(scale) {}

    std::array<double, 3> operator()(Vec3 p) const
    {
        auto const& origin = box_.placement.origin_world_mm;
        std::array<double, 3> const from{scale_ * static_cast<double>(p.x) - origin[0],
                                         scale_ * static_cast<double>(p.y) - origin[1],
                                         scale_ * static_cast<double>(p.z) - origin[2]};
        std::array<double, 3> voxels{};
        for (std::size_t a = 0; a < 3; ++a) {
            auto const& r = box_.placement.rotation;
            voxels[a] =
                (from[0] * r[a] + from[1] * r[3 + a] + from[2] * r[6 + a]) / static_cast<double>(box_.pitch_mm[a]);
        }
        return voxels;
    }

private:
    MeshBox const& box_;
    double scale_;
};

void move_to_voxels(TriangleMesh& mesh, double scale, MeshBox const& box, int threads)
{
    ToVoxels const to_voxels(box, scale);
    std::size_t const count = mesh.positions_mm.size();
    parallel_for_joined(threads, (count + kVerticesPerPiece - 1) / kVerticesPerPiece, [&](std::size_t piece, int) {
        std::size_t const end = std::min(count, (piece + 1) * kVerticesPerPiece);
        for (std::size_t i = piece * kVerticesPerPiece; i < end; ++i) {
            auto const voxels = to_voxels(mesh.positions_mm[i]);
            mesh.positions_mm[i] = {static_cast<float>(voxels[0]), static_cast<float>(voxels[1]),
                                    static_cast<float>(voxels[2])};
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
    std::array<double, 3> along{};
    for (int axis = 0; axis < 3; ++axis) {
        auto const a = static_cast<std::size_t>(axis);
        along[a] = static_cast<double>(get_axis(voxels, axis)) * static_cast<double>(box.pitch_mm[a]);
    }
    auto const move = [&](std::size_t axis) {
        auto const& r = box.placement.rotation;
        double const mm = box.placement.origin_world_mm[axis] + r[3 * axis] * along[0] + r[3 * axis + 1] * along[1] +
                          r[3 * axis + 2] * along[2];
        return std::abs(mm) < 1e-6 * static_cast<double>(box.pitch_mm[axis]) ? 0.0f : static_cast<float>(mm);
    };
    return {move(0), move(1), move(2)};
}

/// The bounds become the same two corners in mm, also where the box is turned.
void tell_in_mm(MeshReport& report, PlacedMesh const& placed)
{
    MeshBox const& box = placed.box;
    scale_figures(report, placed.mesh, box.pitch_mm);
    for (MeshFinding& finding : report.findings)
        for (MeshPlace& place : finding.places) place.position_mm = to_mm(place.position_mm, box);
    report.bounds = {to_mm(report.bounds.lower, box), to_mm(report.bounds.upper, box)};
}

/// Moves vertices that triangles use and that are beyond the box by rounding alone onto its faces.
VerticesOutside move_into_box(TriangleMesh& mesh, MeshBox const& box)
{
    float const margin = 0x1p-19f * static_cast<float>(*std::ranges::max_element(box.dims));
    VerticesOutside outside;
    outside.vertices = mesh.positions_mm.size();
    for (Vec3& p : mesh.positions_mm) {
        bool is_outside = false;
        for (int axis = 0; axis < 3; ++axis) {
            auto const a = static_cast<std::size_t>(axis);
            float const at = get_axis(p, axis);
            float const within = std::clamp(at, 0.0f, static_cast<float>(box.dims[a]));
            float const beyond = std::abs(at - within);
            if (beyond <= margin) {
                (axis == 0 ? p.x : axis == 1 ? p.y : p.z) = within;
                continue;
            }
            is_outside = true;
            double const beyond_mm = static_cast<double>(beyond) * static_cast<double>(box.pitch_mm[a]);
            if (beyond_mm <= outside.farthest_by_mm) continue;
            outside.farthest_by_mm = beyond_mm;
            outside.farthest_mm = to_mm(p, box);
        }
        outside.count += is_outside ? 1 : 0;
    }
    return outside;
}

/// Whether nothing else keeps the mesh from being accepted.
bool has_inner_shells_alone(MeshReport const& report, EnclosedComponents enclosed)
{
    return enclosed == EnclosedComponents::refused && !report.is_accepted(EnclosedComponents::refused) &&
           report.is_accepted(EnclosedComponents::allowed);
}

/// What all meshes go through whose positions are in voxels.
void finish_placing(PlacedMesh& placed, MeshPlaceOptions const& options)
{
    TriangleMesh& mesh = placed.mesh;
    weld_vertices(mesh, options.threads);
    if (options.repair == MeshRepair::safe) {
        drop_unused_vertices(mesh); // which may not be finite
        auto const tolerance =
            static_cast<float>(kRepairTolerance * static_cast<double>(*std::ranges::max_element(placed.box.dims)));
        placed.repaired = repair_mesh(mesh, {tolerance, options.threads});
    }
    drop_unused_vertices(mesh);
    placed.report = check_mesh(mesh, options.threads, &placed.bvh);
    if (placed.repaired && has_inner_shells_alone(placed.report, options.enclosed)) {
        placed.repaired->inner_shells = remove_inner_shells(mesh, options.threads);
        drop_unused_vertices(mesh);
        placed.report = check_mesh(mesh, options.threads, &placed.bvh);
    }
    if (placed.report.is_accepted(options.enclosed)) {
        auto const triangles = gather_leaf_triangles(mesh, placed.bvh.order, options.threads);
        auto const& pitch_mm = placed.box.pitch_mm;
        placed.clearance_mm =
            compute_mesh_clearance_mm({placed.bvh.nodes.data(), triangles.data(), placed.bvh.bounds, placed.bvh.root},
                                      {placed.box.dims, {pitch_mm[0], pitch_mm[1], pitch_mm[2]}}, options.threads);
    }
    tell_in_mm(placed.report, placed);
}

void turn_mesh(TriangleMesh& mesh, MeshPlaceOptions const& options)
{
    if (options.colours == MeshColours::dropped) {
        mesh.colours = {};
        mesh.pictures = {};
    }
    for (Vec3& p : mesh.positions_mm) p = turn_up(p, options.up_axis);
    for (auto& corners : mesh.normals)
        for (Vec3& normal : corners) normal = turn_up(normal, options.up_axis);
}

bool is_left_handed(Placement const& placement)
{
    auto const& r = placement.rotation;
    return r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) +
               r[2] * (r[3] * r[7] - r[4] * r[6]) <
           0;
}

void turn_round(TriangleMesh& mesh)
{
    auto const swap_corners = [](auto& items) {
        for (auto& corners : items) std::swap(corners[1], corners[2]);
    };
    swap_corners(mesh.triangles);
    swap_corners(mesh.normals);
    swap_corners(mesh.texture_coordinates);
    swap_corners(mesh.colours);
}

} // namespace

SurfaceMeshView PlacedMesh::view() const
{
    return {.vertices_voxels = mesh.positions_mm,
            .triangles = mesh.triangles,
            .normals = mesh.normals,
            .texture_coordinates = mesh.texture_coordinates,
            .bvh_nodes = bvh.nodes,
            .bvh_order = bvh.order,
            .clearance_mm = clearance_mm,
            .solids = {},
            .nesting = {},
            .supported_triangles = supported_triangles,
            .bounds_voxels = bvh.bounds,
            .volume_mm3 = report.volume_mm3,
            .area_mm2 = report.area_mm2};
}

PlacedMesh place_mesh(TriangleMesh mesh, MeshPlaceOptions const& options)
{
    PlacedMesh placed;
    placed.mesh = std::move(mesh);
    turn_mesh(placed.mesh, options);
    auto const extent = measure_extent(placed.mesh, options.scale);
    if (!extent) {
        placed.report = check_mesh(placed.mesh, options.threads); // tells which corner
        return placed;
    }
    placed.box = find_box(*extent, options.bricks);
    move_to_voxels(placed.mesh, options.scale, placed.box, options.threads);
    finish_placing(placed, options);
    return placed;
}

PlacedMesh place_mesh_in(MeshBox const& box, TriangleMesh mesh, MeshPlaceOptions const& options)
{
    PlacedMesh placed;
    placed.box = box;
    placed.mesh = std::move(mesh);
    turn_mesh(placed.mesh, options);
    if (!measure_extent(placed.mesh, options.scale)) {
        placed.report = check_mesh(placed.mesh, options.threads);
        return placed;
    }
    drop_unused_vertices(placed.mesh);
    for (auto& corners : placed.mesh.normals)
        for (Vec3& normal : corners) normal = turn_to_box(normal, box.placement);
    move_to_voxels(placed.mesh, options.scale, box, options.threads);
    if (is_left_handed(box.placement)) turn_round(placed.mesh);
    weld_vertices(placed.mesh, options.threads); // so that vertices outside are counted once
    drop_unused_vertices(placed.mesh);
    placed.outside = move_into_box(placed.mesh, box);
    if (placed.outside.count == 0) finish_placing(placed, options);
    return placed;
}

void repair_placed_mesh(PlacedMesh& placed, int threads)
{
    finish_placing(placed, {.repair = MeshRepair::safe, .threads = threads});
}

std::optional<std::array<double, 3>> measure_size_mm(TriangleMesh const& mesh, MeshPlaceOptions const& options)
{
    auto const extent = measure_extent(mesh, options.scale, options.up_axis);
    if (!extent) return std::nullopt;
    std::array<double, 3> size_mm{};
    for (std::size_t a = 0; a < 3; ++a) size_mm[a] = extent->upper_mm[a] - extent->lower_mm[a];
    return size_mm;
}

std::optional<PrintBox> fit_print_box(TriangleMesh const& mesh, MeshPlaceOptions const& options,
                                      std::array<double, 3> const& pitch_mm,
                                      std::array<std::optional<double>, 3> const& size_mm)
{
    auto const own = measure_extent(mesh, options.scale, options.up_axis);
    if (!own) return {};
    PrintBox print;
    print.scale = options.scale;
    for (std::size_t a = 0; a < 3; ++a) {
        if (!size_mm[a]) continue;
        double const own_mm = own->upper_mm[a] - own->lower_mm[a];
        if (!(own_mm > 0)) return {};
        print.scale = options.scale * (*size_mm[a] / own_mm);
    }
    Extent const extent = *measure_extent(mesh, print.scale, options.up_axis);
    print.box.placement.rotation = {1, 0, 0, 0, -1, 0, 0, 0, 1};
    for (std::size_t a = 0; a < 3; ++a) {
        print.size_mm[a] = extent.upper_mm[a] - extent.lower_mm[a];
        print.box.pitch_mm[a] = static_cast<float>(pitch_mm[a]);
        auto const voxel_mm = static_cast<double>(print.box.pitch_mm[a]);
        // What is as large as whole voxels but for rounding takes no further one.
        double const voxels = std::ceil(print.size_mm[a] / voxel_mm - 1e-3) + 2;
        if (!(voxels <= vpk::kMaxDim))
            fail_usage(fmt::format("{:g} mm are {:.0f} voxels of {:g} mm along {}; at most {} are possible",
                                   print.size_mm[a], voxels, voxel_mm, "xyz"[a], vpk::kMaxDim),
                       "give another --size or --pitch");
        print.box.dims[a] = static_cast<int>(voxels);
        print.box.placement.origin_world_mm[a] = a == 1 ? extent.upper_mm[a] + voxel_mm : extent.lower_mm[a] - voxel_mm;
    }
    return print;
}

PlacedMesh place_voxel_mesh(MeshBox const& box, TriangleMesh mesh_voxels, int threads)
{
    PlacedMesh placed;
    placed.box = box;
    placed.mesh = std::move(mesh_voxels);
    finish_placing(placed, {.threads = threads});
    return placed;
}

} // namespace volpt
