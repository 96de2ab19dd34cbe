// Interfaces of dielectrics: Fresnel's equations, GGX facets, and walks from facet to facet of a Smith microsurface.
//
// B. Walter et al., Microfacet Models for Refraction through Rough Surfaces (EGSR 2007); E. Heitz et al.,
// Multiple-Scattering Microfacet BSDFs with the Smith Model (SIGGRAPH 2016); J. Dupuy & A. Benyoub, Sampling Visible
// GGX Normals with Spherical Caps (HPG 2023).
//
// The facet frame has z along the mean normal, away from the surface.
#pragma once

#include "libvolpt/core/rng.hd.h"
#include "libvolpt/core/vec.hd.h"

namespace volpt {

/// Unpolarised reflectance at a smooth interface; `eta` = IOR behind / IOR in front, `cosine` in front, 0..1. Also the
/// cosine behind; 1 and 0 under total reflection.
struct Fresnel {
    float reflectance;
    float cosine_behind;
};

VOLPT_HD Fresnel compute_fresnel(float cosine, float eta)
{
    float const sine2_behind = exact::divide(1.0f - cosine * cosine, eta * eta);
    bool const refracts = sine2_behind < 1.0f;
    float const behind = exact::sqrt(exact::max(0.0f, 1.0f - sine2_behind));
    // Used only if light refracts: `behind` is at least 2^-12 then.
    float const s = exact::divide(cosine - eta * behind, cosine + eta * behind);
    float const p = exact::divide(eta * cosine - behind, eta * cosine + behind);
    return {refracts ? 0.5f * (s * s + p * p) : 1.0f, refracts ? behind : 0.0f};
}

/// Smith's masking of GGX for one direction, Walter 2007 eq. 34.
VOLPT_HD float mask_ggx(Vec3 v, float alpha)
{
    float const cosine2 = exact::max(0x1p-70f, v.z * v.z); // bounded: for exact::divide
    float const tangent2 = exact::divide(exact::max(0.0f, 1.0f - cosine2), cosine2);
    return exact::divide(2.0f, 1.0f + exact::sqrt(exact::fma(alpha * alpha, tangent2, 1.0f)));
}

/// A direction as the unit hemisphere sees it that the facets of GGX become when lengths across z shrink by alpha.
struct StretchedDirection {
    float x, y;     ///< times alpha
    float across2;  ///< x^2 + y^2, never 0
    float length;   ///< of (x, y, z)
    float envelope; ///< |z| + length
};

VOLPT_HD StretchedDirection stretch(Vec3 v, float alpha)
{
    float const x = alpha * v.x;
    float const y = alpha * v.y;
    float const across2 = exact::fma(x, x, exact::fma(y, y, 1e-30f));
    float const length = exact::sqrt(exact::fma(v.z, v.z, across2));
    return {x, y, across2, length, exact::abs(v.z) + length};
}

/// A facet's normal that is visible from `v`, above the surface or below (a facet seen from down among the others), for
/// u in [0, 1): half way between the stretched v and a direction of the cap above height -v.z, all times its length.
VOLPT_HD Vec3 sample_visible_normal(Vec3 v, float alpha, float u, std::uint32_t azimuth_bits)
{
    StretchedDirection const s = stretch(v, alpha);
    float const cap = v.z > 0.0f ? s.envelope : s.across2 / s.envelope; // z + length without cancellation
    float const below_top = u * cap;
    float const radius = exact::sqrt(below_top * exact::fma(2.0f, s.length, -below_top));
    exact::SinCos const azimuth = exact::sincos_turns(azimuth_bits);
    return normalize({alpha * exact::fma(radius, azimuth.cosine, s.x), alpha * exact::fma(radius, azimuth.sine, s.y),
                      cap * (1.0f - u)});
}

/// A path among the facets. On the far side the frame is mirrored, so that z leads away from the surface there too.
struct FacetWalk {
    Vec3 direction;
    float depth = 0;          ///< -log of the share of facets that lie lower (C_1 of Heitz 2016): 0 above them all
    float eta = 1;            ///< IOR behind the facets / IOR in front, of the side that the path is on
    std::uint32_t across = 0; ///< 1: on the far side
};

/// Flies to the next facet; 0 if the path leaves the surface without meeting one. Draws one number. Along w, the depth
/// changes by an exponential deviate over Smith's Lambda(w): only this makes heights matter, not how they are
/// distributed.
VOLPT_HD std::uint32_t reach_facet(float alpha, FacetWalk& walk, Rng& rng)
{
    std::uint32_t const bits = rng.draw();
    StretchedDirection const s = stretch(walk.direction, alpha);
    bool const rises = walk.direction.z > 0.0f;
    // Lambda is across2 / (2 z envelope) for a direction that rises, else envelope / (2 z). A depth that has become 0
    // ends the walk, so a deviate of 0 must not leave it there.
    float const deviate = exact::max(0x1p-25f, to_optical_depth(bits));
    float const step =
        2.0f * deviate * exact::abs(walk.direction.z) * (rises ? s.envelope : 1.0f) / (rises ? s.across2 : s.envelope);
    walk.depth += rises ? -step : step;
    return walk.depth > 0.0f ? 1u : 0u;
}

/// The depth of a place as seen from the far side: the facets that are not lower are higher.
VOLPT_HD float turn_over(float depth)
{
    return exact::neg_log(exact::max(0x1p-26f, 1.0f - exact::exp_neg(depth)));
}

/// Reflects or refracts at the facet of normal `m`, by its Fresnel reflectance: of weight 1. Draws one number.
VOLPT_HD void scatter_at_facet(Vec3 m, FacetWalk& walk, Rng& rng)
{
    std::uint32_t const choice_bits = rng.draw();
    Vec3 const v = -walk.direction;
    float const cosine = exact::min(1.0f, exact::max(0.0f, dot(v, m)));
    Fresnel const fresnel = compute_fresnel(cosine, walk.eta);
    float const inv_eta = exact::reciprocal(walk.eta);
    bool const reflects = to_unit(choice_bits) < fresnel.reflectance;
    Vec3 const reflected = (2.0f * cosine) * m - v;
    Vec3 const refracted = (cosine * inv_eta - fresnel.cosine_behind) * m - inv_eta * v;
    walk.direction = {reflects ? reflected.x : refracted.x, reflects ? reflected.y : refracted.y,
                      reflects ? reflected.z : -refracted.z};
    walk.depth = reflects ? walk.depth : turn_over(walk.depth);
    walk.eta = reflects ? walk.eta : inv_eta;
    walk.across = reflects ? walk.across : 1u - walk.across;
}

/// Draws the normal of the facet that the path has met, two numbers, then scatters there.
VOLPT_HD void meet_facet(float alpha, FacetWalk& walk, Rng& rng)
{
    std::uint32_t const cap_bits = rng.draw();
    std::uint32_t const azimuth_bits = rng.draw();
    scatter_at_facet(sample_visible_normal(-walk.direction, alpha, to_unit(cap_bits), azimuth_bits), walk, rng);
}

} // namespace volpt
