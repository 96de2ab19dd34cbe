// Volumes whose medium emits: a source of light by voxel beside the extinction and albedo of another volume.
#pragma once

#include "libvolpt/sys/text/enum_words.h"
#include "libvolpt/volume/source/volume_source.h"
#include "libvolpt/volume/voxel_stream.h"

#include <memory>
#include <vector>

namespace volpt {

/// What numbers say of the light that the medium emits.
enum class EmissionNumbers {
    radiance,        ///< of the source: a path gains sigma_a times it, per length
    radiance_per_mm, ///< what a path gains per mm; divided by the absorption of the voxel
    blackbody,       ///< temperature in K: the source is a black body (compute_blackbody)
};
template <>
inline constexpr auto
    kWords<EmissionNumbers> = list_words<EmissionNumbers>({{EmissionNumbers::radiance, "radiance"},
                                                           {EmissionNumbers::radiance_per_mm, "radiance-per-mm"},
                                                           {EmissionNumbers::blackbody, "blackbody"}});

struct EmissionOptions {
    EmissionNumbers numbers = EmissionNumbers::radiance;
    double scale = 1;                  ///< of the radiance
    double temperature_scale = 1;      ///< temperature = scale * (number - offset)
    double temperature_offset = 0;     ///< in the numbers' unit
    std::vector<double> constant = {}; ///< by band, or one for all; used without a source
};

/// `volume` with an emission by the numbers of `source`, one per voxel or one per band, or by options.constant if that
/// is null. A temperature of 0 K and below emits nothing. Error (usage) if the volume has an emission already, or for
/// numbers of bands that do not fit; Error (input) if the voxels are not as many, and for the first number that is
/// negative, infinite or NaN, or that says that a medium emits which does not absorb.
std::unique_ptr<VoxelStream> add_emission(std::unique_ptr<VoxelStream> volume, std::unique_ptr<VolumeSource> source,
                                          EmissionOptions options);

} // namespace volpt
