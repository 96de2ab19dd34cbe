// Which ink a voxel takes in error diffusion: at random by the mixture that it asks for, steered by the errors.
//
// E. Gumbel, Statistical Theory of Extreme Values and Some Practical Applications, 1954; J. Yellott, The Relationship
// between Luce's Choice Axiom, Thurstone's Theory of Comparative Judgment, and the Double Exponential Distribution,
// Journal of Mathematical Psychology 15, 1977 (a choice in proportion to shares as a largest value). R. Ulichney,
// Digital Halftoning, 1987 (thresholds with noise).
#pragma once

#include "libvolpt/core/rng.hd.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace volpt {

/// Parts of a whole voxel in which mixtures are counted: integers, so that nothing is lost to rounding and all
/// processors agree.
inline constexpr std::int32_t kVoxelParts = 1 << 14;

/// A voxel without errors takes ink i with probability wanted[i]; one with errors takes what is owed to it, the more
/// surely the more is owed.
///
/// A choice of the largest error alone holds errors back: a pale ink has no dots until the errors of a whole region
/// have grown to half a voxel, then dots in every column at once. Rows at which a sweep begins have no dots of it, and
/// all that is held back comes in the last row, where nothing else takes it. 0.1 % of black on 300 x 200 texels: 220
/// voxels in the last row of eleven slices instead of 3. Here errors are 0 on average wherever a mixture is constant,
/// so that a sweep may begin and end, and a mixture change, anywhere.
class InkChoice {
public:
    InkChoice();

    /// In kVoxelParts: `wanted`, parts of the mixture; `due`, these and the errors of neighbours; `owed`, the error of
    /// the column of voxels. Inks of which nothing is wanted are never taken. Draws once per ink.
    std::size_t choose(std::uint16_t const* wanted, std::span<std::int32_t const> due, std::int32_t const* owed,
                       Rng& rng) const;

private:
    std::vector<std::int32_t> bias_;  ///< by parts that are wanted, in quarters of kVoxelParts
    std::vector<std::int32_t> noise_; ///< quantiles of the noise, in the same
};

} // namespace volpt
