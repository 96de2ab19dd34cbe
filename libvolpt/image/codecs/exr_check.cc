// Walks the attributes of an OpenEXR header.
//
// Technical Introduction to OpenEXR and OpenEXR File Layout, version 2 files.
#include "libvolpt/image/codecs/exr_check.h"

#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace volpt {
namespace {

constexpr std::uint32_t kMagic = 20000630;
constexpr std::uint32_t kVersion = 2;
constexpr std::uint32_t kTiledFlag = 0x200, kLongNamesFlag = 0x400, kDeepFlag = 0x800, kMultiPartFlag = 0x1000;
/// Scanlines a chunk by compression: none, RLE, ZIPS, ZIP, PIZ, PXR24, B44, B44A, DWAA, DWAB.
constexpr std::array<std::uint64_t, 10> kLinesPerChunk{1, 1, 1, 16, 32, 16, 32, 32, 32, 256};
/// Deflate reaches 1032 on half floats, which double on decoding; files of a few flat chunks may do better.
constexpr SizeBound kExrBound{.floor_bytes = 64ull << 20, .ratio = 4096};

struct Window {
    std::int64_t x_min, y_min, x_max, y_max;
    std::uint64_t width() const { return x_max < x_min ? 0 : static_cast<std::uint64_t>(x_max - x_min + 1); }
    std::uint64_t height() const { return y_max < y_min ? 0 : static_cast<std::uint64_t>(y_max - y_min + 1); }
};

struct TileSize {
    std::uint64_t width, height;
};

struct Header {
    std::optional<Window> data, display;
    std::optional<TileSize> tile;
    std::optional<std::uint64_t> lines_per_chunk;
    std::uint64_t channels = 0;
    std::uint64_t chunk_count = 0; ///< as a part of several states it
    bool deep = false;
};

/// Of a header, whether its file has one part or several.
struct FileHeader {
    std::vector<Header> parts;
    bool several_parts = false;
    std::size_t size_bytes = 0;
};

class Walker {
public:
    Walker(std::span<std::byte const> file, std::string const& where) : file_(file), where_(where) {}

    std::size_t offset() const { return at_; }
    /// Failures are reported at this place from now on.
    void mark() { mark_ = at_; }

    [[noreturn]] void fail(std::string what, std::string why = "this is no sound OpenEXR file") const
    {
        fail_input(fmt::format("{}, at offset {}", what, mark_), where_, std::move(why),
                   "get an undamaged copy of the file");
    }

    std::span<std::byte const> take(std::size_t count, std::string_view what)
    {
        if (file_.size() - at_ < count)
            fail(fmt::format("{} needs {} bytes, but the file has {} left", what, count, file_.size() - at_));
        auto const bytes = file_.subspan(at_, count);
        at_ += count;
        return bytes;
    }

    std::uint32_t take_u32(std::string_view what)
    {
        std::uint32_t value = 0;
        std::memcpy(&value, take(sizeof value, what).data(), sizeof value);
        return value;
    }

