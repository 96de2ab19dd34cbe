// Walks the chunks, then inflates the image data and checks every scanline.
#include "libvolpt/image/codecs/png_check.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <climits>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <string_view>
#include <zlib.h>

namespace volpt {
namespace {

constexpr std::array<unsigned char, 8> kSignature{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
constexpr std::size_t kChunkOverhead = 12; // length, type, CRC

struct Chunk {
    std::string type;
    std::size_t offset = 0; ///< of its length field
    std::span<std::byte const> data;
    std::string const* where = nullptr;

    [[noreturn]] void fail(std::string_view what) const
    {
        fail_input(fmt::format("chunk {} at offset {} {}", type, offset, what), *where, "this is no sound PNG file",
                   "get an undamaged copy of the file, or save it again");
    }
};

std::uint32_t read_u32(std::span<std::byte const> bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + i]);
    return value;
}

std::string_view as_text(std::span<std::byte const> bytes)
{
    return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

Chunk read_chunk(std::span<std::byte const> file, std::size_t at, std::string const& where)
{
    if (file.size() - at < kChunkOverhead)
        fail_input(fmt::format("the file ends at offset {}, before chunk IEND", file.size()), where,
                   "the file is cut short", "get an undamaged copy of the file");
    std::size_t const size_bytes = read_u32(file, at);
    Chunk chunk{.type = std::string(as_text(file.subspan(at + 4, 4))), .offset = at, .data = {}, .where = &where};
    if (!std::ranges::all_of(chunk.type, [](unsigned char c) { return std::isalpha(c) != 0; }))
        fail_input(fmt::format("no chunk begins at offset {}", at), where, "a chunk's type is four letters",
                   "get an undamaged copy of the file");
    if (size_bytes > file.size() - at - kChunkOverhead)
        chunk.fail(
            fmt::format("claims {} bytes, but the file has {} left", size_bytes, file.size() - at - kChunkOverhead));
    chunk.data = file.subspan(at + 8, size_bytes);
    auto const* covered = reinterpret_cast<Bytef const*>(file.data() + at + 4);
    if (crc32_z(0, covered, size_bytes + 4) != read_u32(file, at + 8 + size_bytes)) chunk.fail("has a wrong CRC");
    return chunk;
}

PngHeader parse_header(Chunk const& chunk)
{
    if (chunk.type != "IHDR" || chunk.data.size() != 13) chunk.fail("stands where a 13-byte IHDR belongs");
    auto const byte = [&](std::size_t at) { return std::to_integer<std::uint8_t>(chunk.data[at]); };
    PngHeader const header{.width = read_u32(chunk.data, 0),
                           .height = read_u32(chunk.data, 4),
                           .bit_depth = byte(8),
                           .colour = PngColour{byte(9)},
                           .interlaced = byte(12) == 1};
    constexpr std::uint32_t kLargestEdge = 0x7fffffff;
    if (header.width < 1 || header.height < 1 || header.width > kLargestEdge || header.height > kLargestEdge)
        chunk.fail(fmt::format("claims {} x {} pixels", header.width, header.height));
    unsigned const depth = header.bit_depth;
    bool const deep = depth == 8 || depth == 16;
    bool const shallow = depth == 1 || depth == 2 || depth == 4;
    bool known = false;
    switch (header.colour) {
    case PngColour::grey:
        known = shallow || deep;
        break;
    case PngColour::palette:
        known = shallow || depth == 8;
        break;
    case PngColour::rgb:
    case PngColour::grey_alpha:
    case PngColour::rgb_alpha:
        known = deep;
        break;
    }
    if (!known) chunk.fail(fmt::format("has colour type {} with {} bits, which PNG does not define", byte(9), depth));
    if (byte(10) != 0 || byte(11) != 0 || byte(12) > 1) chunk.fail("names an unknown compression, filter or interlace");
    return header;
}

std::string latin1_to_utf8(std::string_view text)
{
    std::string utf8;
    for (char const letter : text) {
        auto const code = static_cast<unsigned char>(letter);
        if (code < 0x80) {
            utf8 += letter;
        } else {
            utf8 += static_cast<char>(0xc0 | code >> 6);
            utf8 += static_cast<char>(0x80 | (code & 0x3f));
        }
    }
    return utf8;
}

/// Keyword, null, then Latin-1 text (tEXt), or flags, language, translated keyword and UTF-8 text (iTXt).
void read_text(Chunk const& chunk, PngSummary& summary)
{
    std::string_view const all = as_text(chunk.data);
    std::size_t const key_end = all.find('\0');
    if (key_end == std::string_view::npos) chunk.fail("has no null byte after its keyword");
    std::string key(all.substr(0, key_end));
    std::string_view rest = all.substr(key_end + 1);
    if (chunk.type == "tEXt") {
        summary.text.emplace_back(std::move(key), latin1_to_utf8(rest));
        return;
    }
    if (rest.size() < 2) chunk.fail("ends inside its flags");
    if (rest[0] != 0) return; // compressed text is left unread
    rest.remove_prefix(2);
    for (int field = 0; field < 2; ++field) {
        std::size_t const end = rest.find('\0');
        if (end == std::string_view::npos) chunk.fail("ends inside its language fields");
        rest.remove_prefix(end + 1);
    }
    summary.text.emplace_back(std::move(key), rest);
}

/// Order rules of section 5.6 as far as decoding depends on them; `previous` is the type of the chunk before.
void take_chunk(Chunk const& chunk, std::string_view previous, PngSummary& summary)
{
    if (chunk.type == "IDAT") {
        if (!summary.compressed.empty() && previous != "IDAT") chunk.fail("is separated from the other IDAT chunks");
        if (summary.header.colour == PngColour::palette && summary.palette_entries == 0)
            chunk.fail("comes before the palette PLTE");
        summary.compressed.push_back(chunk.data);
    } else if (chunk.type == "PLTE") {
        bool const colour = summary.header.colour != PngColour::grey && summary.header.colour != PngColour::grey_alpha;
        std::size_t const size_bytes = chunk.data.size();
        if (!colour || summary.palette_entries != 0 || !summary.compressed.empty() || size_bytes % 3 != 0 ||
            size_bytes < 3 || size_bytes > 768)
            chunk.fail("is misplaced or no list of 1 to 256 colours");
        summary.palette_entries = static_cast<std::uint32_t>(size_bytes / 3);
    } else if (chunk.type == "tEXt" || chunk.type == "iTXt") {
        read_text(chunk, summary);
    } else if (chunk.type == "iCCP") {
        summary.profile = read_iccp_chunk(chunk.data);
    } else if (chunk.type == "IHDR") {
        chunk.fail("occurs twice");
    } else if (std::isupper(static_cast<unsigned char>(chunk.type[0])) != 0) {
        chunk.fail("is unknown but marked as needed");
    }
}

struct Pass {
    std::uint64_t row_bytes = 0; ///< without the filter byte
    std::uint64_t rows = 0;
    std::uint64_t row_pixels = 0;
};

/// One pass, or the seven of Adam7 (ISO/IEC 15948, section 8.2) without the empty ones.
std::vector<Pass> list_passes(PngHeader const& header)
{
    struct Lattice {
        std::uint64_t x, y, step_x, step_y;
    };
    static constexpr std::array<Lattice, 7> kAdam7{
        {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}};
    static constexpr std::array<Lattice, 1> kPlain{{{0, 0, 1, 1}}};
    std::span<Lattice const> const lattices = header.interlaced ? std::span<Lattice const>(kAdam7) : kPlain;
    std::vector<Pass> passes;
    for (Lattice const& lattice : lattices) {
        if (header.width <= lattice.x || header.height <= lattice.y) continue;
        std::uint64_t const columns = (header.width - lattice.x + lattice.step_x - 1) / lattice.step_x;
        std::uint64_t const rows = (header.height - lattice.y + lattice.step_y - 1) / lattice.step_y;
        passes.push_back({(columns * header.samples_per_pixel() * header.bit_depth + 7) / 8, rows, columns});
    }
    return passes;
}

/// Checks scanlines in inflated bytes, which arrive in pieces; memory is bounded by two lines.
class ScanlineChecker {
public:
    ScanlineChecker(PngSummary const& summary, std::string const& where)
        : header_(summary.header), palette_entries_(summary.palette_entries), where_(where),
          passes_(list_passes(header_))
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
            if (is_indexed()) unfilter(bytes.first(count));
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
    }

    /// ISO/IEC 15948, section 9.2, for pixels of at most one byte. Memory grows with what was inflated, not with the
    /// header's sizes.
    void unfilter(std::span<unsigned char const> bytes)
    {
        for (unsigned char const byte : bytes) {
            std::size_t const x = line_.size();
            int const left = x > 0 ? line_[x - 1] : 0;
            int const above = row_ > 0 ? line_above_[x] : 0;
            int const corner = x > 0 && row_ > 0 ? line_above_[x - 1] : 0;
            int predicted = 0;
            if (filter_ == 1) predicted = left;
            if (filter_ == 2) predicted = above;
            if (filter_ == 3) predicted = (left + above) / 2;
            if (filter_ == 4) predicted = predict_paeth(left, above, corner);
            line_.push_back(static_cast<unsigned char>(byte + predicted));
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
        if (is_indexed()) check_indices();
        at_ = 0;
        if (++row_ < passes_[pass_].rows) return;
        row_ = 0;
        ++pass_;
    }

    void check_indices() const
    {
        unsigned const depth = header_.bit_depth;
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
    std::vector<Pass> passes_;
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

unsigned PngHeader::samples_per_pixel() const
{
    switch (colour) {
    case PngColour::rgb:
        return 3;
    case PngColour::grey_alpha:
        return 2;
    case PngColour::rgb_alpha:
        return 4;
    default:
        return 1;
    }
}

bool is_png(std::span<std::byte const> file)
{
    return file.size() >= kSignature.size() &&
           std::ranges::equal(file.first(kSignature.size()), kSignature,
                              [](std::byte a, unsigned char b) { return std::to_integer<unsigned char>(a) == b; });
}

PngSummary check_png_chunks(std::span<std::byte const> file, std::string const& where)
{
    if (!is_png(file))
        fail_input("does not begin with the PNG signature", where, "", "give the file its true extension");
    PngSummary summary;
    std::size_t at = kSignature.size();
    Chunk chunk = read_chunk(file, at, where);
    summary.header = parse_header(chunk);
    bool says_linear = false, says_srgb = false;
    while (chunk.type != "IEND") {
        std::string const previous = chunk.type;
        at += kChunkOverhead + chunk.data.size();
        chunk = read_chunk(file, at, where);
        if (chunk.type == "IEND") break;
        summary.states_transfer |= chunk.type == "gAMA" || chunk.type == "sRGB" || chunk.type == "iCCP";
        says_srgb |= chunk.type == "sRGB" || chunk.type == "iCCP";
        says_linear |= chunk.type == "gAMA" && chunk.data.size() == 4 && read_u32(chunk.data, 0) == 100000;
        take_chunk(chunk, previous, summary);
    }
    if (!chunk.data.empty()) chunk.fail("is not empty");
    if (summary.compressed.empty()) chunk.fail("comes before any IDAT");
    summary.is_linear = says_linear && !says_srgb;
    return summary;
}

void check_png_scanlines(PngSummary const& summary, std::string const& where)
{
    ScanlineChecker checker(summary, where);
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) fail_system("zlib does not start", where);
    std::unique_ptr<z_stream, InflateEnd> const guard(&stream);
    std::array<unsigned char, 32768> buffer;
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
