// The inks of each colour that a mesh has.
#pragma once

#include "libvolpt/print/gamut_report.h"
#include "libvolpt/print/separate_inks.h"

#include <cstdint>
#include <deque>
#include <span>

namespace volpt {

/// What the separation gives up, over all voxels that ask for a colour.
struct SeparationFigures {
    double delta_e_2000_mean = 0, delta_e_2000_p95 = 0;
    GamutReport gamut; ///< of voxels
};

/// Separates each sRGB code once, when it is first asked for. Takes 64 MiB, and about 80 bytes per colour.
class MixturePalette {
public:
    /// `model` has to outlive this object.
    MixturePalette(InkModel const& model, Intent intent);

    /// Parts of kVoxelParts, one per ink, for a voxel of this colour (0xRRGGBB), which is counted. They stay where they
    /// are.
    std::uint16_t const* take(std::uint32_t srgb);

    std::size_t colours() const { return entries_.size(); }
    std::vector<double> find_wanted_shares() const;
    SeparationFigures measure_separation() const;

private:
    struct Entry {
        std::uint32_t srgb;
        std::uint64_t voxels;
        std::vector<std::uint16_t> parts;
    };

    InkModel const& model_;
    InkSeparation separation_;
    std::vector<std::int32_t> entry_of_colour_; ///< -1: not asked for yet
    std::deque<Entry> entries_;
};

} // namespace volpt
