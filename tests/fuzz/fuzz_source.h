// Feeds bytes to whatever opens a file as a volume: an Error of input or a whole volume is fine, which is packed and
// verified if it is small; anything else is a finding.
#pragma once

#include "libvolpt/medium/measured_volume.h"
#include "libvolpt/sys/error.h"
#include "tests/fuzz/pack_and_verify.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace volpt::test {

/// Readers open paths, so the bytes go into a file in memory, which `open` turns into a source. Volumes of more than
/// `most_voxels` voxels are opened but not read.
template <class Open>
int fuzz_source(std::uint8_t const* data, std::size_t size_bytes, std::uint64_t most_voxels, Open&& open)
{
    int const file = memfd_create("fuzz", MFD_CLOEXEC);
    if (file < 0 || write(file, data, size_bytes) != static_cast<ssize_t>(size_bytes)) std::abort();
    try {
        auto const source = open("/proc/self/fd/" + std::to_string(file));
        auto const [x, y, z] = source->meta().dims;
        auto const layer = static_cast<std::uint64_t>(source->meta().channels) * static_cast<std::uint64_t>(x) *
                           static_cast<std::uint64_t>(y);
        std::vector<float> values(layer * static_cast<std::uint64_t>(z) <= most_voxels ? layer : 0);
        for (int i = 0; i < z && !values.empty(); ++i) source->read_slab(i, 1, values);
        constexpr std::uint64_t kMostPacked = 1 << 16;
        if (layer * static_cast<std::uint64_t>(z) <= kMostPacked) {
            auto again = open("/proc/self/fd/" + std::to_string(file));
            MeasuredOptions options;
            options.albedo.assign(1, 0.5);
            pack_and_verify(*make_measured_volume(std::move(again), options));
        }
    } catch (Error const& error) {
        if (error.status() != ExitStatus::input && error.status() != ExitStatus::usage) std::abort();
    }
    close(file);
    return 0;
}

} // namespace volpt::test
