// The bound on what packing holds in memory: a layer of bricks, eight layers of voxels as they were read.
//
// Compression makes the area of a layer free in a file, not in memory.
#pragma once

#include "libvolpt/volume/source/volume_source.h"

#include <cstdint>

namespace volpt {

/// The least of the machine's memory, the limits of the control groups (v1 and v2) that this process is in, and its
/// address-space limit (ulimit -v).
std::uint64_t find_usable_memory();

/// Bytes that a layer of bricks may take by default: 4 GiB, but at most half of the memory that this process may use.
std::uint64_t find_layer_memory();

/// Error (input) naming `where` if eight layers of `dims` voxels take more than `most_bytes` at `voxel_bytes` each;
/// fewer layers count as eight, for what decoding takes besides. To be called before anything is allocated by dims.
void check_layer_memory(std::array<int, 3> const& dims, std::uint64_t voxel_bytes, std::uint64_t most_bytes,
                        std::string const& where);

/// The same for what read_slab gives, floats by channel.
void check_layer_memory(SourceMeta const& source, std::uint64_t most_bytes);

} // namespace volpt
