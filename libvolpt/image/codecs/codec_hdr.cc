// Radiance .hdr: checked here, decoded and encoded by stb_image. Header variables (EXPOSURE) are kept, not applied.
#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/image/codecs/hdr_check.h"
#include "libvolpt/sys/error.h"

#include <climits>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>

namespace volpt {
namespace {

Image decode(std::span<std::byte const> file, std::string const& where)
{
    HdrSummary summary = check_hdr(file, where);
    if (file.size() > INT_MAX) fail_input("more than 2 GiB of Radiance picture", where, "", "convert it to .exr");
    int width = 0, height = 0, components = 0;
    std::unique_ptr<float, decltype(&stbi_image_free)> const pixels(
        stbi_loadf_from_memory(reinterpret_cast<stbi_uc const*>(file.data()), static_cast<int>(file.size()), &width,
                               &height, &components, 3),
        stbi_image_free);
    if (!pixels) fail_input(fmt::format("decoder says: {}", stbi_failure_reason()), where);

    Image image = make_image(width, height, Transfer::linear, colour_channel_names(3));
    image.metadata = std::move(summary.variables);
    for (std::size_t i = 0; i < image.pixel_count() * 3; ++i) image.channels[i % 3].values[i / 3] = pixels.get()[i];
    return image;
}

/// RGBE has no sign and ends at 2^127.
void require_representable(Channel const& channel, std::size_t width)
{
    for (std::size_t i = 0; i < channel.values.size(); ++i)
        if (!(channel.values[i] >= 0 && channel.values[i] < 0x1p127f))
            fail_usage(fmt::format("Radiance pictures cannot hold the value {} of channel {} at pixel {},{}",
                                   channel.values[i], channel.name, i % width, i / width),
                       "write .exr or .pfm");
}

void append(void* to, void* data, int size_bytes)
{
    auto const* bytes = static_cast<std::byte const*>(data);
    auto& file = *static_cast<std::vector<std::byte>*>(to);
    file.insert(file.end(), bytes, bytes + size_bytes);
}

std::vector<std::byte> encode(Image const& image)
{
    require_linear(image, "Radiance .hdr");
    std::vector<Channel const*> channels = pick_colour_channels(image, "Radiance .hdr");
    if (channels.size() == 2 || channels.size() == 4) fail_usage("Radiance .hdr has no alpha channel", "write .exr");
    if (channels.size() == 1) channels.resize(3, channels.front());
    for (Channel const* channel : channels) require_representable(*channel, static_cast<std::size_t>(image.width));
    std::vector<float> pixels(image.pixel_count() * 3);
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = channels[i % 3]->values[i / 3];
    std::vector<std::byte> file;
    if (stbi_write_hdr_to_func(append, &file, image.width, image.height, 3, pixels.data()) == 0)
        fail_system("the Radiance encoder failed", "stb_image_write");
    return file;
}

} // namespace

extern constinit Codec const hdr_codec{"hdr", ".hdr", is_hdr, decode, encode};

} // namespace volpt
