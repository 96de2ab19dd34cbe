// What the box's faces do beside reflecting and refracting: the seams of an endless slab, and the backing behind it.
#pragma once

#include "libvolpt/core/boundary.hd.h"
#include "libvolpt/core/phase_function.hd.h"

namespace volpt {

/// Cosine-weighted about `normal`, a signed axis of the box; never quite along its plane.
VOLPT_HD Vec3 sample_cosine_weighted(Vec3 normal, std::uint32_t radius_bits, std::uint32_t azimuth_bits)
{
    float const u = to_unit(radius_bits);
    float const radius = square_root(u);
    SineCosine const azimuth = sine_cosine_of_phase(azimuth_bits);
    Frame const frame = make_frame(normal);
    Vec3 const along = square_root(1.0f - u) * normal;
    return move_along(move_along(along, radius * azimuth.cosine, frame.tangent), radius * azimuth.sine, frame.bitangent);
}

/// Puts a path that leaves through a seam to the opposite face, still inside; true if it did. An exponential flight has no
/// memory: it is drawn anew from there.
template <int bands>
VOLPT_HD bool cross_seam(FacesView const& faces, MediumView const& medium, PathState<bands>& path)
{
    if (faces.wrapped_axes == 0u || path.stage != Stage::leaving) return false;
    FaceHit const hit = find_exit(path.position, path.direction * medium.inv_pitch, medium.size_voxels);
    if (((faces.wrapped_axes >> hit.axis) & 1u) == 0u) return false;
    path.position = with_axis(hit.position, hit.axis, hit.outward > 0.0f ? 0.0f : get_axis(medium.size_voxels, hit.axis));
    path.stage = Stage::inside;
    path.bounces += 1u;
    return true;
}

/// True if a path that is outside flies towards the backing. Without a boundary it still has to be put on its face.
template <int bands>
VOLPT_HD bool meets_backing(SceneView const& scene, PathState<bands>& path)
{
    FacesView const& faces = scene.faces;
    if (faces.backing == BackingView::black || path.stage != Stage::outside) return false;
    if (scene.boundary.kind == BoundaryKindView::none)
        path.position = find_exit(path.position, path.direction * scene.medium.inv_pitch, scene.medium.size_voxels).position;
    float const face = faces.backing_outward > 0.0f ? get_axis(scene.medium.size_voxels, faces.backing_axis) : 0.0f;
    return get_axis(path.position, faces.backing_axis) == face &&
           get_axis(path.direction, faces.backing_axis) * faces.backing_outward > 0.0f;
}

/// The backing sends a path back to its face. Draws two numbers for a white one.
template <int bands>
VOLPT_HD void reflect_at_backing(SceneView const& scene, PathState<bands>& path)
{
    FacesView const& faces = scene.faces;
    int const axis = faces.backing_axis;
    if (faces.backing == BackingView::white) {
        std::uint32_t const radius_bits = path.rng.draw();
        std::uint32_t const azimuth_bits = path.rng.draw();
        path.direction = sample_cosine_weighted(with_axis(Vec3{}, axis, -faces.backing_outward), radius_bits, azimuth_bits);
    } else {
        path.direction = with_axis(path.direction, axis, -get_axis(path.direction, axis));
    }
    path.stage = scene.boundary.kind == BoundaryKindView::none ? Stage::inside : Stage::entering;
    path.bounces += 1u;
}

} // namespace volpt
