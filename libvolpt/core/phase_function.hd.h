// New directions: isotropic and Henyey-Greenstein scattering.
//
// L. Henyey & J. Greenstein, Diffuse radiation in the galaxy, ApJ 93 (1941).
#pragma once

#include "libvolpt/core/rng.hd.h"
#include "libvolpt/core/vec.hd.h"

namespace volpt {

/// A direction at polar angle acos(cosine) and azimuth 2 pi azimuth_turns / 2^32 in the frame whose third axis is z.
VOLPT_HD Vec3 make_direction(float cosine, std::uint32_t azimuth_turns)
{
    float const sine = exact::sqrt(exact::fma(-cosine, cosine, 1.0f)); // rounded once: not negative
    exact::SinCos const azimuth = exact::sincos_turns(azimuth_turns);
    return {sine * azimuth.cosine, sine * azimuth.sine, cosine};
}

/// Uniform on the sphere.
VOLPT_HD Vec3 sample_isotropic(std::uint32_t cosine_bits, std::uint32_t azimuth_bits)
{
    return make_direction(to_symmetric(cosine_bits), azimuth_bits);
}

/// The cosine of the scattering angle for a in [-1, 1]: 1 - cosine = (1 - a) k with k = ((1 - g) / (1 + g a))^2
/// (1 + g (1 + a) / 2), and its mirror image for g < 0. The usual inversion (1 + g^2 - ((1 - g^2) / (1 + g a))^2) / (2
/// g) is the same, but cancels where |g| nears 1, and at 0. Exact at g = 0.
VOLPT_HD float sample_hg_cosine(float g, float a)
{
    float const size = exact::abs(g);
    float const mirrored = exact::copysign(1.0f, g) * a;
    float const ratio = exact::divide(1.0f - size, exact::fma(size, mirrored, 1.0f));
    float const k = ratio * ratio * exact::fma(0.5f * size, 1.0f + mirrored, 1.0f);
    // 1 - (1 - a) k, in a form that keeps every bit of a at k = 1.
    float const cosine = exact::max(-1.0f, exact::min(1.0f, exact::fma(k, mirrored, 1.0f - k)));
    return exact::copysign(1.0f, g) * cosine;
}

/// Henyey-Greenstein about the unit vector `direction`; |g| < 1. One Newton step keeps the length at 1 over any number
/// of scatterings.
VOLPT_HD Vec3 sample_hg(Vec3 direction, float g, std::uint32_t cosine_bits, std::uint32_t azimuth_bits)
{
    Vec3 const local = make_direction(sample_hg_cosine(g, to_symmetric(cosine_bits)), azimuth_bits);
    Frame const frame = make_frame(direction);
    Vec3 const turned = move_along(move_along(local.z * direction, local.x, frame.tangent), local.y, frame.bitangent);
    return exact::fma(-0.5f, dot(turned, turned), 1.5f) * turned;
}

} // namespace volpt
