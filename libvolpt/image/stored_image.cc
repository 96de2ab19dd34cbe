#include "libvolpt/image/stored_image.h"

#include <algorithm>
#include <utility>

namespace volpt {

void StoredChannel::resize(std::size_t count)
{
    std::visit([&](auto& held) { held.resize(count); }, values);
}

void StoredChannel::reserve(std::size_t count)
{
    std::visit([&](auto& held) { held.reserve(count); }, values);
}

std::size_t StoredChannel::value_bytes() const
{
    return std::visit([](auto const& held) { return sizeof held[0]; }, values);
}

void StoredChannel::read(std::size_t first, std::span<float> to) const
{
    if (auto const* const floats = std::get_if<std::vector<float>>(&values))
        std::copy_n(floats->begin() + static_cast<std::ptrdiff_t>(first), to.size(), to.begin());
    else if (auto const* const bytes = std::get_if<std::vector<std::uint8_t>>(&values))
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = decode_code((*bytes)[first + i], CodeDepth::bits_8);
    else
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = decode_code(std::get<std::vector<std::uint16_t>>(values)[first + i], CodeDepth::bits_16);
}

StoredImage::StoredImage(Image image) : description(std::move(image))
{
    for (Channel& channel : std::exchange(description.channels, {}))
        channels.push_back({std::move(channel.name), std::move(channel.values)});
}

StoredImage::StoredImage(int width, int height, std::vector<std::string> const& names, SampleForm form, CodeDepth depth)
{
    description.width = width;
    description.height = height;
    description.transfer = Transfer::srgb;
    description.transfer_source = TransferSource::assumption;
    for (std::string const& name : names) {
        StoredChannel& channel = channels.emplace_back(StoredChannel{name, {}});
        if (form == SampleForm::floats) continue;
        if (depth == CodeDepth::bits_8)
            channel.values = std::vector<std::uint8_t>();
        else
            channel.values = std::vector<std::uint16_t>();
    }
}

StoredChannel const* StoredImage::find(std::string_view name) const
{
    auto const found = std::ranges::find(channels, name, &StoredChannel::name);
    return found == channels.end() ? nullptr : &*found;
}

Image to_floats(StoredImage image)
{
    Image floats = std::move(image.description);
    for (StoredChannel& channel : image.channels) {
        Channel& to = floats.channels.emplace_back(Channel{channel.name, {}});
        if (auto* const values = std::get_if<std::vector<float>>(&channel.values)) {
            to.values = std::move(*values);
            continue;
        }
        to.values.resize(floats.pixel_count());
        channel.read(0, to.values);
        channel.values = std::vector<float>();
    }
    return floats;
}

} // namespace volpt
