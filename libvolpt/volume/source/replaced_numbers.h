// Numbers that no medium can have, NaN above all, replaced as they are read.
#pragma once

#include "libvolpt/volume/source/volume_source.h"

#include <memory>

namespace volpt {

struct NumberReplacement {
    std::optional<float> nan; ///< what NaN becomes; absent: it stays
    std::optional<std::array<float, 2>>
        range; ///< numbers beyond, infinite ones too, become its ends; absent: they stay
};

/// The source with its numbers replaced. list_notices counts them, each voxel of the layers read once.
std::unique_ptr<VolumeSource> replace_numbers(std::unique_ptr<VolumeSource> source,
                                              NumberReplacement const& replacement);

} // namespace volpt
