// A foreign volume with larger voxels: one number for each block of the source's voxels.
#pragma once

#include "libvolpt/volume/source/volume_source.h"

#include <memory>

namespace volpt {

/// What stands for a block. Of pictures, `most_frequent` takes all channels of a pixel together; of equally frequent
/// ones it takes the lowest (the first channel counts most). A number that is not finite stands for its whole block
/// (of `mean`, NaN where they contradict each other), so that it is refused as in the source.
enum class BlockValue { mean, most_frequent };

/// Blocks of factor[0] x factor[1] x factor[2] voxels, from the first voxel on; blocks at the far ends hold the voxels
/// that are left, which a notice tells. The pitch is the source's times the factor, and the centre of the first block
/// is where it lies in the source. `pitch_mm` is what replaces the source's own pitch. Means are of type f32. Holds
/// eight layers of the source at a time, for `most_frequent` factor[2], if that is more, and 16 bytes for each voxel of
/// a block: Error (input) if these take more than `layer_bytes`. Error (usage) unless every factor is 1 .. 65535.
std::unique_ptr<VolumeSource> downsample_source(std::unique_ptr<VolumeSource> source, std::array<int, 3> const& factor,
                                                BlockValue value, std::optional<std::array<double, 3>> const& pitch_mm,
                                                std::uint64_t layer_bytes);

} // namespace volpt
