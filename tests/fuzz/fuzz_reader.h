// Feeds bytes to a foreign volume reader: an Error of input or a whole volume is fine, anything else is a finding.
#pragma once

#include "formats/reader.h"
#include "libvolpt/sys/error.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace volpt::test {

/// Readers open paths, so the bytes go into a file in memory. Volumes of more than 16 M voxels are opened but not read.
inline int fuzz_reader(std::string_view name, std::uint8_t const* data, std::size_t size_bytes)
{
    constexpr std::uint64_t kMaxVoxels = std::uint64_t{1} << 24;
    int const file = memfd_create("fuzz", MFD_CLOEXEC);
    if (file < 0 || write(file, data, size_bytes) != static_cast<ssize_t>(size_bytes)) std::abort();
    for (ReaderEntry const& entry : list_readers()) {
        if (entry.name != name || entry.reader == nullptr) continue;
        try {
            auto const source = entry.reader->open("/proc/self/fd/" + std::to_string(file));
            auto const [x, y, z] = source->meta().dims;
            auto const layer = static_cast<std::uint64_t>(source->meta().channels) * static_cast<std::uint64_t>(x) *
                               static_cast<std::uint64_t>(y);
            std::vector<float> values(layer * static_cast<std::uint64_t>(z) <= kMaxVoxels ? layer : 0);
            for (int i = 0; i < z && !values.empty(); ++i) source->read_slab(i, 1, values);
        } catch (Error const& error) {
            if (error.status() != ExitStatus::input) std::abort();
        }
    }
    close(file);
    return 0;
}

} // namespace volpt::test
