#include "libvolpt/volume/source/layer_memory.h"

#include "libvolpt/core/morton.hd.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/memory/usable_memory.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {

std::uint64_t find_layer_memory()
{
    return std::min(std::uint64_t{4} << 30, find_usable_memory() / 2);
}

void check_layer_memory(std::array<int, 3> const& dims, std::uint64_t voxel_bytes, std::uint64_t most_bytes,
                        std::string const& where)
{
    // Dims below 2^16 and voxels below 2^10 bytes: no overflow.
    std::uint64_t const bytes = static_cast<std::uint64_t>(dims[0]) * static_cast<std::uint64_t>(dims[1]) *
                                static_cast<std::uint64_t>(kBrickEdge) * voxel_bytes;
    if (bytes <= most_bytes) return;
    fail_input(fmt::format("eight layers of {} x {} voxels take {} of memory at {} bytes a voxel", dims[0], dims[1],
                           spell_gib(bytes), voxel_bytes),
               where, fmt::format("packing holds as many, and {} are allowed", spell_gib(most_bytes)),
               "if the size is right, allow more with --layer-memory; otherwise the file is damaged");
}

void check_layer_memory(SourceMeta const& source, std::uint64_t most_bytes)
{
    check_layer_memory(source.dims, sizeof(float) * static_cast<std::uint64_t>(source.channels), most_bytes,
                       source.path);
}

} // namespace volpt
