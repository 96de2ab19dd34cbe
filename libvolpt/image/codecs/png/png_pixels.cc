#include "libvolpt/image/codecs/png/png_pixels.h"

#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/sys/error.h"

#include <array>
#include <fmt/format.h>

namespace volpt {
namespace {

using CodeTable = std::array<float, 256>;

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
    PixelTaker(PngSummary const& summary, std::string const& where)
        : header_(summary.header), stored_(header_.samples_per_pixel()), has_key_(false)
    {
        bool const is_indexed = header_.colour == PngColour::palette;
        if (is_indexed) {
            make_colours(summary);
        } else {
            make_codes();
            if (summary.transparency.data() != nullptr) read_key(summary, where);
        }
        auto const channels = count_png_channels(summary);
        image_.width = static_cast<int>(header_.width);
        image_.height = static_cast<int>(header_.height);
        image_.transfer = Transfer::srgb;
        image_.transfer_source = TransferSource::assumption;
        for (std::string& name : colour_channel_names(static_cast<int>(channels))) {
            Channel& channel = image_.channels.emplace_back(Channel{std::move(name), {}});
            // Lines of a whole picture are appended: no page is touched before its line was inflated.
            if (header_.interlaced)
                channel.values.resize(image_.pixel_count());
            else
                channel.values.reserve(image_.pixel_count());
        }
    }

    void take(PngScanline const& line)
    {
        std::size_t const first = line.row * header_.width + line.first_column;
        for (std::size_t c = 0; c < image_.channels.size(); ++c) {
            std::vector<float>& values = image_.channels[c].values;
            if (!header_.interlaced) values.resize(first + header_.width);
            float* const to = values.data() + first;
            if (header_.colour == PngColour::palette)
                for (std::size_t i = 0; i < line.pixels; ++i)
                    to[i * line.column_step] = tables_[c][read_code(line.packed, i, header_.bit_depth)];
            else if (c < stored_)
                take_samples(line, c, to);
            else
                for (std::size_t i = 0; i < line.pixels; ++i)
                    to[i * line.column_step] = is_key(line.packed, i) ? 0.0f : 1.0f;
        }
    }

    Image finish() { return std::move(image_); }

private:
    void take_samples(PngScanline const& line, std::size_t channel, float* to) const
    {
        for (std::size_t i = 0; i < line.pixels; ++i) {
            unsigned const code = read_code(line.packed, i * stored_ + channel, header_.bit_depth);
            to[i * line.column_step] = header_.bit_depth == 16 ? static_cast<float>(code) / 65535.0f : tables_[0][code];
        }
    }

    void make_codes()
    {
        if (header_.bit_depth == 16) return;
        unsigned const largest = (1u << header_.bit_depth) - 1;
        for (unsigned code = 0; code <= largest; ++code)
            tables_[0][code] = static_cast<float>(code * (255 / largest)) / 255.0f;
    }

    void make_colours(PngSummary const& summary)
    {
        for (std::size_t i = 0; i < summary.palette_entries; ++i) {
            for (std::size_t c = 0; c < 3; ++c)
                tables_[c][i] = static_cast<float>(std::to_integer<unsigned>(summary.palette[3 * i + c])) / 255.0f;
            bool const has_alpha = i < summary.transparency.size();
            unsigned const alpha = has_alpha ? std::to_integer<unsigned>(summary.transparency[i]) : 255;
            tables_[3][i] = static_cast<float>(alpha) / 255.0f;
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
    std::size_t stored_; ///< samples of a pixel
    bool has_key_;
    std::array<unsigned, 3> key_{};
    std::array<CodeTable, 4>
        tables_{}; ///< by channel of a palette; else the first is that of all codes of up to 8 bits
    Image image_;
};

} // namespace

unsigned count_png_channels(PngSummary const& summary)
{
    bool const has_chunk = summary.transparency.data() != nullptr;
    if (summary.header.colour == PngColour::palette) return has_chunk ? 4 : 3;
    unsigned const samples = summary.header.samples_per_pixel();
    return has_chunk && samples % 2 == 1 ? samples + 1 : samples;
}

Image decode_png_pixels(PngSummary const& summary, std::string const& where)
{
    // Passes are spread over the whole picture, whose memory their data have to justify first.
    if (summary.header.interlaced) check_png_scanlines(summary, where);
    PixelTaker taker(summary, where);
    check_png_scanlines(summary, where, [&](PngScanline const& line) { taker.take(line); });
    return taker.finish();
}

} // namespace volpt
