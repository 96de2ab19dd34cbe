// Messages of the protocol by which other programs show pictures in tev (Müller, references.md): pure functions.
#pragma once

#include "libvolpt/image/image.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// Where a tev listens.
struct TevAddress {
    std::string host; ///< name or number, an IPv6 address without brackets
    std::uint16_t port = 14158;

    /// As the command line has it, with the port.
    std::string text() const;
};

/// HOST or HOST:PORT, with brackets round an IPv6 address. Error (usage) on anything else.
TevAddress parse_tev_address(std::string const& text);

/// Whether tev shows the picture at once, or goes on showing another one.
enum class TevFocus { grab, leave };

/// Pixels of a picture, row 0 at the top.
struct TevTile {
    std::int32_t x = 0, y = 0, width = 0, height = 0;
    bool operator==(TevTile const&) const = default;
};

/// Tiles that cover a picture once, from top to bottom and left to right, with at most so many pixels each, at
/// least 1.
std::vector<TevTile> list_tev_tiles(int width, int height, std::size_t most_pixels);

/// Makes an image of this name, with the size and the names of the picture's channels; it replaces one of the same
/// name. Names have no byte 0.
std::vector<std::byte> make_tev_create(std::string_view name, Image const& picture, TevFocus focus);

/// Values of all channels of a tile, which lies within the picture, for the image of this name.
std::vector<std::byte> make_tev_update(std::string_view name, Image const& picture, TevTile const& tile);

} // namespace volpt
