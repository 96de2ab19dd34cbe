// Directions of an environment image, in proportion to its radiance: a row of texels of the two octahedral squares
// (core/environment.hd.h), then a texel of the row, then a point of the texel.
#pragma once

#include "libvolpt/core/environment.hd.h"
#include "libvolpt/core/light/emitter_geometry.hd.h"

namespace volpt {

/// Per sr, of directions chosen evenly: 1 / (4 pi).
inline constexpr float kEvenDensity = 0.0795774715f;

struct EnvironmentDirection {
    Vec3 direction; ///< unit, box axes, where the light comes from
    float density;  ///< per sr, given that the environment was chosen
};

/// Solid angle by area of the hemispheres' squares about a unit direction of the light's frame. The square's point
/// (u, v) is the point p of the octahedron |x| + |y| + |z| = 1: dx dy = 2 du dv, and the solid angle is dx dy / |p|^3.
VOLPT_HD float find_solid_angle_of_square(Vec3 d)
{
    float const inverse_length = exact::abs(d.x) + exact::abs(d.y) + exact::abs(d.z);
    return 2.0f * inverse_length * inverse_length * inverse_length;
}

/// Probability of a texel by the area of the squares.
VOLPT_HD float read_texel_density(EnvironmentSamplerView const& sampler, std::uint32_t row, std::uint32_t column)
{
    float const edge = static_cast<float>(sampler.edge);
    float const in_row = read_probability(sampler.cell_cdf + static_cast<std::size_t>(row) * sampler.edge, column);
    return read_probability(sampler.row_cdf, row) * in_row * edge * edge;
}

VOLPT_HD EnvironmentDirection sample_environment(SceneView const& scene, std::uint32_t row_bits,
                                                 std::uint32_t column_bits)
{
    EnvironmentSamplerView const& sampler = scene.lights.environment;
    if (sampler.edge == 0u) return {sample_isotropic(row_bits, column_bits), kEvenDensity};
    std::uint32_t const row = choose_entry(sampler.row_cdf, 2u * sampler.edge - 1u, row_bits);
    float const* const cells = sampler.cell_cdf + static_cast<std::size_t>(row) * sampler.edge;
    std::uint32_t const column = choose_entry(cells, sampler.edge - 1u, column_bits);
    float const texel = exact::reciprocal(static_cast<float>(sampler.edge));
    float const u = (static_cast<float>(column) + find_place_in_entry(cells, column, column_bits)) * texel;
    float const v =
        (static_cast<float>(row % sampler.edge) + find_place_in_entry(sampler.row_cdf, row, row_bits)) * texel;
    Vec3 const d = from_hemisphere({row < sampler.edge ? 0u : 1u, u, v});
    Vec3 const* const axes = scene.environment.row;
    Vec3 const direction = move_along(move_along(d.x * axes[0], d.y, axes[1]), d.z, axes[2]);
    return {direction, exact::divide(read_texel_density(sampler, row, column), find_solid_angle_of_square(d))};
}

/// The density with which sample_environment gives a direction, per sr.
VOLPT_HD float evaluate_environment_density(SceneView const& scene, Vec3 direction)
{
    EnvironmentSamplerView const& sampler = scene.lights.environment;
    if (sampler.edge == 0u) return kEvenDensity;
    Vec3 const* const axes = scene.environment.row;
    Vec3 const d{dot(axes[0], direction), dot(axes[1], direction), dot(axes[2], direction)};
    HemisphereCoord const c = to_hemisphere(d);
    float const edge = static_cast<float>(sampler.edge);
    auto const row = static_cast<std::uint32_t>(exact::to_index(c.v * edge, edge - 1.0f));
    auto const column = static_cast<std::uint32_t>(exact::to_index(c.u * edge, edge - 1.0f));
    return exact::divide(read_texel_density(sampler, c.hemisphere * sampler.edge + row, column),
                         find_solid_angle_of_square(d));
}

} // namespace volpt
