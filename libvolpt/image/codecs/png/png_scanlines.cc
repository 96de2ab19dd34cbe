// Inflates the image data of a PNG file and checks every scanline.
#include "libvolpt/image/codecs/png/png_check.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <string_view>
#include <zlib.h>

namespace volpt {
namespace {

/// The pixels of a pass: every step_x-th of every step_y-th row, from x, y on.
struct Lattice {
    std::uint64_t x, y, step_x, step_y;
};

struct Pass {
    std::uint64_t row_bytes = 0; ///< without the filter byte
    std::uint64_t rows = 0;
    std::uint64_t row_pixels = 0;
    Lattice lattice{};
};

/// One pass, or the seven of Adam7 (ISO/IEC 15948, section 8.2) without the empty ones.
std::vector<Pass> list_passes(PngHeader const& header)
{
    static constexpr std::array<Lattice, 7> kAdam7{
        {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}};
    static constexpr std::array<Lattice, 1> kPlain{{{0, 0, 1, 1}}};
    std::span<Lattice const> const lattices = header.interlaced ? std::span<Lattice const>(kAdam7) : kPlain;
    std::vector<Pass> passes;
    for (Lattice const& lattice : lattices) {
        if (header.width <= lattice.x || header.height <= lattice.y) continue;
        std::uint64_t const columns = (header.width - lattice.x + lattice.step_x - 1) / lattice.step_x;
        std::uint64_t const rows = (header.height - lattice.y + lattice.step_y - 1) / lattice.step_y;
        passes.push_back({(columns * header.samples_per_pixel() * header.bit_depth + 7) / 8, rows, columns, lattice});
    }
    return passes;
}

/// Checks scanlines in inflated bytes, which arrive in pieces; memory is bounded by two lines.
class ScanlineChecker {
public:
    ScanlineChecker(PngSummary const& summary, std::string const& where, ScanlineSink const& sink)
        : header_(summary.header), palette_entries_(summary.palette_entries), where_(where), sink_(sink),
          passes_(list_passes(header_)), pixel_bytes_(std::max(1u, header_.samples_per_pixel() * header_.bit_depth / 8))
    {
    }

    bool done() const { return pass_ == passes_.size(); }

    void take(std::span<unsigned char const> bytes)
    {
        while (!bytes.empty()) {
            if (done()) fail("holds more scanlines than IHDR announces");
            if (at_ == 0) {
                begin_row(bytes.front());
                bytes = bytes.subspan(1);
                at_ = 1;
                continue;
            }
            Pass const& pass = passes_[pass_];
            auto const count =
                static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), pass.row_bytes + 1 - at_));
            if (is_indexed() || sink_) unfilter(bytes.first(count));
            at_ += count;
            bytes = bytes.subspan(count);
            if (at_ == pass.row_bytes + 1) end_row();
        }
    }

    [[noreturn]] void fail(std::string_view what) const
    {
        fail_input(fmt::format("image data (IDAT) {}, seen in scanline {} of pass {}", what, row_, pass_ + 1), where_,
                   "this is no sound PNG file", "get an undamaged copy of the file, or save it again");
    }

