// A packed volume as a stream again, for packing anew with other choices.
#pragma once

#include "libvolpt/volume/voxel_stream.h"

#include <optional>

namespace volpt {

/// Changes to the packed volume; everything else stays, to the bit.
struct RepackOptions {
    std::optional<float> scale = {};
    std::optional<float> g = {};
    std::optional<Filter> filter = {};
    std::optional<std::array<double, 3>> pitch_mm = {}; ///< the box's middle stays
    std::optional<Encoding> encoding = {};              ///< of the density
};

std::unique_ptr<VoxelStream> make_packed_stream(PackedVolume volume, RepackOptions const& options);

/// The volume with some of its bands, named by band number, ascending. A band of a chromatic volume keeps its number,
/// because it seeds the band's paths; the bands of a grey-extinction volume are counted from 0, as they share one path.
/// Error (usage) lists the bands of the volume.
std::unique_ptr<VoxelStream> select_bands(std::unique_ptr<VoxelStream> stream,
                                          std::vector<std::uint32_t> const& band_numbers);

/// True if every band has the same extinction.
bool is_grey(VolumeMeta const& meta, std::vector<Material> const& materials);

} // namespace volpt
