#pragma once

#include "libvolpt/volume/voxel_stream.h"
#include "tools/options/provenance_options.h"

#include <filesystem>

namespace volpt {

/// The same voxels, with source metadata and scene hints that name files as `detail` says. The folder of the hints'
/// light image: absolute if `full`, else relative to the folder of `output`. Unless `full`, the hints' source is a name
/// without folder, and metadata keys that name the source's data files are left out. A relative folder in the
/// hints is relative to `base`, which is that of a packed volume that is packed again, else the working folder (empty).
std::unique_ptr<VoxelStream> name_sources(std::unique_ptr<VoxelStream> stream, std::filesystem::path const& base,
                                          ProvenanceDetail detail, std::filesystem::path const& output);

} // namespace volpt
