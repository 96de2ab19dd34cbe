// Walks the attributes, then has the library parse the header and compares its sizes with that of the file.
//
// Technical Introduction to OpenEXR and OpenEXR File Layout, version 2 files.
#if VOLPT_WITH_OPENEXR
#include "libvolpt/image/codecs/exr_check.h"

#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/sys/error.h"

#include <OpenEXR/ImfAttribute.h>
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfPartType.h>
#include <OpenEXR/ImfTileDescription.h>
#include <OpenEXR/ImfVersion.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <set>

namespace volpt {

bool ExrMemoryStream::read(char to[], int count)
{
    auto const wanted = static_cast<std::uint64_t>(count);
    if (count < 0 || at_ > file_.size() || wanted > file_.size() - at_)
        throw std::runtime_error(fmt::format("{} bytes are missing at offset {}", count, at_));
    std::memcpy(to, file_.data() + at_, wanted);
    at_ += wanted;
    return at_ < file_.size();
}

namespace {

constexpr char const* kUndamaged = "get an undamaged copy of the file";

/// Walks the attributes of a header: name, type, size, value. The library reads each value on its own and has to
/// consume exactly its size; else it would take values for sizes, and allocate memory for these before it reads.
/// Whatever else is wrong in a header the library finds itself.
class AttributeWalker {
public:
    AttributeWalker(std::span<std::byte const> file, std::string const& where) : file_(file), where_(where) {}

    void walk()
    {
        Imf::staticInitialize(); // the types of attributes
        if (take_int("magic number") != Imf::MAGIC) fail_input("has no OpenEXR magic number", where_);
        version_ = take_int("version");
        while (walk_part() && Imf::isMultiPart(version_)) continue;
    }

private:
    [[noreturn]] void fail(std::string_view what) const
    {
        fail_input(fmt::format("{}, at offset {}", what, attribute_), where_, "this is no sound OpenEXR file",
                   kUndamaged);
    }

    std::span<std::byte const> take(std::size_t count, std::string_view what)
    {
        if (file_.size() - at_ < count)
            fail(fmt::format("{} needs {} bytes, but the file has {} left", what, count, file_.size() - at_));
        at_ += count;
        return file_.subspan(at_ - count, count);
    }

    int take_int(std::string_view what)
    {
        int value = 0;
        std::memcpy(&value, take(sizeof value, what).data(), sizeof value);
        return value;
    }

    /// At most 255 characters and a null byte.
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

    /// Up to the empty name that ends a part; false for a part without attributes, which ends a list of parts.
    bool walk_part()
    {
        std::set<std::string_view> names;
        for (;;) {
            attribute_ = at_;
            std::string_view const name = take_name("attribute name");
            if (name.empty()) break;
            if (!names.insert(name).second) fail(fmt::format("attribute {} for the second time", name));
            std::string const type(take_name("attribute type"));
            std::string const what = fmt::format("attribute {}", name);
            auto const size_bytes = static_cast<std::uint32_t>(take_int(what));
            check_size(type, take(size_bytes, what));
        }
        // The library would take 64 x 64 pixels for a missing window.
        for (std::string_view const required : {"channels", "compression", "dataWindow", "displayWindow"})
            if (!names.empty() && !names.contains(required)) fail(fmt::format("no attribute {} before", required));
        return !names.empty();
    }

    void check_size(std::string const& type, std::span<std::byte const> value) const
    {
        if (!Imf::Attribute::knownType(type.c_str())) return; // the library skips it by its size
        ExrMemoryStream stream(value, "an attribute");
        try {
            std::unique_ptr<Imf::Attribute> const attribute(Imf::Attribute::newAttribute(type.c_str()));
            attribute->readValueFrom(stream, static_cast<int>(value.size()), version_);
            if (stream.tellg() == value.size()) return;
        } catch (std::exception const&) {
        }
        fail(fmt::format("attribute of type {} with a wrong size of {} bytes", type, value.size()));
    }

