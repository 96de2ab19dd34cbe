// MetaImages whose layers lie in files of their own: "ElementDataFile = LIST" and "= slice%03d.raw 1 93 1".
#pragma once

#include "formats/common/voxel_bytes.h"
#include "formats/metaimage/header.h"

namespace volpt {

/// The layers' files as one run of bytes; nullptr if ElementDataFile names no pieces. `after_header` is the text behind
/// the header, where a LIST has its names. Error (input) if there are too few names, or if they cannot hold the voxels.
std::unique_ptr<VoxelBytes> find_metaimage_pieces(MetaImageHeader const& header, std::filesystem::path const& path,
                                                  std::string_view after_header);

} // namespace volpt
