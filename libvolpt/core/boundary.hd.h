// The box's faces: where a path reaches one, and reflection and refraction there.
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

/// The face that a ray from inside the box meets first.
VOLPT_HD FaceHit find_exit(Vec3 position, Vec3 velocity, Vec3 size)
{
    FaceHit hit;
    float nearest = 3.0e38f;
    for (int axis = 0; axis < 3; ++axis) {
        float const v = get_axis(velocity, axis);
        if (v == 0.0f) continue;
        float const face = v > 0.0f ? get_axis(size, axis) : 0.0f;
        float const distance = larger(0.0f, (face - get_axis(position, axis)) / v);
        if (distance < nearest) {
            nearest = distance;
            hit.axis = axis;
            hit.outward = v > 0.0f ? 1.0f : -1.0f;
        }
    }
    Vec3 const p = move_along(position, nearest, velocity);
    Vec3 const clamped{larger(0.0f, smaller(p.x, size.x)), larger(0.0f, smaller(p.y, size.y)),
                       larger(0.0f, smaller(p.z, size.z))};
    hit.position = with_axis(clamped, hit.axis, hit.outward > 0.0f ? get_axis(size, hit.axis) : 0.0f);
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
    if (!(sine2_behind < 1.0f)) return {1.0f, 0.0f};
    float const behind = square_root(1.0f - sine2_behind);
    float const s = (cosine - eta * behind) / (cosine + eta * behind);
    float const p = (eta * cosine - behind) / (eta * cosine + behind);
    return {0.5f * (s * s + p * p), behind};
}

/// Smith's masking of GGX for one direction in the facet frame (z along the mean normal), Walter 2007 eq. 34.
VOLPT_HD float mask_ggx(Vec3 v, float alpha)
{
    float const cosine2 = v.z * v.z;
    if (!(cosine2 > 0.0f)) return 0.0f;
    float const tangent2 = larger(0.0f, 1.0f - cosine2) / cosine2;
    return 2.0f / (1.0f + square_root(fused_multiply_add(alpha * alpha, tangent2, 1.0f)));
}

/// A normal visible from `v` (unit, v.z > 0), Heitz 2018 listing 1 with isotropic alpha.
VOLPT_HD Vec3 sample_visible_normal(Vec3 v, float alpha, float u, std::uint32_t azimuth_bits)
{
    Vec3 const vh = normalize({alpha * v.x, alpha * v.y, v.z});
    float const length2 = fused_multiply_add(vh.x, vh.x, vh.y * vh.y);
    Vec3 const t1 = length2 > 0.0f ? (1.0f / square_root(length2)) * Vec3{-vh.y, vh.x, 0.0f} : Vec3{1.0f, 0.0f, 0.0f};
    Vec3 const t2 = cross(vh, t1);
    float const r = square_root(u);
    SineCosine const azimuth = sine_cosine_of_phase(azimuth_bits);
    float const p1 = r * azimuth.cosine;
    float const s = 0.5f * (1.0f + vh.z);
    float const chord = square_root(larger(0.0f, 1.0f - p1 * p1));
    float const p2 = fused_multiply_add(1.0f - s, chord, s * r * azimuth.sine);
    float const p3 = square_root(larger(0.0f, 1.0f - p1 * p1 - p2 * p2));
    Vec3 const nh = p1 * t1 + p2 * t2 + p3 * vh;
    return normalize({alpha * nh.x, alpha * nh.y, larger(1e-6f, nh.z)});
}

/// Reflects or refracts a path that stands on a face. `normal_sign` is the sign along `axis` of the normal on the path's
/// side; `eta` = IOR behind / IOR in front. Chooses by the Fresnel reflectance of the (micro)facet, so a smooth face has
/// weight 1 and a rough one Smith's masking of the outgoing side (visible normals cancel the rest). Radiance is carried as
/// L / n^2: refraction scales nothing. Draws two numbers for a rough facet, then one for the choice.
/// Returns true if the path went through. A direction on the wrong side of the mean surface ends the path.
template <int bands>
VOLPT_HD bool interact_with_face(BoundaryView const& boundary, int axis, float normal_sign, float eta, PathState<bands>& path)
{
    // Facet frame: z along the normal on the path's side; the other two axes keep their cyclic order.
    int const first = axis == 2 ? 0 : axis + 1;
    int const second = axis == 0 ? 2 : axis - 1;
    Vec3 const v{-get_axis(path.direction, first), -get_axis(path.direction, second),
                 larger(1e-7f, -normal_sign * get_axis(path.direction, axis))};
    Vec3 m{0.0f, 0.0f, 1.0f};
    if (boundary.kind == BoundaryKindView::rough && boundary.alpha > 0.0f) {
        std::uint32_t const radius_bits = path.rng.draw();
        std::uint32_t const azimuth_bits = path.rng.draw();
        m = sample_visible_normal(v, boundary.alpha, to_unit(radius_bits), azimuth_bits);
    }
    float const cosine = smaller(1.0f, larger(0.0f, dot(v, m)));
    Fresnel const fresnel = compute_fresnel(cosine, eta);
    std::uint32_t const choice_bits = path.rng.draw();
    bool const reflects = to_unit(choice_bits) < fresnel.reflectance;
    Vec3 const out = reflects ? (2.0f * cosine) * m - v : (cosine / eta - fresnel.cosine_behind) * m - (1.0f / eta) * v;
    bool const right_side = reflects ? out.z > 0.0f : out.z < 0.0f;
    float weight = right_side ? 1.0f : 0.0f;
    if (boundary.kind == BoundaryKindView::rough && boundary.alpha > 0.0f) weight *= mask_ggx(out, boundary.alpha);
    for (int b = 0; b < bands; ++b) path.throughput[b] *= weight;
    if (!(weight > 0.0f)) path.stage = Stage::ended;
    Vec3 const unit = normalize(out);
    Vec3 d = with_axis(path.direction, axis, normal_sign * unit.z);
    d = with_axis(d, first, unit.x);
    path.direction = with_axis(d, second, unit.y);
    return !reflects;
}

/// The face whose plane a path about to enter stands on; it was put there exactly by start_path.
VOLPT_HD FaceHit find_entry(Vec3 position, Vec3 direction, Vec3 size)
{
    FaceHit hit;
    hit.position = position;
    for (int axis = 0; axis < 3; ++axis) {
        float const p = get_axis(position, axis);
        float const d = get_axis(direction, axis);
        if ((p == 0.0f && d > 0.0f) || (p == get_axis(size, axis) && d < 0.0f)) {
            hit.axis = axis;
            hit.outward = d > 0.0f ? -1.0f : 1.0f;
        }
    }
    return hit;
}

/// A path at the box's face: out through it, into the box, or back. From inside it is moved onto the face first; from
/// outside it stands there already.
template <int bands>
VOLPT_HD void cross_boundary(SceneView const& scene, PathState<bands>& path)
{
    BoundaryView const& boundary = scene.boundary;
    Vec3 const size = scene.medium.size_voxels;
    bool const entering = path.stage == Stage::entering;
    FaceHit const hit = entering ? find_entry(path.position, path.direction, size)
                                 : find_exit(path.position, path.direction * scene.medium.inv_pitch, size);
    path.position = hit.position;
    float const eta = entering ? boundary.int_over_ext : boundary.ext_over_int;
    bool const through =
        interact_with_face(boundary, hit.axis, entering ? hit.outward : -hit.outward, eta, path);
    if (path.stage == Stage::ended) return;
    path.stage = through == entering ? Stage::inside : Stage::outside;
}

} // namespace volpt
