// Feeds bytes to a registered volume reader.
#pragma once

#include "formats/reader.h"
#include "tests/fuzz/fuzz_source.h"

#include <string_view>

namespace volpt::test {

/// fuzz_source of the reader `name`; nothing where its library is off. A name that is not registered is a finding too.
inline int fuzz_reader(std::string_view name, std::uint8_t const* data, std::size_t size_bytes)
{
    constexpr std::uint64_t kMaxVoxels = std::uint64_t{1} << 24;
    for (ReaderEntry const& entry : list_readers()) {
        if (entry.name != name) continue;
        if (entry.reader == nullptr) return 0;
        return fuzz_source(data, size_bytes, kMaxVoxels,
                           [&](std::string const& path) { return entry.reader->open(path, {}); });
    }
    std::abort();
}

} // namespace volpt::test
