// JPEG: jpeg_decoder.h reads it, jpeg_encoder.h writes it.
#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/image/codecs/jpeg/jpeg_decoder.h"
#include "libvolpt/image/codecs/jpeg/jpeg_encoder.h"
#include "libvolpt/sys/error.h"

#include <climits>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr int kQuality = 95;

constexpr int kLongestEdge = 65500; // libjpeg takes no more

bool is_jpg(std::span<std::byte const> file)
{
    return file.size() > 2 && file[0] == std::byte{0xff} && file[1] == std::byte{0xd8} && file[2] == std::byte{0xff};
}

std::vector<std::byte> encode_jpg(Image const& image, int threads)
{
    std::vector<Channel const*> const channels = pick_colour_channels(image, "JPEG");
    if (channels.size() == 2 || channels.size() == 4) fail_usage("JPEG has no alpha channel", "write .png or .exr");
    if (image.transfer != Transfer::srgb)
        fail_usage("JPEG holds sRGB-coded values, but the image is linear", "write .exr");
    if (image.width > kLongestEdge || image.height > kLongestEdge || image.pixel_count() * channels.size() > INT_MAX)
        fail_usage(fmt::format("{} x {} pixels are too many for a JPEG", image.width, image.height), "write .exr");
    std::vector<std::byte> const samples = quantise_to_bytes(image, channels, threads);
    return encode_jpeg({image.width, image.height, static_cast<int>(channels.size()), samples}, kQuality);
}

} // namespace

extern constinit Codec const jpg_codec{"jpg", ".jpg .jpeg", is_jpg, decode_jpeg, encode_jpg, Transfer::srgb};

} // namespace volpt
