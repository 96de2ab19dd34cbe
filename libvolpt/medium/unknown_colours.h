// What is told of pixels whose colours are no material's.
#pragma once

#include "libvolpt/medium/colour_labels.h"
#include "libvolpt/volume/source/volume_source.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace volpt {

/// Pixels of one colour that is not known exactly.
struct ColourUse {
    ColourLabels::Match match;
    std::uint64_t pixels = 0;
    int z = 0;
    std::size_t index = 0; ///< in layer z, of the first one
};
using ColourUses = std::unordered_map<std::uint32_t, ColourUse>; ///< by 0xRRGGBBAA

/// Of no material; more are no slices of inks, and not counted.
inline constexpr std::size_t kMostUnknownColours = 256;

/// Slices in which colours were counted: where some are left, numbers are lower bounds.
enum class CountedSlices { all, some };

/// Error (input): the first colours by their places in `source`, with their numbers of pixels, their names in the job's
/// manifest and the nearest materials, and what to do: --label for all of them, with the materials that they are likely
/// to be (by the resin's name, then its colour, then the hue), or NAME where nothing tells. There is at least one.
[[noreturn]] void refuse_unknown_colours(ColourUses const& unknown, CountedSlices counted, ColourLabels const& labels,
                                         MaterialTable const& table, VolumeSource const& source);

} // namespace volpt
