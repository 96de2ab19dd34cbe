// What a reader accepts is packed, and what is packed passes the full verification.
#pragma once

#include "libvolpt/sys/error.h"
#include "libvolpt/volume/volume.h"
#include "libvolpt/volume/voxel_stream.h"
#include "tests/support/temp_folder.h"

#include <cstdio>
#include <cstdlib>

namespace volpt::test {

/// Errors of input while packing are fine: then nothing is written.
inline void pack_and_verify(VoxelStream& stream)
{
    static TempFolder const folder;
    auto const path = folder / "fuzzed.vpk";
    pack_volume(stream, path, {}, {});
    try {
        PackedVolume::open(path, VerifyLevel::full);
    } catch (Error const& error) {
        std::fprintf(stderr, "packed, but refused: %s\n", error.what());
        std::abort();
    }
}

} // namespace volpt::test
