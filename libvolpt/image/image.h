// A planar float image with named channels: what codecs read and write, what metrics compare.
#pragma once

#include "libvolpt/sys/text/enum_words.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// What the numbers mean. PNG carries sRGB-coded values unless it says otherwise; EXR, HDR and PFM are linear.
enum class Transfer { linear, srgb };
template <>
inline constexpr auto kWords<Transfer> = list_words<Transfer>({{Transfer::linear, "linear"}, {Transfer::srgb, "srgb"}});

/// How the transfer is known: the format defines it, the file states it, or it is what such files usually hold.
enum class TransferSource { format, file, assumption };

struct Channel {
    std::string name;          ///< "R", "G", "B", "Y", "standard_error.R", ...
    std::vector<float> values; ///< width * height, row by row, top row first
};

/// An ICC profile in a file.
struct ColourProfile {
    std::string name; ///< that the file gives it, printable; may be empty
    std::vector<std::byte> bytes;
};

struct Image {
    int width = 0;
    int height = 0;
    Transfer transfer = Transfer::linear;
    TransferSource transfer_source = TransferSource::format;
    std::vector<Channel> channels;
    std::vector<std::pair<std::string, std::string>> metadata; ///< text attributes of the file, in order
    std::vector<std::string> notices;     ///< sentences on what of the file was not heeded, and on conversions
    std::optional<ColourProfile> profile; ///< embedded, as decoders find it; read_image applies and removes it

    Channel const* find(std::string_view name) const;
    Channel& add_channel(std::string name); ///< sized width * height, zero
    std::size_t pixel_count() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
};

/// An image of zeros with these channels.
Image make_image(int width, int height, Transfer transfer, std::vector<std::string> const& channel_names);

} // namespace volpt
