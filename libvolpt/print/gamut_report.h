// Which colours of a picture the inks cannot mix.
#pragma once

#include "libvolpt/colour/colour_space.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

namespace volpt {

/// CIEDE2000 beyond which a texel counts as out of reach of the inks.
inline constexpr double kGamutDifference = 1;

/// What reports tell of list_worst.
inline constexpr std::size_t kWorstColours = 3;

/// Linear sRGB, clamped to 0..1 and coded, as 0xrrggbbaa with alpha 255.
std::uint32_t code_colour(Triple const& linear_rgb);

/// Adds up the texels (of a mesh: voxels) out of gamut by their colour, in cells of 1/8 of each sRGB code.
class GamutReport {
public:
    /// `difference`: the CIEDE2000 of `texels` between the colours asked for and predicted, both linear sRGB.
    void add(Triple const& asked_rgb, Triple const& predicted_rgb, double difference, std::uint64_t texels = 1);

    std::uint64_t texels() const { return texels_; }
    double out_of_gamut_share() const;

    /// At most `count` of {"colour": "#rrggbb", "printed": "#rrggbb", "delta_e_2000": mean, "share": of all texels}:
    /// the means over the cells that lose most, by share times difference, the worst first.
    nlohmann::ordered_json list_worst(std::size_t count) const;

private:
    struct Cell {
        Triple asked{}, predicted{}; ///< sums
        double difference = 0;       ///< sum
        std::uint64_t texels = 0;
    };
    static constexpr std::size_t kSteps = 8;
    std::vector<Cell> cells_ = std::vector<Cell>(kSteps * kSteps * kSteps);
    std::uint64_t texels_ = 0, outside_ = 0;
};

} // namespace volpt