    std::span<std::byte const> file_;
    std::string const& where_;
    int version_ = 0;
    std::size_t at_ = 0;
    std::size_t attribute_ = 0; ///< offset of the current one
};

/// Deflate reaches 1032 on half floats, which double on decoding; a few flat chunks may compress better.
constexpr SizeBound kExrBound{.floor_bytes = 64ull << 20, .ratio = 4096};

std::uint64_t width_of(Imath::Box2i const& window)
{
    return static_cast<std::uint64_t>(std::int64_t{window.max.x} - window.min.x + 1);
}

std::uint64_t height_of(Imath::Box2i const& window)
{
    return static_cast<std::uint64_t>(std::int64_t{window.max.y} - window.min.y + 1);
}

/// Scanlines that the library decompresses at a time.
std::uint64_t lines_per_chunk(Imf::Compression compression)
{
    switch (compression) {
    case Imf::NO_COMPRESSION:
    case Imf::RLE_COMPRESSION:
    case Imf::ZIPS_COMPRESSION:
        return 1;
    case Imf::ZIP_COMPRESSION:
    case Imf::PXR24_COMPRESSION:
        return 16;
    case Imf::DWAB_COMPRESSION:
        return 256;
    default:
        return 32;
    }
}

/// Refuses what the library would read, but this codec does not: deep data; and pictures, tiles and chunks that are too
/// large for the file.
void check_part(Imf::Header const& header, std::uint64_t channels, std::size_t file_bytes, PictureMemory const& memory,
                std::string const& where)
{
    if (header.hasType() && header.type() != Imf::SCANLINEIMAGE && header.type() != Imf::TILEDIMAGE)
        fail_input(fmt::format("holds data of type {}", header.type()), where, "only flat OpenEXR is read",
                   "flatten it");
    Imath::Box2i const data = header.dataWindow();
    check_decoded_size({width_of(data), height_of(data), channels}, file_bytes, kExrBound, memory, where);
    if (header.hasTileDescription()) {
        Imf::TileDescription const& tile = header.tileDescription();
        check_decoded_size({tile.xSize, tile.ySize, channels}, file_bytes, kExrBound, memory, where);
    }
    check_decoded_size({width_of(data), lines_per_chunk(header.compression()), channels}, file_bytes, kExrBound, memory,
                       where);
}

} // namespace

void check_exr_header(std::span<std::byte const> file, std::string const& where, PictureMemory const& memory)
{
    AttributeWalker(file, where).walk();
    ExrMemoryStream stream(file, where.c_str());
    stream.seekg(4);
    int version = 0;
    stream.read(reinterpret_cast<char*>(&version), sizeof version);
    std::vector<Imf::Header> parts;
    std::uint64_t all_channels = 0;
    for (bool more = true; more; more = Imf::isMultiPart(version)) {
        Imf::Header header;
        header.readFrom(stream, version);
        if (header.readsNothing()) break;
        parts.push_back(header);
        parts.back().sanityCheck(header.hasTileDescription(), Imf::isMultiPart(version));
    }
    if (parts.empty()) fail_input("has no header", where, "this is no sound OpenEXR file", kUndamaged);
    Imath::Box2i const first = parts.front().displayWindow();
    for (Imf::Header const& part : parts) {
        Imath::Box2i const display = part.displayWindow();
        if (width_of(display) != width_of(first) || height_of(display) != height_of(first))
            fail_input(fmt::format("has parts of {} x {} and of {} x {} pixels", width_of(first), height_of(first),
                                   width_of(display), height_of(display)),
                       where, "the parts of a picture are layers of one size", "save the part wanted on its own");
        std::uint64_t channels = 0;
        for (auto channel = part.channels().begin(); channel != part.channels().end(); ++channel) ++channels;
        check_part(part, channels, file.size(), memory, where);
        all_channels += channels;
    }
    check_decoded_size({width_of(first), height_of(first), all_channels}, file.size(), kExrBound, memory, where);
}

} // namespace volpt
#endif
