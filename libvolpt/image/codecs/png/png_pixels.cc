#include "libvolpt/image/codecs/png/png_pixels.h"

#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/sys/error.h"

#include <array>
#include <fmt/format.h>

namespace volpt {
namespace {

using CodeTable = std::array<std::uint8_t, 256>;

/// Sample `index` of a line.
unsigned read_code(std::span<unsigned char const> packed, std::size_t index, unsigned depth)
{
    if (depth == 8) return packed[index];
    if (depth == 16) return static_cast<unsigned>(packed[2 * index]) << 8 | packed[2 * index + 1];
    std::size_t const bit = index * depth;
    return packed[bit / 8] >> (8 - depth - bit % 8) & ((1u << depth) - 1);
}

class PixelTaker {
public:
    PixelTaker(PngSummary const& summary, std::string const& where, SampleForm form)
        : header_(summary.header), depth_(find_png_depth(header_)), stored_(header_.samples_per_pixel()),
          has_key_(false), image_(static_cast<int>(header_.width), static_cast<int>(header_.height),
                                  colour_channel_names(static_cast<int>(count_png_channels(summary))), form, depth_)
    {
        bool const is_indexed = header_.colour == PngColour::palette;
        if (is_indexed) {
            make_colours(summary);
        } else {
            make_codes();
            if (summary.transparency.data() != nullptr) read_key(summary, where);
        }
        // Lines of a whole picture are appended: no page is touched before its line was inflated.
        for (StoredChannel& channel : image_.channels)
            header_.interlaced ? channel.resize(image_.pixel_count()) : channel.reserve(image_.pixel_count());
    }

    void take(PngScanline const& line)
    {
        std::size_t const first = line.row * header_.width + line.first_column;
        for (std::size_t c = 0; c < image_.channels.size(); ++c) {
            StoredChannel& channel = image_.channels[c];
            if (!header_.interlaced) channel.resize(first + header_.width);
            auto const put = [&](auto const& code_of) {
                channel.put(first, line.column_step, line.pixels, depth_, code_of);
            };
            if (header_.colour == PngColour::palette)
                put([&](std::size_t i) { return tables_[c][read_code(line.packed, i, header_.bit_depth)]; });
            else if (c >= stored_)
                put([&](std::size_t i) { return is_key(line.packed, i) ? 0u : largest_code(); });
            else if (header_.bit_depth == 16)
                put([&](std::size_t i) { return read_code(line.packed, i * stored_ + c, 16); });
            else
                put([&](std::size_t i) {
                    return tables_[0][read_code(line.packed, i * stored_ + c, header_.bit_depth)];
                });
        }
    }

    StoredImage finish() { return std::move(image_); }

private:
    unsigned largest_code() const { return depth_ == CodeDepth::bits_8 ? 255 : 65535; }

    void make_codes()
    {
        if (header_.bit_depth == 16) return;
        unsigned const largest = (1u << header_.bit_depth) - 1;
        for (unsigned code = 0; code <= largest; ++code)
            tables_[0][code] = static_cast<std::uint8_t>(code * (255 / largest));
    }

    void make_colours(PngSummary const& summary)
    {
        for (std::size_t i = 0; i < summary.palette_entries; ++i) {
            for (std::size_t c = 0; c < 3; ++c)
                tables_[c][i] = std::to_integer<std::uint8_t>(summary.palette[3 * i + c]);
            bool const has_alpha = i < summary.transparency.size();
            tables_[3][i] = has_alpha ? std::to_integer<std::uint8_t>(summary.transparency[i]) : std::uint8_t{255};
        }
    }

    /// The one colour that is transparent: 16 bits a sample, of which as many count as samples have.
    void read_key(PngSummary const& summary, std::string const& where)
    {
        if (stored_ % 2 == 0 || summary.transparency.size() != std::size_t{2} * stored_)
            fail_input(fmt::format("chunk tRNS has {} bytes for colour type {}", summary.transparency.size(),
                                   static_cast<unsigned>(header_.colour)),
                       where, "this is no sound PNG file", "save it again");
        has_key_ = true;
        for (std::size_t c = 0; c < stored_; ++c)
            key_[c] = (std::to_integer<unsigned>(summary.transparency[2 * c]) << 8 |
                       std::to_integer<unsigned>(summary.transparency[2 * c + 1])) &
                      ((1u << header_.bit_depth) - 1);
    }

    bool is_key(std::span<unsigned char const> packed, std::size_t pixel) const
    {
        for (std::size_t c = 0; c < stored_; ++c)
            if (read_code(packed, pixel * stored_ + c, header_.bit_depth) != key_[c]) return false;
        return has_key_;
    }

    PngHeader header_;
    CodeDepth depth_;    ///< of what is held
    std::size_t stored_; ///< samples of a pixel
    bool has_key_;
    std::array<unsigned, 3> key_{};
    std::array<CodeTable, 4>
        tables_{}; ///< by channel of a palette; else the first is that of all codes of up to 8 bits
    StoredImage image_;
};

} // namespace

unsigned count_png_channels(PngSummary const& summary)
{
    bool const has_chunk = summary.transparency.data() != nullptr;
    if (summary.header.colour == PngColour::palette) return has_chunk ? 4 : 3;
    unsigned const samples = summary.header.samples_per_pixel();
    return has_chunk && samples % 2 == 1 ? samples + 1 : samples;
}

CodeDepth find_png_depth(PngHeader const& header)
{
    return header.bit_depth == 16 ? CodeDepth::bits_16 : CodeDepth::bits_8;
}

StoredImage decode_png_pixels(PngSummary const& summary, std::string const& where, SampleForm form)
{
    // Passes are spread over the whole picture, whose memory their data have to justify first.
    if (summary.header.interlaced) check_png_scanlines(summary, where);
    PixelTaker taker(summary, where, form);
    check_png_scanlines(summary, where, [&](PngScanline const& line) { taker.take(line); });
    return taker.finish();
}

} // namespace volpt