    /// Null-terminated, at most 255 letters.
    std::string_view take_name(std::string_view what)
    {
        constexpr std::size_t kLongestName = 255;
        std::string_view const text(reinterpret_cast<char const*>(file_.data()) + at_,
                                    std::min(file_.size() - at_, kLongestName + 1));
        std::size_t const end = text.find('\0');
        if (end == std::string_view::npos) fail(fmt::format("{} without end", what));
        at_ += end + 1;
        return text.substr(0, end);
    }

private:
    std::span<std::byte const> file_;
    std::string const& where_;
    std::size_t at_ = 0;
    std::size_t mark_ = 0;
};

template <class Number>
Number number_at(std::span<std::byte const> value, std::size_t at)
{
    Number number{};
    std::memcpy(&number, value.data() + at, sizeof number);
    return number;
}

Window parse_window(Walker const& walker, std::span<std::byte const> value)
{
    if (value.size() != 16) walker.fail("window attribute of a wrong size");
    return {number_at<std::int32_t>(value, 0), number_at<std::int32_t>(value, 4), number_at<std::int32_t>(value, 8),
            number_at<std::int32_t>(value, 12)};
}

/// The library reads these types without looking at the attribute's size, so a wrong one would leave it astray.
struct FixedType {
    std::string_view name;
    std::size_t size_bytes;
};
// clang-format off
constexpr std::array<FixedType, 24> kFixedTypes{{
    {"box2f", 16}, {"box2i", 16}, {"chromaticities", 32}, {"compression", 1}, {"deepImageState", 1}, {"double", 8},
    {"envmap", 1}, {"float", 4}, {"int", 4}, {"keycode", 28}, {"lineOrder", 1}, {"m33d", 72}, {"m33f", 36},
    {"m44d", 128}, {"m44f", 64}, {"rational", 8}, {"tiledesc", 9}, {"timecode", 8}, {"v2d", 16}, {"v2f", 8},
    {"v2i", 8}, {"v3d", 24}, {"v3f", 12}, {"v3i", 12}}};
// clang-format on
/// Lengths of 32 bits, each followed by its text.
bool is_string_vector(std::span<std::byte const> value)
{
    while (value.size() >= 4) {
        std::size_t const length = number_at<std::uint32_t>(value, 0);
        if (length > value.size() - 4) return false;
        value = value.subspan(4 + length);
    }
    return value.empty();
}

/// Names, each followed by 16 bytes (type, linear, sampling); an empty name ends the list, and the attribute.
std::uint64_t count_channels(Walker const& walker, std::span<std::byte const> value)
{
    std::string_view text(reinterpret_cast<char const*>(value.data()), value.size());
    for (std::uint64_t count = 0;; ++count) {
        std::size_t const end = text.find('\0');
        if (end == std::string_view::npos) walker.fail("channel list without end");
        if (end == 0) {
            if (text.size() != 1) walker.fail("channel list shorter than its attribute");
            return count;
        }
        if (text.size() - end - 1 < 16) walker.fail("channel list cut short");
        text.remove_prefix(end + 1 + 16);
    }
}

void check_size_of_type(Walker const& walker, std::string_view type, std::span<std::byte const> value)
{
    bool fits = true;
    for (FixedType const& fixed : kFixedTypes)
        if (type == fixed.name) fits = value.size() == fixed.size_bytes;
    if (type == "floatvector") fits = value.size() % 4 == 0;
    if (type == "stringvector") fits = is_string_vector(value);
    if (type == "preview")
        fits = value.size() >= 8 &&
               value.size() - 8 == 4ull * number_at<std::uint32_t>(value, 0) * number_at<std::uint32_t>(value, 4);
    if (!fits) walker.fail(fmt::format("attribute of type {} with a wrong size of {} bytes", type, value.size()));
    if (type == "idmanifest")
        walker.fail("attribute of type idmanifest", "its compressed text is not checked here, so it is not read");
}

void take_attribute(Walker& walker, std::string_view name, std::string_view type, std::span<std::byte const> value,
                    Header& header)
{
    check_size_of_type(walker, type, value);
    if (type == "chlist") header.channels = count_channels(walker, value);
    if (name == "dataWindow") header.data = parse_window(walker, value);
    if (name == "displayWindow") header.display = parse_window(walker, value);
    if (name == "compression") {
        if (value.size() != 1 || std::to_integer<std::size_t>(value[0]) >= kLinesPerChunk.size())
            walker.fail("unknown compression");
        header.lines_per_chunk = kLinesPerChunk[std::to_integer<std::size_t>(value[0])];
    }
    if (name == "chunkCount" && type == "int") header.chunk_count = number_at<std::uint32_t>(value, 0);
    if (name == "type" && type == "string")
        header.deep = std::string_view(reinterpret_cast<char const*>(value.data()), value.size()).starts_with("deep");
    if (name == "tiles") {
        if (value.size() != 9) walker.fail("tile description of a wrong size");
        header.tile = {number_at<std::uint32_t>(value, 0), number_at<std::uint32_t>(value, 4)};
        if (header.tile->width < 1 || header.tile->height < 1) walker.fail("tiles without pixels");
    }
}

/// The attributes of one part, up to the empty name that ends them; nothing if there are none.
std::optional<Header> walk_part(Walker& walker)
{
    Header header;
    std::set<std::string_view> names;
    for (;;) {
        walker.mark();
        std::string_view const name = walker.take_name("attribute name");
        if (name.empty()) break;
        if (!names.insert(name).second) walker.fail(fmt::format("attribute {} for the second time", name));
        std::string_view const type = walker.take_name("attribute type");
        std::string const what = fmt::format("attribute {}", name);
        std::uint32_t const size_bytes = walker.take_u32(what);
        take_attribute(walker, name, type, walker.take(size_bytes, what), header);
    }
    if (names.empty()) return {};
    if (!header.data || !header.display || !header.lines_per_chunk || header.channels == 0)
        walker.fail("header without dataWindow, displayWindow, compression or channels");
    return header;
}

FileHeader walk_header(Walker& walker, std::string const& where)
{
    if (walker.take_u32("magic number") != kMagic) fail_input("has no OpenEXR magic number", where);
    std::uint32_t const version = walker.take_u32("version");
    if ((version & 0xff) != kVersion || (version & ~(0xffu | kTiledFlag | kLongNamesFlag | kDeepFlag | kMultiPartFlag)))
        walker.fail(fmt::format("unknown version field {:#x}", version));
    FileHeader file;
    file.several_parts = (version & kMultiPartFlag) != 0;
    while (std::optional<Header> const part = walk_part(walker)) {
        file.parts.push_back(*part);
        if (!file.several_parts) break;
    }
    if (file.parts.empty()) walker.fail("header without dataWindow, displayWindow, compression or channels");
    bool const deep = std::ranges::any_of(file.parts, &Header::deep) || (version & kDeepFlag) != 0;
    if (deep) fail_input("holds deep data", where, "only flat OpenEXR is read", "flatten it");
    if (!file.several_parts && ((version & kTiledFlag) != 0) != file.parts[0].tile.has_value())
        walker.fail("tile flag and tile description disagree");
    file.size_bytes = walker.offset();
    return file;
}

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b)
{
    return (a + b - 1) / b;
}

} // namespace

