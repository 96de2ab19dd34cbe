// Slices in space: their order, their distance, and the placement of the volume that they make.
//
// DICOM PS3.3 2024, C.7.6.2.1.1 (ImagePositionPatient and ImageOrientationPatient).
#pragma once

#include "formats/dicom/series.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

struct DicomPlacement {
    std::vector<DicomSlice> slices; ///< along row x column, the normal
    std::optional<std::array<double, 3>> pitch_mm;
    std::array<double, 9> rotation{1, 0, 0, 0, 1, 0, 0, 0, 1}; ///< as in SourceMeta; the world is the patient's, LPS
    std::optional<std::array<double, 3>> first_voxel_world_mm;
    std::vector<std::string> notices;
};

/// Gaps between slices that differ from the median gap by up to 1 % are rounding, by up to 10 % are told. Error (input)
/// names the slices: at one place, around a gap, shifted sideways (a tilted gantry), or without a place.
DicomPlacement place_dicom_slices(std::vector<DicomImage> const& images, std::vector<DicomSlice> slices,
                                  std::string const& where);

} // namespace volpt
