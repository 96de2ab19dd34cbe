// The boundary of the box: where a path meets a face, and reflection and refraction there.
//
// B. Walter et al., Microfacet Models for Refraction through Rough Surfaces (EGSR 2007); E. Heitz, Sampling the GGX
// Distribution of Visible Normals (JCGT 7(4), 2018). Fresnel equations for dielectrics.
#pragma once

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
    float const face = v > 0.0f ? size : 0.0f;
    float const distance = exact::max(0.0f, (face - p) / (v == 0.0f ? 1.0f : v));
    return v == 0.0f ? 3.0e38f : distance;
}

VOLPT_HD Vec3 clamp_to_box(Vec3 p, Vec3 size)
{
    return {exact::max(0.0f, exact::min(p.x, size.x)), exact::max(0.0f, exact::min(p.y, size.y)),
            exact::max(0.0f, exact::min(p.z, size.z))};
}

/// The face that a ray from inside the box meets first.
VOLPT_HD FaceHit find_exit(Vec3 position, Vec3 velocity, Vec3 size)
{
    float const dx = measure_exit(position.x, velocity.x, size.x);
    float const dy = measure_exit(position.y, velocity.y, size.y);
    float const dz = measure_exit(position.z, velocity.z, size.z);
    FaceHit hit;
    hit.axis = (dx <= dy) & (dx <= dz) ? 0 : dy <= dz ? 1 : 2;
    hit.outward = get_axis(velocity, hit.axis) > 0.0f ? 1.0f : -1.0f;
    Vec3 const p = move_along(position, exact::min(dx, exact::min(dy, dz)), velocity);
    hit.position = with_axis(clamp_to_box(p, size), hit.axis, hit.outward > 0.0f ? get_axis(size, hit.axis) : 0.0f);
    return hit;
}

/// Unpolarised reflectance at a smooth interface; `eta` = IOR behind / IOR in front, `cosine` in front, 0..1. Also the
/// cosine behind; 1 and 0 under total reflection.
struct Fresnel {
    float reflectance;
    float cosine_behind;
};

VOLPT_HD Fresnel compute_fresnel(float cosine, float eta)
{
    float const sine2_behind = (1.0f - cosine * cosine) / (eta * eta);
    bool const refracts = sine2_behind < 1.0f;
    float const behind = exact::sqrt(exact::max(0.0f, 1.0f - sine2_behind));
    float const s = (cosine - eta * behind) / (cosine + eta * behind);
    float const p = (eta * cosine - behind) / (eta * cosine + behind);
    return {refracts ? 0.5f * (s * s + p * p) : 1.0f, refracts ? behind : 0.0f};
}

/// Smith's masking of GGX for one direction in the facet frame (z along the mean normal), Walter 2007 eq. 34.
VOLPT_HD float mask_ggx(Vec3 v, float alpha)
{
    float const cosine2 = v.z * v.z;
    float const tangent2 = exact::max(0.0f, 1.0f - cosine2) / cosine2; // infinite at grazing, where the mask is 0
    return 2.0f / (1.0f + exact::sqrt(exact::fma(alpha * alpha, tangent2, 1.0f)));
}

/// A normal visible from `v` (unit, v.z > 0), Heitz 2018 listing 1 with isotropic alpha.
VOLPT_HD Vec3 sample_visible_normal(Vec3 v, float alpha, float u, std::uint32_t azimuth_bits)
{
    Vec3 const vh = normalize({alpha * v.x, alpha * v.y, v.z});
    float const length2 = exact::fma(vh.x, vh.x, vh.y * vh.y);
    bool const tilted = length2 > 0.0f;
    float const inv_length = 1.0f / exact::sqrt(tilted ? length2 : 1.0f);
    Vec3 const t1{tilted ? -vh.y * inv_length : 1.0f, tilted ? vh.x * inv_length : 0.0f, 0.0f};
    Vec3 const t2 = cross(vh, t1);
    float const r = exact::sqrt(u);
    exact::SinCos const azimuth = exact::sincos_turns(azimuth_bits);
    float const p1 = r * azimuth.cosine;
    float const s = 0.5f * (1.0f + vh.z);
    float const chord = exact::sqrt(exact::max(0.0f, 1.0f - p1 * p1));
    float const p2 = exact::fma(1.0f - s, chord, s * r * azimuth.sine);
    float const p3 = exact::sqrt(exact::max(0.0f, 1.0f - p1 * p1 - p2 * p2));
    Vec3 const nh = p1 * t1 + p2 * t2 + p3 * vh;
    return normalize({alpha * nh.x, alpha * nh.y, exact::max(1e-6f, nh.z)});
}