bool is_exr(std::span<std::byte const> file)
{
    return file.size() >= sizeof kMagic && number_at<std::uint32_t>(file, 0) == kMagic;
}

namespace {

/// Windows and chunks of a part against the bytes that follow the header.
void check_part(Header const& header, std::size_t file_bytes, std::size_t bytes_after, std::string const& where)
{
    Window const& data = *header.data;
    Window const& display = *header.display;
    check_decoded_size({data.width(), data.height(), header.channels}, file_bytes, kExrBound, where);
    if (data.x_min < display.x_min || data.y_min < display.y_min || data.x_max > display.x_max ||
        data.y_max > display.y_max)
        fail_input(fmt::format("dataWindow {},{} to {},{} leaves displayWindow {},{} to {},{}", data.x_min, data.y_min,
                               data.x_max, data.y_max, display.x_min, display.y_min, display.x_max, display.y_max),
                   where, "cropping would lose pixels", "crop the picture to its display window first");

    TileSize const chunk = header.tile.value_or(TileSize{data.width(), *header.lines_per_chunk});
    if (header.tile) check_decoded_size({chunk.width, chunk.height, header.channels}, file_bytes, kExrBound, where);
    std::uint64_t const chunks =
        std::max(divide_up(data.width(), chunk.width) * divide_up(data.height(), chunk.height), header.chunk_count);
    std::uint64_t const chunk_bytes = 8 + (header.tile ? 20 : 8) + 1; // its offset, its header, one byte
    if (chunks > bytes_after / chunk_bytes)
        fail_input(
            fmt::format("header announces {} chunks, for which the {} bytes after it are too few", chunks, bytes_after),
            where, "the file is cut short or its header is damaged", "get an undamaged copy of the file");
}

} // namespace

void check_exr_header(std::span<std::byte const> file, std::string const& where)
{
    Walker walker(file, where);
    FileHeader const header = walk_header(walker, where);
    Window const& first = *header.parts.front().display;
    std::uint64_t channels = 0;
    for (Header const& part : header.parts) {
        Window const& display = *part.display;
        if (display.width() != first.width() || display.height() != first.height())
            fail_input(fmt::format("has parts of {} x {} and of {} x {} pixels", first.width(), first.height(),
                                   display.width(), display.height()),
                       where, "the parts of a picture are layers of one size", "save the part wanted on its own");
        channels += part.channels;
    }
    check_decoded_size({first.width(), first.height(), channels}, file.size(), kExrBound, where);
    for (Header const& part : header.parts) check_part(part, file.size(), file.size() - header.size_bytes, where);
}

} // namespace volpt
