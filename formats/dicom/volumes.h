// Volumes whose slices lie at the same places: times, echoes, diffusion weights.
#pragma once

#include "formats/dicom/series.h"
#include "formats/reader.h"

#include <string>
#include <vector>

namespace volpt {

struct DicomVolumes {
    std::vector<std::vector<DicomSlice>> volumes; ///< one, if nothing tells several apart
    std::vector<std::string> names;               ///< "EchoTime 2.5", as many
};

/// Slices at one place belong to volumes if one header field, or two together, have a value for each volume, and every
/// place a slice of each value; by these values, as numbers where they are numbers.
DicomVolumes split_dicom_volumes(std::vector<DicomImage> const& images, std::vector<DicomSlice> slices);

} // namespace volpt
