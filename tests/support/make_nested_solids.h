// Solids that lie in others.
#pragma once

#include "tests/support/make_solids.h"

namespace volpt::test {

inline Material make_medium(char const* name, float sigma_t, float one_minus_albedo = 0, float g = 0,
                            std::size_t bands = 1)
{
    return {name, std::vector<float>(bands, sigma_t), std::vector<float>(bands, one_minus_albedo), g};
}

/// Four deep: resin, a ball in it, a bubble of air in the ball, a bead in the bubble; an index-matched fog beside the
/// ball; and a solid apart. Nothing absorbs.
inline std::vector<MadeSolid> make_nest(std::size_t bands = 1)
{
    return {
        {make_box({-1, -1, -1}, {1, 1, 1}), make_medium("resin", 3, 0, 0.4f, bands), make_dielectric(1.5)},
        {move_mesh(make_icosphere(0.6f, 6), {-0.3f, 0, 0}), make_medium("ball", 8, 0, 0, bands),
         make_dielectric(1.2, 0.3, 1.5)},
        {move_mesh(make_icosphere(0.4f, 5), {-0.3f, 0, 0}), make_medium("bubble", 0, 0, 0, bands),
         make_dielectric(1.0, 0, 1.2)},
        {make_box({-0.4f, -0.1f, -0.15f}, {-0.2f, 0.1f, 0.1f}), make_medium("bead", 20, 0, -0.3f, bands),
         make_dielectric(1.7)},
        {make_box({0.4f, -0.5f, -0.5f}, {0.8f, 0.5f, 0.5f}), make_medium("fog", 5, 0, 0.9f, bands), {}},
        {move_mesh(make_icosphere(0.2f, 3), {1.6f, 0.3f, 0}), make_medium("apart", 4, 0, 0, bands),
         make_dielectric(1.4)},
    };
}

/// Three deep, all index-matched, which light rays pass.
inline std::vector<MadeSolid> make_matched_nest(std::size_t bands = 1)
{
    return {{make_box({-1, -1, -1}, {1, 1, 1}), make_medium("fog", 1, 0.1f, 0.3f, bands), {}},
            {make_icosphere(0.8f, 6), make_medium("haze", 0.3f, 0.5f, 0, bands), {}},
            {make_icosphere(0.5f, 6), make_medium("cloud", 5, 0.02f, 0.6f, bands), {}}};
}

} // namespace volpt::test
