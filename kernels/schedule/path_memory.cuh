// Memory that paths have beside their state (PathMemory), where kernels move the paths between pools.
#pragma once

#include "libvolpt/core/light/transports.hd.h"

namespace volpt {

/// One entry for each path of a pool, and the numbers of those that no path has. Without HasMemory, nothing.
template <class Path>
struct PathMemoryView {
    static constexpr std::size_t kEntryBytes = 0;
    __device__ void take(std::uint32_t, Path&) const {}
    __device__ void release(std::uint32_t*, Path const&) const {}
};

template <HasMemory Path>
struct PathMemoryView<Path> {
    static constexpr std::size_t kEntryBytes = sizeof(PathMemory<Path>) + sizeof(std::uint32_t);
    PathMemory<Path>* entries;
    std::uint32_t* unused;

    __device__ void take(std::uint32_t number, Path& path) const { path.memory = entries + unused[number]; }
    /// Once for each path that has ended; `unused_count` counts the numbers in `unused`.
    __device__ void release(std::uint32_t* unused_count, Path const& path) const
    {
        unused[atomicAdd(unused_count, 1u)] = static_cast<std::uint32_t>(path.memory - entries);
    }
};

/// All entries are unused.
template <class Path>
__global__ void clear_path_memory(PathMemoryView<Path> memory, std::uint32_t* unused_count, std::uint32_t capacity)
{
    if constexpr (HasMemory<Path>) {
        std::uint32_t const i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i == 0) *unused_count = capacity;
        if (i < capacity) memory.unused[i] = i;
    }
}

} // namespace volpt
