// Checks that several codecs share: channel sets, transfer, sizes against the file's length.
#include "libvolpt/image/codecs/codec.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace volpt {

void check_image(Image const& image)
{
    if (image.width < 1 || image.height < 1)
        fail_usage(fmt::format("an image of {} x {} pixels has nothing to write", image.width, image.height));
    if (image.channels.empty()) fail_usage("an image without channels has nothing to write");
    std::set<std::string_view> names;
    for (Channel const& channel : image.channels) {
        if (!names.insert(channel.name).second) fail_usage(fmt::format("channel {} occurs twice", channel.name));
        if (channel.values.size() != image.pixel_count())
            fail_usage(fmt::format("channel {} has {} values for {} x {} pixels", channel.name, channel.values.size(),
                                   image.width, image.height));
    }
}

std::vector<std::string> colour_channel_names(int count)
{
    switch (count) {
    case 1:
        return {"Y"};
    case 2:
        return {"Y", "A"};
    case 3:
        return {"R", "G", "B"};
    default:
        return {"R", "G", "B", "A"};
    }
}

std::vector<Channel const*> pick_colour_channels(Image const& image, std::string_view format)
{
    std::vector<Channel const*> picked;
    std::size_t const count = image.channels.size();
    if (count >= 1 && count <= 4)
        for (std::string const& name : colour_channel_names(static_cast<int>(count)))
            picked.push_back(image.find(name));
    if (picked.empty() || std::ranges::find(picked, nullptr) != picked.end()) {
        std::string names;
        for (Channel const& channel : image.channels) names += " " + channel.name;
        fail_usage(
            fmt::format("{} carries the channels R G B or Y, with A or without, but the image has{}", format, names),
            "write .exr, which keeps any channels");
    }
    return picked;
}

void require_linear(Image const& image, std::string_view format)
{
    if (image.transfer != Transfer::linear)
        fail_usage(fmt::format("{} holds linear values, but the image is sRGB-coded", format), "write .png");
}

void check_decoded_size(DecodedSize size, std::size_t file_bytes, SizeBound bound, std::string const& where)
{
    if (size.width < 1 || size.height < 1 || size.channels < 1)
        fail_input(fmt::format("header claims {} x {} pixels of {} channels", size.width, size.height, size.channels),
                   where, "an image has at least one pixel", "save the file again");
    constexpr std::uint64_t kLargestEdge = 1u << 24;
    std::uint64_t const limit = std::max(bound.floor_bytes, bound.ratio * file_bytes) / sizeof(float);
    bool const fits = size.width <= kLargestEdge && size.height <= kLargestEdge && size.channels <= 65536 &&
                      size.width * size.height <= limit / size.channels;
    if (!fits)
        fail_input(fmt::format("header claims {} x {} pixels of {} channels, but the file has only {} bytes",
                               size.width, size.height, size.channels, file_bytes),
                   where, "no encoder packs so much into so little", "save the file again, or in tiles");
}

} // namespace volpt
