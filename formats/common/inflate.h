// Deflated bytes in memory: a zlib stream, or a gzip file of one or more members.
//
// Sources: RFC 1950, 1951 and 1952 (2.2: a gzip file is a series of members).
#pragma once

#include <cstddef>
#include <span>

namespace volpt {

bool is_gzip_head(std::span<std::byte const> bytes);

struct InflatedBytes {
    std::size_t count = 0; ///< written to the front of the room
    bool is_whole = false; ///< the data end there, and their checksums agree
};

/// Inflates as much of `packed` as there is room for. As in gzip(1), members of a gzip file join, and what follows the
/// last one and is no member is left out.
InflatedBytes inflate_bytes(std::span<std::byte const> packed, std::span<std::byte> room);

} // namespace volpt
