// Files of tallies, by their extension: .nii.gz, .nii, .jnii, .mha, .nrrd with values and standard errors, .vpk with
// values.
#pragma once

#include "libvolpt/scene/light/tally_volume.h"
#include "libvolpt/sys/provenance.h"
#include "libvolpt/volume/volume.h"

#include <filesystem>

namespace volpt {

/// Whether the name ends as that of a file that holds a tally.
bool is_tally_file(std::filesystem::path const& path);

/// ".nii.gz .nii .jnii .mha .nrrd .vpk"
inline constexpr std::string_view kTallyExtensions = ".nii.gz .nii .jnii .mha .nrrd .vpk";

/// To be called before the work whose result will be written. Error (usage) if the format does not hold so many cells
/// or gates; Error (system) if the file cannot be created.
void check_tally_file(std::filesystem::path const& path, TallyView const& tally);

/// The box of `voxels` in the tally's cells: dims, pitch_mm and placement.
VolumeMeta find_tally_cells(TallyVolume const& tally, VolumeMeta const& voxels);

/// The box is that of `voxels`, cut into the tally's cells. Of a .vpk, the density is the sum over gates of the mean of
/// bands, and the standard errors are left out.
void write_tally(TallyVolume const& tally, VolumeMeta const& voxels, std::filesystem::path const& path,
                 Provenance const& provenance);

} // namespace volpt
