#include "tools/volview/tev/tev_messages.h"

#include "libvolpt/sys/error.h"
#include "tools/options/units.h"
#include "tools/volview/access/access.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <span>
#include <utility>

namespace volpt {
namespace {

// Types of messages. Of the updates, 6 is the one with an offset and a stride per channel.
constexpr std::uint8_t kCreateImage = 4;
constexpr std::uint8_t kUpdateImage = 6;

/// A message as it grows; numbers are little-endian.
class TevMessage {
public:
    explicit TevMessage(std::uint8_t type)
    {
        add_number<std::uint32_t>(0);
        add_number(type);
    }

    template <class Number>
    void add_number(Number value)
    {
        for (std::size_t i = 0; i < sizeof(Number); ++i)
            bytes_.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xff));
    }

    void add_text(std::string_view text)
    {
        for (char const letter : text) bytes_.push_back(static_cast<std::byte>(letter));
        bytes_.push_back(std::byte{0});
    }

    void add_floats(std::span<float const> values)
    {
        if constexpr (std::endian::native == std::endian::little) {
            auto const bytes = std::as_bytes(values);
            bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
        } else {
            for (float const value : values) add_number(std::bit_cast<std::uint32_t>(value));
        }
    }

    void add_channel_names(Image const& picture)
    {
        for (Channel const& channel : picture.channels) add_text(channel.name);
    }

    void reserve(std::size_t size_bytes) { bytes_.reserve(bytes_.size() + size_bytes); }

    /// The message with its length, which counts itself.
    std::vector<std::byte> finish()
    {
        for (std::size_t i = 0; i < 4; ++i) bytes_[i] = static_cast<std::byte>(bytes_.size() >> (8 * i) & 0xff);
        return std::move(bytes_);
    }

private:
    std::vector<std::byte> bytes_;
};

} // namespace

std::string TevAddress::text() const
{
    return host.find(':') == host.npos ? fmt::format("{}:{}", host, port) : fmt::format("[{}]:{}", host, port);
}

TevAddress parse_tev_address(std::string const& text)
{
    auto const host = parse_host(text);
    if (!host)
        fail_usage(fmt::format("--tev '{}' is no address", text),
                   "give HOST or HOST:PORT, for example 127.0.0.1:14158, where tev listens unless told otherwise");
    TevAddress address;
    address.host = host->front() == '[' ? host->substr(1, host->size() - 2) : *host;
    if (text.size() > host->size())
        address.port = static_cast<std::uint16_t>(parse_integer("--tev", text.substr(host->size() + 1), 1, 65535));
    return address;
}

std::vector<TevTile> list_tev_tiles(int width, int height, std::size_t most_pixels)
{
    int const tile_width = static_cast<int>(std::clamp<std::size_t>(most_pixels, 1, static_cast<std::size_t>(width)));
    int const tile_height = static_cast<int>(std::clamp<std::size_t>(most_pixels / static_cast<std::size_t>(tile_width),
                                                                     1, static_cast<std::size_t>(height)));
    std::vector<TevTile> tiles;
    for (int y = 0; y < height; y += tile_height)
        for (int x = 0; x < width; x += tile_width)
            tiles.push_back({x, y, std::min(tile_width, width - x), std::min(tile_height, height - y)});
    return tiles;
}

std::vector<std::byte> make_tev_create(std::string_view name, Image const& picture, TevFocus focus)
{
    TevMessage message(kCreateImage);
    message.add_number<std::uint8_t>(focus == TevFocus::grab);
    message.add_text(name);
    message.add_number<std::int32_t>(picture.width);
    message.add_number<std::int32_t>(picture.height);
    message.add_number(static_cast<std::int32_t>(picture.channels.size()));
    message.add_channel_names(picture);
    return message.finish();
}

std::vector<std::byte> make_tev_update(std::string_view name, Image const& picture, TevTile const& tile)
{
    TevMessage message(kUpdateImage);
    message.add_number<std::uint8_t>(0);
    message.add_text(name);
    message.add_number(static_cast<std::int32_t>(picture.channels.size()));
    message.add_channel_names(picture);
    for (std::int32_t const number : {tile.x, tile.y, tile.width, tile.height}) message.add_number(number);
    // Offsets and strides count floats: the channels follow one another.
    std::int64_t const pixels = std::int64_t{tile.width} * tile.height;
    auto const channels = static_cast<std::int64_t>(picture.channels.size());
    for (std::int64_t channel = 0; channel < channels; ++channel) message.add_number(channel * pixels);
    for (std::int64_t channel = 0; channel < channels; ++channel) message.add_number<std::int64_t>(1);
    message.reserve(static_cast<std::size_t>(channels * pixels) * sizeof(float));
    for (Channel const& channel : picture.channels)
        for (std::int32_t y = tile.y; y < tile.y + tile.height; ++y) {
            auto const first = static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                               static_cast<std::size_t>(tile.x);
            message.add_floats(std::span(channel.values).subspan(first, static_cast<std::size_t>(tile.width)));
        }
    return message.finish();
}

} // namespace volpt
