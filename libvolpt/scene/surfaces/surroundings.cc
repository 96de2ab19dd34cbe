#include "libvolpt/scene/surfaces/surroundings.h"

#include "libvolpt/scene/camera_view.h"
#include "libvolpt/volume/meta.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

/// Of the box's longest side: how far the ground lies below the solid, and how far below it a path still is on it.
constexpr double kGroundGap = 0x1p-12;
constexpr double kGroundMargin = 0x1p-15;

Vec3 to_floats(Vec3d const& v)
{
    return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

Vec3 get_pitch_mm(VolumeMeta const& meta)
{
    return {meta.pitch_mm[0], meta.pitch_mm[1], meta.pitch_mm[2]};
}

Vec3d make_signed_axis(std::uint32_t axis)
{
    Vec3d v{0, 0, 0};
    v[axis / 2] = axis % 2 == 0 ? 1 : -1;
    return v;
}

double dot_double(Vec3d const& a, Vec3d const& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

BsdfView make_ground_bsdf(GroundSpec const& ground)
{
    BsdfView bsdf;
    bsdf.kind = BsdfKind::diffuse;
    auto const fill = [](std::vector<float> const& by_band, float(&colour)[kMaxBands]) {
        for (std::size_t b = 0; b < kMaxBands; ++b) colour[b] = by_band[std::min(b, by_band.size() - 1)];
    };
    fill(ground.albedo, bsdf.diffuse.colour[0]);
    if (ground.kind != GroundKind::checker) return bsdf;
    fill(ground.other_albedo, bsdf.diffuse.colour[1]);
    bsdf.diffuse.checks_u = bsdf.diffuse.checks_v = static_cast<float>(1 / ground.check_mm);
    return bsdf;
}

} // namespace

Surroundings::Surroundings(GroundSpec const& ground, SurroundingShapes shapes, VolumeMeta const& meta,
                           std::span<Vec3 const> solid_voxels)
    : shapes_(std::move(shapes))
{
    shapes_.texels.resize(shapes_.bsdfs.size());
    for (std::size_t i = 0; i < shapes_.bsdfs.size(); ++i) shapes_.bsdfs[i].diffuse.texels = shapes_.texels[i].data();
    if (ground.kind != GroundKind::none) add_ground(ground, meta, solid_voxels);
    if (!shapes_.is_empty()) fill_primitives(meta);
    view_.on = !shapes_.is_empty() || ground.kind != GroundKind::none ? 1u : 0u;
    view_.bsdfs = shapes_.bsdfs.data();
    view_.bsdf_count = static_cast<std::uint32_t>(shapes_.bsdfs.size());
}

void Surroundings::add_ground(GroundSpec const& ground, VolumeMeta const& meta, std::span<Vec3 const> solid_voxels)
{
    GroundView& view = view_.ground;
    view.on = 1;
    view.bsdf = static_cast<std::uint32_t>(shapes_.bsdfs.size());
    shapes_.bsdfs.push_back(make_ground_bsdf(ground));
    Vec3d const up = turn_into_box(meta.placement, make_signed_axis(ground.up_axis));
    // The two axes of the world that follow: an even number of them keeps u and v from depending on the sign.
    Vec3d const u_axis = turn_into_box(meta.placement, make_signed_axis((ground.up_axis / 2 * 2 + 2) % 6));
    Vec3d const v_axis = turn_into_box(meta.placement, make_signed_axis((ground.up_axis / 2 * 2 + 4) % 6));
    view.up = to_floats(up);
    view.u_axis = to_floats(u_axis);
    view.v_axis = to_floats(v_axis);
    double const longest_mm = find_longest_side_mm(meta);
    Vec3d origin_mm{}; // under the middle of the box
    for (std::size_t axis = 0; axis < 3; ++axis)
        origin_mm[axis] = 0.5 * meta.dims[axis] * static_cast<double>(meta.pitch_mm[axis]);
    double lowest_mm = dot_double(up, origin_mm);
    for (Vec3 const p : solid_voxels) {
        Vec3 const q = get_pitch_mm(meta) * p;
        lowest_mm = std::min(
            lowest_mm, dot_double(up, {static_cast<double>(q.x), static_cast<double>(q.y), static_cast<double>(q.z)}));
    }
    double const down_mm = dot_double(up, origin_mm) - lowest_mm + kGroundGap * longest_mm;
    for (std::size_t axis = 0; axis < 3; ++axis) origin_mm[axis] -= down_mm * up[axis];
    view.origin_mm = to_floats(origin_mm);
    view.margin_mm = static_cast<float>(kGroundMargin * longest_mm);
}

void Surroundings::fill_primitives(VolumeMeta const& meta)
{
    Vec3 const pitch = get_pitch_mm(meta);
    Vec3 const inv_pitch{1 / pitch.x, 1 / pitch.y, 1 / pitch.z};
    TriangleMesh boxes;
    boxes.triangles = shapes_.mesh_mm.triangles;
    for (Vec3 const p : shapes_.mesh_mm.positions_mm) boxes.positions_mm.push_back(p * inv_pitch);
    for (SphereView const& sphere : shapes_.spheres) {
        auto const first = static_cast<std::uint32_t>(boxes.positions_mm.size());
        Vec3 const reach{sphere.radius_mm, sphere.radius_mm, sphere.radius_mm};
        boxes.positions_mm.push_back((sphere.centre_mm - reach) * inv_pitch);
        boxes.positions_mm.push_back((sphere.centre_mm + reach) * inv_pitch);
        boxes.triangles.push_back({first, first + 1, first});
    }
    bvh_ = build_bvh(boxes, {});
    triangles_ = gather_leaf_triangles(boxes, bvh_.order, 1);
    places_ = find_places(triangles_);
    bsdf_of_ = shapes_.bsdf_of_triangle;
    bsdf_of_.insert(bsdf_of_.end(), shapes_.bsdf_of_sphere.begin(), shapes_.bsdf_of_sphere.end());
    for (auto const& corners : shapes_.mesh_mm.normals) normals_.insert(normals_.end(), corners.begin(), corners.end());
    for (auto const& corners : shapes_.mesh_mm.texture_coordinates)
        for (TextureCoordinates const& corner : corners) {
            texture_coordinates_.push_back(corner.u);
            texture_coordinates_.push_back(corner.v);
        }
    view_.primitive_count = static_cast<std::uint32_t>(boxes.triangles.size());
    view_.triangle_count = static_cast<std::uint32_t>(shapes_.mesh_mm.triangles.size());
    view_.node_count = static_cast<std::uint32_t>(bvh_.nodes.size());
    view_.bvh = {bvh_.nodes.data(), triangles_.data(), bvh_.bounds, bvh_.root};
    view_.places = places_.data();
    view_.spheres = shapes_.spheres.data();
    view_.bsdf_of = bsdf_of_.data();
    view_.normals = normals_.empty() ? nullptr : normals_.data();
    view_.texture_coordinates = texture_coordinates_.empty() ? nullptr : texture_coordinates_.data();
}

} // namespace volpt
