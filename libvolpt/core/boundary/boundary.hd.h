// The boundary of the box: where a path meets a face, and reflection and refraction there.
#pragma once

#include "libvolpt/core/boundary/microsurface.hd.h"
#include "libvolpt/core/path.hd.h"
#include "libvolpt/core/scene_view.hd.h"

namespace volpt {

struct FaceHit {
    int axis = 0;
    float outward = 1; ///< sign of the outward normal along `axis`
    Vec3 position;     ///< voxels, exactly on the face
};

/// Distance in units of `v` from `p` to the face ahead on one axis; huge if the ray runs along the faces.
VOLPT_HD float measure_exit(float p, float v, float size)
{
    std::uint32_t const rests = mask_if(v == 0.0f);
    float const face = blend(mask_if(v > 0.0f), size, 0.0f);
    float const distance = exact::max(0.0f, (face - p) / blend(rests, 1.0f, v));
    return blend(rests, 3.0e38f, distance);
}

/// The face that a ray from inside the box meets first.
VOLPT_HD FaceHit find_exit(Vec3 position, Vec3 velocity, Vec3 size)
{
    float const dx = measure_exit(position.x, velocity.x, size.x);
    float const dy = measure_exit(position.y, velocity.y, size.y);
    float const dz = measure_exit(position.z, velocity.z, size.z);
    FaceHit hit;
    std::uint32_t const by_x = mask_if((dx <= dy) & (dx <= dz));
    hit.axis = static_cast<int>(~by_x & (2u + mask_if(dy <= dz)));
    std::uint32_t const forward = mask_if(get_axis(velocity, hit.axis) > 0.0f);
    hit.outward = blend(forward, 1.0f, -1.0f);
    Vec3 const p = move_along(position, exact::min(dx, exact::min(dy, dz)), velocity);
    hit.position = with_axis(clamp_to_box(p, size), hit.axis, blend(forward, get_axis(size, hit.axis), 0.0f));
    return hit;
}

/// What the faces are, for kinds of boundary other than `none`: smooth, or rough with light that scatters at one facet
/// or goes on from facet to facet.
enum class Surface : std::uint32_t { smooth = 0, single_facet = 1, many_facets = 2 };

VOLPT_HD Surface choose_surface(BoundaryView const& boundary)
{
    if (boundary.kind != BoundaryKindView::rough || !(boundary.alpha > 0.0f)) return Surface::smooth;
    return boundary.microfacets == MicrofacetsView::multiple ? Surface::many_facets : Surface::single_facet;
}

/// The first and the second axis of the facet frame on a face of `axis`, whose third one is its normal: they keep their
/// cyclic order.
VOLPT_HD int first_facet_axis(int axis)
{
    return axis == 2 ? 0 : axis + 1;
}
VOLPT_HD int second_facet_axis(int axis)
{
    return axis == 0 ? 2 : axis - 1;
}

/// A path that stands on a face of `axis`, before it meets a facet. `normal_sign` is the sign along `axis` of the
/// normal on its side; `eta` = IOR behind / IOR in front.
VOLPT_HD FacetWalk begin_walk(Vec3 direction, int axis, float normal_sign, float eta)
{
    // As -max(-z), not min(z), which g++ would merge with get_axis into branches and not vectorise the loop over lanes.
    return {{get_axis(direction, first_facet_axis(axis)), get_axis(direction, second_facet_axis(axis)),
             -exact::max(1e-7f, -normal_sign * get_axis(direction, axis))},
            0.0f,
            eta,
            0u};
}

/// The direction of a path that leaves the facets; never exactly along the surface.
VOLPT_HD Vec3 end_walk(FacetWalk const& walk, int axis, float normal_sign)
{
    Vec3 const unit = normalize({walk.direction.x, walk.direction.y, exact::max(1e-7f, walk.direction.z)});
    float const along = walk.across != 0u ? -normal_sign : normal_sign;
    Vec3 const direction = with_axis(Vec3{}, axis, along * unit.z);
    return with_axis(with_axis(direction, first_facet_axis(axis), unit.x), second_facet_axis(axis), unit.y);
}

/// Reflects or refracts a path that stands on a face; true if it is refracted. Each facet chooses by its Fresnel
/// reflectance. Radiance is carried as L / n^2, so refraction does not scale it and a smooth face has weight 1, as have
/// many facets. A single one has the weight of Smith's masking of the outgoing side (visible normals cancel the rest),
/// and a new direction on the wrong side of the mean surface ends the path. Draws one number at a smooth face, three
/// for a single facet; for many, four a facet and one for the way out.
template <Surface surface, int bands>
VOLPT_HD bool interact_with_surface(float alpha, int axis, float normal_sign, float eta, PathState<bands>& path)
{
    FacetWalk walk = begin_walk(path.direction, axis, normal_sign, eta);
    if constexpr (surface == Surface::smooth) {
        scatter_at_facet({0.0f, 0.0f, 1.0f}, walk, path.rng);
    } else if constexpr (surface == Surface::single_facet) {
        meet_facet(alpha, walk, path.rng);
        float const weight = walk.direction.z > 0.0f ? mask_ggx(walk.direction, alpha) : 0.0f;
        for (int b = 0; b < bands; ++b) path.throughput[b] *= weight;
        path.stage = weight > 0.0f ? path.stage : Stage::ended;
    } else {
        while (reach_facet(alpha, walk, path.rng) != 0u) meet_facet(alpha, walk, path.rng);
    }
    // A smooth reflection changes one sign only, so that light between parallel faces keeps its exact angle.
    bool const mirrors = surface == Surface::smooth && walk.across == 0u;
    Vec3 const mirrored = with_axis(path.direction, axis, -get_axis(path.direction, axis));
    Vec3 const turned = end_walk(walk, axis, normal_sign);
    path.direction = {mirrors ? mirrored.x : turned.x, mirrors ? mirrored.y : turned.y,
                      mirrors ? mirrored.z : turned.z};
    path.bounces += 1u;
    return walk.across != 0u;
}

/// The face on which a path about to enter stands; start_path puts it exactly there.
VOLPT_HD FaceHit find_entry(Vec3 position, Vec3 direction, Vec3 size)
{
    auto const enters = [](float p, float d, float s) { return ((p == 0.0f) & (d > 0.0f)) | ((p == s) & (d < 0.0f)); };
    bool const by_y = enters(position.y, direction.y, size.y);
    bool const by_z = enters(position.z, direction.z, size.z);
    FaceHit hit;
    hit.axis = by_z ? 2 : by_y ? 1 : 0;
    hit.outward = get_axis(direction, hit.axis) > 0.0f ? -1.0f : 1.0f;
    hit.position = position;
    return hit;
}

/// interact_with_surface without loops, for a path that meets no more than one facet. 0 if it meets another: then
/// `path` is of no use, and the whole interaction has to be done again.
template <Surface surface, int bands>
VOLPT_HD std::uint32_t interact_once(float alpha, int axis, float normal_sign, float eta, PathState<bands>& path,
                                     std::uint32_t& through)
{
    if constexpr (surface != Surface::many_facets) {
        through = interact_with_surface<surface>(alpha, axis, normal_sign, eta, path) ? 1u : 0u;
        return 1u;
    } else {
        FacetWalk walk = begin_walk(path.direction, axis, normal_sign, eta);
        reach_facet(alpha, walk, path.rng); // a path that comes from above all facets meets one
        meet_facet(alpha, walk, path.rng);
        std::uint32_t const again = reach_facet(alpha, walk, path.rng);
        path.direction = end_walk(walk, axis, normal_sign);
        path.bounces += 1u;
        through = walk.across;
        return 1u - again;
    }
}

/// Refracts or reflects a path that stands on the box's face from outside, as interact_once does.
template <Surface surface, int bands>
VOLPT_HD std::uint32_t enter_through_face(BoundaryView const& boundary, Vec3 size, PathState<bands>& path)
{
    FaceHit const hit = find_entry(path.position, path.direction, size);
    std::uint32_t through = 0;
    std::uint32_t const done =
        interact_once<surface>(boundary.alpha, hit.axis, hit.outward, boundary.int_over_ext, path, through);
    Stage const next = through != 0u ? Stage::inside : Stage::outside;
    path.stage = path.stage == Stage::ended ? Stage::ended : next;
    for (int b = 0; b < bands; ++b) path.throughput[b] *= through != 0u ? 1.0f : boundary.first_reflection;
    return done;
}

/// The face that a path meets: the one it stands on if it enters, else the one it reaches from inside.
template <int bands>
VOLPT_HD FaceHit find_face(MediumView const& medium, PathState<bands> const& path)
{
    return path.stage == Stage::entering
               ? find_entry(path.position, path.direction, medium.size_voxels)
               : find_exit(path.position, path.direction * medium.inv_pitch, medium.size_voxels);
}

/// Refracts or reflects a path at a face with a boundary, from either side.
template <Surface surface, int bands>
VOLPT_HD void cross_face(BoundaryView const& boundary, FaceHit const& hit, PathState<bands>& path)
{
    bool const enters = path.stage == Stage::entering;
    bool const through = interact_with_surface<surface>(boundary.alpha, hit.axis, enters ? hit.outward : -hit.outward,
                                                        enters ? boundary.int_over_ext : boundary.ext_over_int, path);
    Stage const next = through == enters ? Stage::inside : Stage::outside;
    path.stage = path.stage == Stage::ended ? Stage::ended : next;
    // A path that comes from the backing has been inside before: its depth is not 0.
    if (enters && !through && path.depth == 0u) {
        for (int b = 0; b < bands; ++b) path.throughput[b] *= boundary.first_reflection;
    }
}

/// cross_face for the scene's surface: a branch that all paths take alike.
template <int bands>
VOLPT_HD void cross_boundary(BoundaryView const& boundary, FaceHit const& hit, PathState<bands>& path)
{
    Surface const surface = choose_surface(boundary);
    if (surface == Surface::many_facets)
        cross_face<Surface::many_facets>(boundary, hit, path);
    else if (surface == Surface::single_facet)
        cross_face<Surface::single_facet>(boundary, hit, path);
    else
        cross_face<Surface::smooth>(boundary, hit, path);
}

} // namespace volpt
