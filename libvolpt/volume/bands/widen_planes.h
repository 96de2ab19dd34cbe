// What a volume of three equal bands has besides what one of a single band stores.
#pragma once

#include "libvolpt/volume/checked_sections.h"
#include "libvolpt/volume/surroundings/surrounding_shapes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace volpt {

/// Owns what its plane points into.
struct WidenedPlane {
    std::vector<std::uint32_t> table;
    std::vector<std::uint32_t> words;
    CheckedPlane plane;
};

/// Bytes that widen_plane allocates.
std::uint64_t count_widened_bytes(CheckedPlane const& grey, PlaneShape const& shape);

/// Error (system) with the figures if so many do not fit into the memory that this process may use.
void check_widened_memory(std::uint64_t bytes, std::string const& where);

/// `grey`, which has one channel, as a plane of `shape`, all channels of which have its values: the slots are the same
/// ones. Error (input) if indices of its voxels do not fit the format. On up to `threads` threads.
WidenedPlane widen_plane(CheckedPlane const& grey, PlaneShape const& shape, int threads);

/// The BSDFs and texels of one band in three.
SurroundingShapes widen_shapes(SurroundingShapes shapes);

} // namespace volpt
