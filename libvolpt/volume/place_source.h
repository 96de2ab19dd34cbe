// Grid and placement of a foreign volume in the packed one.
#pragma once

#include "libvolpt/volume/volume.h"
#include "libvolpt/volume/volume_source.h"

#include <optional>

namespace volpt {

/// Sets dims, pitch and placement of `meta`. `pitch_mm` replaces the file's own; the first voxel's centre stays where
/// the file says. Adds a notice where 1 mm has to be assumed; Error (usage) where
/// it may not.
void place_source(SourceMeta const& source, std::optional<std::array<double, 3>> const& pitch_mm, VolumeMeta& meta,
                  std::vector<std::string>& notices);

} // namespace volpt
