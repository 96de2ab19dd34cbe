// Portable float map: "PF" or "Pf", width, height, scale (negative: little-endian), rows from bottom to top.
//
// P. Debevec's definition; the magnitude of the scale multiplies the values, as in pbrt and OpenImageIO.
#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/sys/error.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace volpt {
namespace {

struct Header {
    int channels = 0;
    std::uint64_t width = 0;
    std::uint64_t height = 0;
    double scale = 0;
    std::size_t size_bytes = 0;
};

bool is_space(char letter)
{
    return letter == ' ' || letter == '\n' || letter == '\r' || letter == '\t';
}

bool is_pfm(std::span<std::byte const> file)
{
    return file.size() >= 3 && file[0] == std::byte{'P'} && (file[1] == std::byte{'F'} || file[1] == std::byte{'f'}) &&
           is_space(static_cast<char>(file[2]));
}

/// Reads one number and the white space before it; `at` is left behind it.
template <class Number>
Number parse_number(std::string_view text, std::size_t& at, char const* field, std::string const& where)
{
    while (at < text.size() && is_space(text[at])) ++at;
    Number value{};
    auto const [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (error != std::errc{})
        fail_input(fmt::format("PFM header has no {} at offset {}", field, at), where, "", "save the file again");
    at = static_cast<std::size_t>(end - text.data());
    return value;
}

Header parse_header(std::span<std::byte const> file, std::string const& where)
{
    if (!is_pfm(file)) fail_input("does not begin with PF or Pf", where, "as a portable float map does");
    constexpr std::size_t kLongestHeader = 256;
    std::string text(std::min(file.size(), kLongestHeader), '\0');
    std::memcpy(text.data(), file.data(), text.size());
    Header header{.channels = text[1] == 'F' ? 3 : 1};
    std::size_t at = 2;
    header.width = parse_number<std::uint64_t>(text, at, "width", where);
    header.height = parse_number<std::uint64_t>(text, at, "height", where);
    header.scale = parse_number<double>(text, at, "scale", where);
    if (!std::isfinite(header.scale) || header.scale == 0)
        fail_input("PFM scale must be a number other than 0", where, "its sign tells the byte order");
    if (at >= text.size() || !is_space(text[at]))
        fail_input(fmt::format("PFM header does not end at offset {}", at), where, "one white space follows the scale");
    header.size_bytes = at + 1;
    return header;
}

StoredImage decode_pfm(std::span<std::byte const> file, std::string const& where, PictureMemory const& memory,
                       SampleForm)
{
    Header const header = parse_header(file, where);
    auto const channels = static_cast<std::uint64_t>(header.channels);
    check_decoded_size({header.width, header.height, channels}, file.size(), {.floor_bytes = 0, .ratio = 1}, memory,
                       where);
    std::uint64_t const expected = header.width * header.height * channels * sizeof(float);
    if (file.size() - header.size_bytes != expected)
        fail_input(fmt::format("{} bytes of pixels after offset {}, where {} x {} x {} floats need {}",
                               file.size() - header.size_bytes, header.size_bytes, header.width, header.height,
                               channels, expected),
                   where, "the file is cut short or its header is damaged", "save the file again");

    Image image = make_image(static_cast<int>(header.width), static_cast<int>(header.height), Transfer::linear,
                             colour_channel_names(header.channels));
    auto const factor = static_cast<float>(std::abs(header.scale));
    std::byte const* from = file.data() + header.size_bytes;
    for (std::uint64_t row = header.height; row-- > 0;)
        for (std::uint64_t x = 0; x < header.width; ++x)
            for (Channel& channel : image.channels) {
                std::uint32_t bits = 0;
                std::memcpy(&bits, from, sizeof bits);
                from += sizeof bits;
                if (header.scale > 0) bits = __builtin_bswap32(bits);
                float const value = std::bit_cast<float>(bits);
                channel.values[row * header.width + x] = factor == 1.0f ? value : value * factor;
            }
    return image;
}

std::vector<std::byte> encode_pfm(Image const& image, int)
{
    require_linear(image, "PFM");
    std::vector<Channel const*> const channels = pick_colour_channels(image, "PFM");
    if (channels.size() == 2 || channels.size() == 4) fail_usage("PFM has no alpha channel", "write .exr or .png");
    std::string const header =
        fmt::format("{}\n{} {}\n-1.0\n", channels.size() == 3 ? "PF" : "Pf", image.width, image.height);
    std::vector<std::byte> file(header.size() + image.pixel_count() * channels.size() * sizeof(float));
    std::memcpy(file.data(), header.data(), header.size());
    std::byte* to = file.data() + header.size();
    auto const width = static_cast<std::size_t>(image.width);
    for (auto row = static_cast<std::size_t>(image.height); row-- > 0;)
        for (std::size_t x = 0; x < width; ++x)
            for (Channel const* channel : channels) {
                std::memcpy(to, &channel->values[row * width + x], sizeof(float));
                to += sizeof(float);
            }
    return file;
}

} // namespace

extern constinit Codec const pfm_codec{"pfm", ".pfm", is_pfm, decode_pfm, encode_pfm};

} // namespace volpt
