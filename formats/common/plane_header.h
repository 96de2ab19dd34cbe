// Headers of files that are a header and then numbers, for whoever writes the numbers.
#pragma once

#include "formats/writer.h"

#include <array>
#include <string>

namespace volpt {

std::string format_metaimage_header(VolumeMeta const& meta, ExportedVolume const& exported);
std::string format_nrrd_header(VolumeMeta const& meta, ExportedVolume const& exported);

/// Steps of the axes and the first voxel's centre; x and y change sign from LPS to NIfTI's RAS.
std::array<std::array<double, 4>, 3> find_nifti_affine(VolumeMeta const& meta);

/// NIfTI-1, floats: `times` volumes of each of `channels` values; `descrip` is cut at 79 letters. Dims are up to 32767.
std::string format_nifti_header(VolumeMeta const& meta, std::uint32_t times, double time_step_ns, int channels,
                                std::string_view descrip);

} // namespace volpt
