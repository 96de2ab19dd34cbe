// Periodic sides and backings: the faces of a probed slab that do not reflect and refract.
#pragma once

#include "libvolpt/core/boundary/boundary.hd.h"

namespace volpt {

/// A cosine-weighted direction about `normal`, a signed axis of the box; never exactly perpendicular to it.
VOLPT_HD Vec3 sample_cosine_weighted(Vec3 normal, std::uint32_t radius_bits, std::uint32_t azimuth_bits)
{
    float const u = to_unit(radius_bits);
    float const radius = exact::sqrt(u);
    exact::SinCos const azimuth = exact::sincos_turns(azimuth_bits);
    float const along = exact::sqrt(1.0f - u);
    // The cyclic shifts of an axis are the two other axes: a frame that needs no registers.
    Vec3 const a{normal.z, normal.x, normal.y};
    Vec3 const b{normal.y, normal.z, normal.x};
    return move_along(move_along(along * normal, radius * azimuth.cosine, a), radius * azimuth.sine, b);
}

/// True if the face where a path leaves is a periodic one.
VOLPT_HD bool is_seam(FacesView const& faces, Stage stage, FaceHit const& hit)
{
    return ((faces.wrapped_axes >> hit.axis) & 1u) != 0u && stage != Stage::entering;
}

/// The point of the opposite face that a seam at `hit` leads to.
VOLPT_HD Vec3 find_behind_seam(MediumView const& medium, FaceHit const& hit)
{
    return with_axis(hit.position, hit.axis, hit.outward > 0.0f ? 0.0f : get_axis(medium.size_voxels, hit.axis));
}

/// Moves a path at a seam to the opposite face, still inside. Exponential flights are memoryless: the next one is drawn
/// from there.
template <int bands>
VOLPT_HD void cross_seam(MediumView const& medium, FaceHit const& hit, PathState<bands>& path)
{
    path.position = find_behind_seam(medium, hit);
    path.stage = Stage::inside;
    path.bounces += 1u;
}

/// True if a backing that returns light lies behind `hit`.
VOLPT_HD bool has_backing(FacesView const& faces, FaceHit const& hit)
{
    return (faces.backing != BackingView::black) & (hit.axis == faces.backing_axis) &
           (hit.outward == faces.backing_outward);
}

/// Reflects a path at the backing, back to its face. Draws two numbers if the backing is white.
template <int bands>
VOLPT_HD void reflect_at_backing(SceneView const& scene, PathState<bands>& path)
{
    FacesView const& faces = scene.faces;
    int const axis = faces.backing_axis;
    if (faces.backing == BackingView::white) {
        std::uint32_t const radius_bits = path.rng.draw();
        std::uint32_t const azimuth_bits = path.rng.draw();
        path.direction =
            sample_cosine_weighted(with_axis(Vec3{}, axis, -faces.backing_outward), radius_bits, azimuth_bits);
    } else {
        path.direction = with_axis(path.direction, axis, -get_axis(path.direction, axis));
    }
    path.stage = scene.boundary.kind == BoundaryKindView::none ? Stage::inside : Stage::entering;
    path.bounces += 1u;
}

} // namespace volpt