private:
    bool is_indexed() const { return header_.colour == PngColour::palette; }

    void begin_row(unsigned char filter)
    {
        if (filter > 4) fail(fmt::format("has the unknown filter {}", filter));
        filter_ = filter;
        std::swap(line_, line_above_);
        line_.clear();
        if (row_ == 0) line_above_.clear();
    }

    /// ISO/IEC 15948, section 9.2. Memory grows with what was inflated, not with the
    /// header's sizes.
    void unfilter(std::span<unsigned char const> bytes)
    {
        std::size_t const first = line_.size();
        line_.insert(line_.end(), bytes.begin(), bytes.end());
        if (row_ == 0) line_above_.resize(line_.size(), 0);
        unsigned char const* const above = line_above_.data();
        switch (filter_) {
        case 1:
            return add_predictions(first, [](int left, int, int) { return left; });
        case 2:
            for (std::size_t x = first; x < line_.size(); ++x)
                line_[x] = static_cast<unsigned char>(line_[x] + above[x]);
            return;
        case 3:
            return add_predictions(first, [](int left, int up, int) { return (left + up) / 2; });
        case 4:
            return add_predictions(first, predict_paeth);
        default:
            return;
        }
    }

    template <typename Predict>
    void add_predictions(std::size_t first, Predict const& predict)
    {
        if (pixel_bytes_ > 1) {
            for (std::size_t x = first; x < line_.size(); ++x) {
                bool const has_left = x >= pixel_bytes_;
                int const left = has_left ? line_[x - pixel_bytes_] : 0;
                int const corner = has_left ? line_above_[x - pixel_bytes_] : 0;
                line_[x] = static_cast<unsigned char>(line_[x] + predict(left, line_above_[x], corner));
            }
            return;
        }
        int left = first > 0 ? line_[first - 1] : 0;
        int corner = first > 0 ? line_above_[first - 1] : 0;
        for (std::size_t x = first; x < line_.size(); ++x) {
            int const above = line_above_[x];
            line_[x] = static_cast<unsigned char>(line_[x] + predict(left, above, corner));
            left = line_[x];
            corner = above;
        }
    }

    static int predict_paeth(int left, int above, int corner)
    {
        int const to_left = std::abs(above - corner);
        int const to_above = std::abs(left - corner);
        int const to_corner = std::abs(left + above - 2 * corner);
        if (to_left <= to_above && to_left <= to_corner) return left;
        return to_above <= to_corner ? above : corner;
    }

    void end_row()
    {
        Pass const& pass = passes_[pass_];
        if (is_indexed()) check_indices();
        if (sink_)
            sink_({static_cast<std::size_t>(pass.lattice.y + row_ * pass.lattice.step_y),
                   static_cast<std::size_t>(pass.lattice.x), static_cast<std::size_t>(pass.lattice.step_x),
                   static_cast<std::size_t>(pass.row_pixels), line_});
        at_ = 0;
        if (++row_ < pass.rows) return;
        row_ = 0;
        ++pass_;
    }

    void check_indices() const
    {
        unsigned const depth = header_.bit_depth;
        if (depth == 8) {
            unsigned char largest = 0;
            for (unsigned char const index : line_) largest = std::max(largest, index);
            if (largest < palette_entries_) return;
        }
        for (std::uint64_t x = 0; x < passes_[pass_].row_pixels; ++x) {
            unsigned const shift = 8 - depth - static_cast<unsigned>(x * depth % 8);
            unsigned const index = (line_[x * depth / 8] >> shift) & ((1u << depth) - 1);
            if (index >= palette_entries_)
                fail(fmt::format("uses colour {} of a palette of {}", index, palette_entries_));
        }
    }

    PngHeader header_;
    std::uint32_t palette_entries_;
    std::string const& where_;
    ScanlineSink const& sink_;
    std::vector<Pass> passes_;
    std::size_t pixel_bytes_; ///< to the byte that a filter takes for the left one
    std::size_t pass_ = 0;
    std::uint64_t row_ = 0;
    std::uint64_t at_ = 0; ///< bytes of this scanline taken, its filter byte included
    unsigned filter_ = 0;
    std::vector<unsigned char> line_;
    std::vector<unsigned char> line_above_;
};

struct InflateEnd {
    void operator()(z_stream* stream) const { inflateEnd(stream); }
};

} // namespace

void check_png_scanlines(PngSummary const& summary, std::string const& where, ScanlineSink const& sink)
{
    ScanlineChecker checker(summary, where, sink);
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) fail_system("zlib does not start", where);
    std::unique_ptr<z_stream, InflateEnd> const guard(&stream);
    std::array<unsigned char, 65536> buffer;
    int status = Z_OK;
    for (std::span<std::byte const> const chunk : summary.compressed) {
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(chunk.data())); // zlib only reads
        stream.avail_in = static_cast<uInt>(chunk.size());
        while (status != Z_STREAM_END) {
            stream.next_out = buffer.data();
            stream.avail_out = static_cast<uInt>(buffer.size());
            status = inflate(&stream, Z_NO_FLUSH);
            checker.take(std::span(buffer).first(buffer.size() - stream.avail_out));
            if (status == Z_BUF_ERROR) break; // wants the next chunk
            if (status != Z_OK && status != Z_STREAM_END)
                checker.fail(fmt::format("does not inflate: {}", stream.msg != nullptr ? stream.msg : "zlib failed"));
        }
        if (status == Z_BUF_ERROR) status = Z_OK;
    }
    if (status != Z_STREAM_END) checker.fail("ends before its zlib stream does");
    if (!checker.done()) checker.fail("holds fewer scanlines than IHDR announces");
}

} // namespace volpt
