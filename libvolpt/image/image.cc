#include "libvolpt/image/image.h"

#include <algorithm>

namespace volpt {

Channel const* Image::find(std::string_view name) const
{
    auto const found = std::ranges::find(channels, name, &Channel::name);
    return found == channels.end() ? nullptr : &*found;
}

Channel& Image::add_channel(std::string name)
{
    return channels.emplace_back(Channel{std::move(name), std::vector<float>(pixel_count())});
}

Image make_image(int width, int height, Transfer transfer, std::vector<std::string> const& channel_names)
{
    Image image;
    image.width = width;
    image.height = height;
    image.transfer = transfer;
    for (std::string const& name : channel_names) image.add_channel(name);
    return image;
}

} // namespace volpt
