// Walks the chunks of a PNG file.
#include "libvolpt/image/codecs/png/png_check.h"

#include "libvolpt/image/icc/icc_profile.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <climits>
#include <fmt/format.h>
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
        summary.palette = chunk.data;
    } else if (chunk.type == "tRNS") {
        bool const has_palette = summary.header.colour == PngColour::palette;
        if (!summary.compressed.empty() || (has_palette && chunk.data.size() > summary.palette_entries))
            chunk.fail("is misplaced or longer than the palette");
        summary.transparency = chunk.data;
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

} // namespace volpt
