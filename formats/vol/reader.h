// Mitsuba's grid volumes (.vol), version 3 (W. Jakob, Mitsuba documentation, gridvolume).
#pragma once

#include "libvolpt/sys/file_bytes.h"
#include "libvolpt/volume/element_type.h"

#include <array>

namespace volpt {

inline constexpr std::uint64_t kVolHeaderBytes = 48;

struct VolHeader {
    ElementType element = ElementType::f32; ///< f32, f16 or u8 (0..255 is 0..1)
    std::array<int, 3> dims{0, 0, 0};
    int channels = 1; ///< 1: density; 3: albedo
    std::array<double, 3> box_low{0, 0, 0};
    std::array<double, 3> box_high{1, 1, 1}; ///< above box_low
};

/// Reads and checks the header, and that the file holds the voxels that it announces. Error (input) names file and
/// offset.
VolHeader read_vol_header(FileBytes const& file);

} // namespace volpt
