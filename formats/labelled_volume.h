// A foreign volume whose colours name materials, as a labelled volume.
#pragma once

#include "formats/palette.h"
#include "formats/volume_source.h"
#include "formats/voxel_stream.h"

#include <optional>

namespace volpt {

struct LabelledOptions {
    std::optional<std::array<double, 3>> pitch_mm; ///< instead of the file's own
    float scale = 1;                               ///< of the materials' extinction
    Filter filter = Filter::nearest;
};

/// A voxel's label is the material of exactly its colour; grey voxels count as R = G = B, missing alpha as 255. Error
/// (input) unless the numbers are u8; while reading, names the voxel of the first colour that no material has. The
/// colours are kept as source metadata, "colour.NAME".
std::unique_ptr<VoxelStream> make_labelled_volume(std::unique_ptr<VolumeSource> source, Palette palette,
                                                  LabelledOptions options);

} // namespace volpt