/// Roughness of the faces, for kinds of boundary other than `none`.
enum class Surface : std::uint32_t { smooth = 0, rough = 1 };

VOLPT_HD Surface choose_surface(BoundaryView const& boundary)
{
    return boundary.kind == BoundaryKindView::rough && boundary.alpha > 0.0f ? Surface::rough : Surface::smooth;
}

/// Reflects or refracts a path that stands on a face. `normal_sign` is the sign along `axis` of the normal on the
/// path's side; `eta` = IOR behind / IOR in front. Chooses by the Fresnel reflectance of the (micro)facet, so a smooth
/// face has weight 1 and a rough one Smith's masking of the outgoing side (visible normals cancel the rest). Radiance
/// is carried as L / n^2, so refraction does not scale it. Draws two numbers for a rough facet, then one for the
/// choice. Returns true if the path is refracted. A new direction on the wrong side of the mean surface ends the path.
template <Surface surface, int bands>
VOLPT_HD bool interact_with_surface(float alpha, int axis, float normal_sign, float eta, PathState<bands>& path)
{
    // Facet frame: z along the normal on the path's side; the other two axes keep their cyclic order.
    int const first = axis == 2 ? 0 : axis + 1;
    int const second = axis == 0 ? 2 : axis - 1;
    Vec3 const v{-get_axis(path.direction, first), -get_axis(path.direction, second),
                 exact::max(1e-7f, -normal_sign * get_axis(path.direction, axis))};
    Vec3 m{0.0f, 0.0f, 1.0f};
    if constexpr (surface == Surface::rough) {
        std::uint32_t const radius_bits = path.rng.draw();
        std::uint32_t const azimuth_bits = path.rng.draw();
        m = sample_visible_normal(v, alpha, to_unit(radius_bits), azimuth_bits);
    }
    float const cosine = exact::min(1.0f, exact::max(0.0f, dot(v, m)));
    Fresnel const fresnel = compute_fresnel(cosine, eta);
    std::uint32_t const choice_bits = path.rng.draw();
    bool const reflects = to_unit(choice_bits) < fresnel.reflectance;
    Vec3 const reflected = (2.0f * cosine) * m - v;
    Vec3 const refracted = (cosine / eta - fresnel.cosine_behind) * m - (1.0f / eta) * v;
    Vec3 const out{reflects ? reflected.x : refracted.x, reflects ? reflected.y : refracted.y,
                   reflects ? reflected.z : refracted.z};
    float const side = reflects ? out.z : -out.z; // selecting one of two comparisons would not vectorise
    float const mask = surface == Surface::rough ? mask_ggx(out, alpha) : 1.0f;
    float const weight = side > 0.0f ? mask : 0.0f;
    for (int b = 0; b < bands; ++b) path.throughput[b] *= weight;
    path.stage = weight > 0.0f ? path.stage : Stage::ended;
    // A smooth reflection changes one sign only, so that light between parallel faces keeps its exact angle.
    bool const mirrors = surface == Surface::smooth && reflects;
    Vec3 const mirrored = with_axis(path.direction, axis, -get_axis(path.direction, axis));
    Vec3 const unit = normalize(out);
    Vec3 const turned =
        with_axis(with_axis(with_axis(path.direction, axis, normal_sign * unit.z), first, unit.x), second, unit.y);
    path.direction = {mirrors ? mirrored.x : turned.x, mirrors ? mirrored.y : turned.y,
                      mirrors ? mirrored.z : turned.z};
    path.bounces += 1u;
    return !reflects;
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

/// Refracts or reflects a path that stands on the box's face from outside.
template <Surface surface, int bands>
VOLPT_HD void enter_through_face(BoundaryView const& boundary, Vec3 size, PathState<bands>& path)
{
    FaceHit const hit = find_entry(path.position, path.direction, size);
    bool const through =
        interact_with_surface<surface>(boundary.alpha, hit.axis, hit.outward, boundary.int_over_ext, path);
    Stage const next = through ? Stage::inside : Stage::outside;
    path.stage = path.stage == Stage::ended ? Stage::ended : next;
    for (int b = 0; b < bands; ++b) path.throughput[b] *= through ? 1.0f : boundary.first_reflection;
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
    if (choose_surface(boundary) == Surface::rough)
        cross_face<Surface::rough>(boundary, hit, path);
    else
        cross_face<Surface::smooth>(boundary, hit, path);
}

} // namespace volpt
