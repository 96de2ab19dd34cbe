// Choices from tables, and directions and points of cones, triangles and discs: sampling of emitters by paths that are
// connected to them, and by particles that start there.
#pragma once

#include "libvolpt/core/light/lights_view.hd.h"
#include "libvolpt/core/phase_function.hd.h"
#include "libvolpt/core/surface/bsdf.hd.h"

namespace volpt {

inline constexpr float kUnitDiscArea = 3.14159265f;
inline constexpr float kHemisphere_sr = 6.28318531f;

/// True for a share `probability` of all bits, to within 2^-32; converted to a float, bits would lose their lowest
/// ones.
VOLPT_HD bool is_below(std::uint32_t bits, float probability)
{
    // The conversion of 1 would be out of range.
    return probability >= 1.0f || bits < static_cast<std::uint32_t>(exact::max(0.0f, probability) * 0x1p32f);
}

/// The entry of a cumulative distribution that `bits` fall into; `count` if they lie above the last.
VOLPT_HD std::uint32_t choose_entry(float const* cdf, std::uint32_t count, std::uint32_t bits)
{
    std::uint32_t first = 0, end = count;
    while (first < end) {
        std::uint32_t const middle = first + (end - first) / 2u;
        if (is_below(bits, cdf[middle]))
            end = middle;
        else
            first = middle + 1u;
    }
    return first;
}

/// Index of an emitter, or LightsView::count for the environment. Rounding of the table never leads to the environment
/// if it is not sampled.
VOLPT_HD std::uint32_t choose_emitter(LightsView const& lights, std::uint32_t bits)
{
    std::uint32_t const known = lights.environment_choice > 0.0f ? lights.count : lights.count - 1u;
    return lights.count == 0u ? 0u : choose_entry(lights.choice_cdf, known, bits);
}

/// Probability of entry `i` of a cumulative distribution.
VOLPT_HD float read_probability(float const* cdf, std::uint32_t i)
{
    return i == 0u ? cdf[0] : cdf[i] - cdf[i - 1u];
}

/// Where in their entry bits lie, in [0, 1): a second random number from the bits that have chosen the entry.
VOLPT_HD float find_place_in_entry(float const* cdf, std::uint32_t i, std::uint32_t bits)
{
    float const low = i == 0u ? 0.0f : cdf[i - 1u];
    float const offset = static_cast<float>(bits - static_cast<std::uint32_t>(low * 0x1p32f));
    float const span = exact::max(1.0f, read_probability(cdf, i) * 0x1p32f);
    return exact::min(exact::divide(offset, span), 1.0f - 0x1p-24f);
}

/// 1 - cosine of the angle between unit vectors, without cancellation where it is small.
VOLPT_HD float find_one_minus_cosine(Vec3 a, Vec3 b)
{
    Vec3 const apart = a - b;
    return 0.5f * dot(apart, apart);
}

/// A unit vector at an angle to `axis`; 1 - cosine keeps the bits of narrow cones.
VOLPT_HD Vec3 turn_from_axis(Vec3 axis, float one_minus_cosine, std::uint32_t azimuth_turns)
{
    float const sine = exact::sqrt(exact::max(0.0f, one_minus_cosine * (2.0f - one_minus_cosine)));
    exact::SinCos const azimuth = exact::sincos_turns(azimuth_turns);
    return from_frame({sine * azimuth.cosine, sine * azimuth.sine, 1.0f - one_minus_cosine}, axis);
}

/// Uniform in the cone about `axis`.
VOLPT_HD Vec3 sample_cone(Vec3 axis, float one_minus_cosine, std::uint32_t height_bits, std::uint32_t azimuth_bits)
{
    return turn_from_axis(axis, to_unit(height_bits) * one_minus_cosine, azimuth_bits);
}

/// In proportion to the cosine to `normal`; never along the surface.
VOLPT_HD Vec3 sample_lambertian(Vec3 normal, std::uint32_t height_bits, std::uint32_t azimuth_bits)
{
    return from_frame(make_direction(exact::sqrt(to_fine_unit(height_bits)), azimuth_bits), normal);
}

/// Uniform on the disc of this radius about the origin, perpendicular to `normal`.
VOLPT_HD Vec3 sample_disc(Vec3 normal, float radius, std::uint32_t radius_bits, std::uint32_t azimuth_bits)
{
    float const r = radius * exact::sqrt(to_unit(radius_bits));
    exact::SinCos const azimuth = exact::sincos_turns(azimuth_bits);
    Frame const frame = make_frame(normal);
    return move_along(r * azimuth.cosine * frame.tangent, r * azimuth.sine, frame.bitangent);
}

/// Uniform on the triangle.
VOLPT_HD Vec3 sample_triangle(EmitterTriangle const& triangle, std::uint32_t u_bits, std::uint32_t v_bits)
{
    float const root = exact::sqrt(to_unit(u_bits));
    float const weight_c = root * to_unit(v_bits);
    return move_along(move_along(triangle.a, root - weight_c, triangle.b - triangle.a), weight_c,
                      triangle.c - triangle.a);
}

/// Unit, on the side that emits. Of a triangle with an area.
VOLPT_HD Vec3 find_front(EmitterTriangle const& triangle)
{
    // Scaled first: products of short edges might be too small.
    Vec3 const ab = normalize(triangle.b - triangle.a);
    Vec3 const ac = normalize(triangle.c - triangle.a);
    return normalize(cross(ab, ac));
}

/// The triangle of an emitter that `bits` fall into, by area.
VOLPT_HD EmitterTriangle const& choose_triangle(LightsView const& lights, EmitterView const& emitter,
                                                std::uint32_t bits)
{
    std::uint32_t const chosen =
        choose_entry(lights.area_cdf + emitter.first_triangle, emitter.triangle_count - 1u, bits);
    return lights.triangles[emitter.first_triangle + chosen];
}

/// Share of a spot's intensity along its axis that it has at an angle: 1 within the inner cone, 0 outside the outer
/// one, 3 t^2 - 2 t^3 between them, t falling evenly with the cosine. Its integral over all directions, sr, is
/// pi (one_minus_inner_cosine + one_minus_cosine).
VOLPT_HD float evaluate_spot(EmitterView const& spot, float one_minus_cosine)
{
    if (!(one_minus_cosine < spot.one_minus_cosine)) return 0.0f;
    if (!(one_minus_cosine > spot.one_minus_inner_cosine)) return 1.0f;
    float const t =
        exact::divide(spot.one_minus_cosine - one_minus_cosine, spot.one_minus_cosine - spot.one_minus_inner_cosine);
    return t * t * exact::fma(-2.0f, t, 3.0f);
}

/// The t for which the integral of 6 s^2 - 4 s^3 from 0 to t is u.
VOLPT_HD float invert_spot_edge(float u)
{
    float low = 0.0f, high = 1.0f;
    for (int i = 0; i < 24; ++i) {
        float const t = 0.5f * (low + high);
        bool const is_less = t * t * t * (2.0f - t) < u;
        low = is_less ? t : low;
        high = is_less ? high : t;
    }
    return 0.5f * (low + high);
}

/// A direction in proportion to evaluate_spot.
VOLPT_HD Vec3 sample_spot(EmitterView const& spot, std::uint32_t height_bits, std::uint32_t azimuth_bits)
{
    float const inner = spot.one_minus_inner_cosine;
    float const edge = exact::max(0.0f, spot.one_minus_cosine - inner);
    float const height = to_fine_unit(height_bits) * exact::fma(0.5f, edge, inner);
    if (height < inner) return turn_from_axis(spot.direction, height, azimuth_bits);
    float const u = edge > 0.0f ? exact::min(exact::divide(height - inner, 0.5f * edge), 1.0f) : 0.0f;
    return turn_from_axis(spot.direction, exact::fma(edge, 1.0f - invert_spot_edge(u), inner), azimuth_bits);
}

/// Irradiance across a beam over its power, 1/mm^2, at a distance from its axis; 0 of beams without width.
VOLPT_HD float evaluate_beam(EmitterView const& beam, float distance2_mm2)
{
    float const radius2 = beam.radius_mm * beam.radius_mm;
    if (!(radius2 > 0.0f)) return 0.0f;
    if (beam.profile == BeamProfile::disc)
        return distance2_mm2 < radius2 ? exact::reciprocal(kUnitDiscArea * radius2) : 0.0f;
    if (beam.profile != BeamProfile::gaussian) return 0.0f;
    // Particles of it begin where the exponent is below 32 log 2.
    float const exponent = exact::divide(2.0f * distance2_mm2, radius2);
    return exponent < 22.2f ? exact::divide(2.0f * exact::exp_neg(exponent), kUnitDiscArea * radius2) : 0.0f;
}

} // namespace volpt
