// OpenEXR: exr_check.h checks the header of a file before the library decodes it.
#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/image/codecs/exr_check.h"
#include "libvolpt/image/displayed.h"
#include "libvolpt/sys/checksum.h"
#include "libvolpt/sys/error.h"

#if VOLPT_WITH_OPENEXR
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFloatAttribute.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfInputPart.h>
#include <OpenEXR/ImfIntAttribute.h>
#include <OpenEXR/ImfMatrixAttribute.h>
#include <OpenEXR/ImfMultiPartInputFile.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfStringAttribute.h>
#include <OpenEXR/ImfThreading.h>

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <new>
#include <system_error>
#endif

#include <array>
#include <bit>
#include <cstring>

namespace volpt {
namespace {

bool is_exr(std::span<std::byte const> file)
{
    constexpr std::array<unsigned char, 4> kMagic{0x76, 0x2f, 0x31, 0x01};
    return file.size() >= kMagic.size() && std::memcmp(file.data(), kMagic.data(), kMagic.size()) == 0;
}

#if VOLPT_WITH_OPENEXR

/// R, G, B, Y, A first, the rest in the alphabetical order of the file.
std::vector<std::string> order_channels(Imf::ChannelList const& list, std::string const& where)
{
    std::vector<std::string> names;
    for (char const* name : {"R", "G", "B", "Y", "A"})
        if (list.findChannel(name) != nullptr) names.emplace_back(name);
    for (auto channel = list.begin(); channel != list.end(); ++channel) {
        if (channel.channel().xSampling != 1 || channel.channel().ySampling != 1)
            fail_input(fmt::format("channel {} is subsampled", channel.name()), where,
                       "metrics need one value per pixel", "convert luminance-chroma pictures to RGB");
        if (std::ranges::find(names, channel.name()) == names.end()) names.emplace_back(channel.name());
    }
    return names;
}

/// Attributes of the file format, not of the picture.
constexpr std::array<std::string_view, 8> kOfFormat{
    "type", "name", "view", "pixelAspectRatio", "chunkCount", "version", "screenWindowWidth", "maxSamplesPerPixel"};

/// Standard attributes that are matrices of 4 x 4 floats; as texts "a,b,..", row by row.
constexpr std::array<std::string_view, 2> kMatrices{"worldToCamera", "worldToNDC"};

std::string spell_matrix(Imath::M44f const& matrix)
{
    return fmt::format("{}", fmt::join(&matrix.x[0][0], &matrix.x[0][0] + 16, ","));
}

Imath::M44f parse_matrix(std::string const& key, std::string const& text)
{
    Imath::M44f matrix;
    char const *at = text.data(), *const end = text.data() + text.size();
    for (int i = 0; i < 16; ++i) {
        auto const read = std::from_chars(at, end, matrix.x[i / 4][i % 4]);
        bool const is_last = i == 15, goes_on = read.ptr != end && *read.ptr == ',';
        if (read.ec != std::errc() || (is_last ? read.ptr != end : !goes_on))
            fail_usage(fmt::format("the OpenEXR attribute {} is a matrix, which '{}' is not", key, text),
                       "give 16 numbers with commas between them, row by row");
        at = read.ptr + 1;
    }
    return matrix;
}

/// Texts, and numbers and matrices as texts.
std::vector<std::pair<std::string, std::string>> collect_metadata(Imf::Header const& header)
{
    std::vector<std::pair<std::string, std::string>> metadata;
    for (auto attribute = header.begin(); attribute != header.end(); ++attribute) {
        std::string const name = attribute.name();
        if (std::ranges::find(kOfFormat, name) != kOfFormat.end()) continue;
        if (auto const* text = dynamic_cast<Imf::StringAttribute const*>(&attribute.attribute()))
            metadata.emplace_back(name, text->value());
        else if (auto const* integer = dynamic_cast<Imf::IntAttribute const*>(&attribute.attribute()))
            metadata.emplace_back(name, fmt::format("{}", integer->value()));
        else if (auto const* number = dynamic_cast<Imf::FloatAttribute const*>(&attribute.attribute()))
            metadata.emplace_back(name, fmt::format("{}", number->value()));
        else if (auto const* matrix = dynamic_cast<Imf::M44fAttribute const*>(&attribute.attribute()))
            metadata.emplace_back(name, spell_matrix(matrix->value()));
    }
    return metadata;
}

/// What a channel of this part is called in the image.
std::string name_channel(Imf::Header const& header, int part, std::string const& channel)
{
    if (part == 0 || !header.hasName() || channel.starts_with(header.name() + ".")) return channel;
    return header.name() + "." + channel;
}

/// The windows of a part, in pixels; what lies in both is read into the image.
struct ExrWindows {
    Imath::Box2i data, display;

    bool has_overscan() const
    {
        return data.min.x < display.min.x || data.min.y < display.min.y || data.max.x > display.max.x ||
               data.max.y > display.max.y;
    }
    std::size_t data_width() const { return static_cast<std::size_t>(std::int64_t{data.max.x} - data.min.x + 1); }
    std::size_t data_pixels() const
    {
        return data_width() * static_cast<std::size_t>(std::int64_t{data.max.y} - data.min.y + 1);
    }
    bool is_displayed(std::int64_t x, std::int64_t y) const
    {
        return x >= display.min.x && x <= display.max.x && y >= display.min.y && y <= display.max.y;
    }
    /// Calls visit(i, x, y) for each pixel of the data window, i counting row by row.
    template <class Visit>
    void visit_data(Visit const& visit) const
    {
        std::size_t i = 0;
        for (std::int64_t y = data.min.y; y <= data.max.y; ++y)
            for (std::int64_t x = data.min.x; x <= data.max.x; ++x, ++i) visit(i, x, y);
    }
};

/// The channels of a part over its data window.
std::vector<std::vector<float>> read_data_window(Imf::InputPart& input, ExrWindows const& windows,
                                                 std::vector<std::string> const& names)
{
    std::vector<std::vector<float>> planes(names.size(), std::vector<float>(windows.data_pixels()));
    Imf::FrameBuffer frame;
    for (std::size_t i = 0; i < names.size(); ++i)
        frame.insert(names[i], Imf::Slice::Make(Imf::FLOAT, planes[i].data(), windows.data, sizeof(float),
                                                windows.data_width() * sizeof(float)));
    input.setFrameBuffer(frame);
    input.readPixels(windows.data.min.y, windows.data.max.y);
    return planes;
}

/// The same over the display window, 0 outside of the data window.
std::vector<float> take_displayed(std::vector<float> const& data, ExrWindows const& windows, Image const& image)
{
    std::vector<float> plane(image.pixel_count());
    windows.visit_data([&](std::size_t i, std::int64_t x, std::int64_t y) {
        if (windows.is_displayed(x, y))
            plane[static_cast<std::size_t>(y - windows.display.min.y) * static_cast<std::size_t>(image.width) +
                  static_cast<std::size_t>(x - windows.display.min.x)] = data[i];
    });
    return plane;
}

/// Adds the values that are not 0 and not displayed, with their places.
void hash_overscan(std::string const& name, std::vector<float> const& data, ExrWindows const& windows,
                   StreamHasher& hasher)
{
    hasher.add(std::as_bytes(std::span(name)));
    windows.visit_data([&](std::size_t i, std::int64_t x, std::int64_t y) {
        if (windows.is_displayed(x, y) || std::bit_cast<std::uint32_t>(data[i]) == 0) return;
        std::array<std::int64_t, 2> const place{x - windows.display.min.x, y - windows.display.min.y};
        hasher.add(std::as_bytes(std::span(place)));
        hasher.add(std::as_bytes(std::span(&data[i], 1)));
    });
}

bool holds_overscan(std::vector<float> const& data, ExrWindows const& windows)
{
    bool found = false;
    windows.visit_data([&](std::size_t i, std::int64_t x, std::int64_t y) {
        found = found || (std::bit_cast<std::uint32_t>(data[i]) != 0 && !windows.is_displayed(x, y));
    });
    return found;
}

std::string describe_window(Imath::Box2i const& window)
{
    return fmt::format("{},{} to {},{}", window.min.x, window.min.y, window.max.x, window.max.y);
}

/// The pixels outside of the display windows of all parts.
class Overscan {
public:
    void note(ExrWindows const& windows, std::string const& where, Image& image)
    {
        if (!windows.has_overscan() || is_noted_) return;
        is_noted_ = true;
        std::size_t left_out = 0;
        windows.visit_data(
            [&](std::size_t, std::int64_t x, std::int64_t y) { left_out += !windows.is_displayed(x, y); });
        image.notices.push_back(fmt::format("{} has {} pixels outside of its display window, {}: they are left out "
                                            "(dataWindow {}, displayWindow {})",
                                            where, left_out,
                                            left_out == windows.data_pixels() ? "all that it has" : "as overscan",
                                            describe_window(windows.data), describe_window(windows.display)));
    }
    void add(std::string const& name, std::vector<float> const& data, ExrWindows const& windows)
    {
        if (!windows.has_overscan() || !holds_overscan(data, windows)) return;
        hash_overscan(name, data, windows, hasher_);
        is_filled_ = true;
    }
    void finish(Image& image)
    {
        if (is_filled_) image.metadata.emplace_back(kOverscanAttribute, to_hex(hasher_.digest()));
    }

private:
    StreamHasher hasher_;
    bool is_noted_ = false, is_filled_ = false;
};

void read_part(Imf::MultiPartInputFile& file, int part, std::string const& where, Image& image, Overscan& overscan)
{
    Imf::InputPart input(file, part);
    Imf::Header const& header = input.header();
    ExrWindows const windows{header.dataWindow(), header.displayWindow()};
    std::vector<std::string> const names = order_channels(header.channels(), where);
    std::vector<std::vector<float>> planes = read_data_window(input, windows, names);
    bool const is_whole = windows.data == windows.display;
    overscan.note(windows, where, image);
    for (std::size_t i = 0; i < names.size(); ++i) {
        std::string name = name_channel(header, part, names[i]);
        if (image.find(name) != nullptr)
            fail_input(fmt::format("has channel {} in two parts", name), where, "each channel needs its own name",
                       "rename a part");
        overscan.add(name, planes[i], windows);
        image.channels.push_back(
            {std::move(name), is_whole ? std::move(planes[i]) : take_displayed(planes[i], windows, image)});
        planes[i] = {};
    }
}

/// Scanline or tiled parts (level 0), channels of any type as float. Channels of the second part and later ones are
/// named part.channel, unless their names begin so already. The image has the size of the display window; its pixels
/// outside the data window are 0. Pixels outside the display window are left out with a notice; kOverscanAttribute
/// tells them apart. Attributes that are texts, numbers or matrices become metadata.
Image decode_parts(std::span<std::byte const> file, std::string const& where, PictureMemory const& memory)
{
    check_exr_header(file, where, memory);
    ExrMemoryStream stream(file, where.c_str());
    Imf::MultiPartInputFile input(stream, Imf::globalThreadCount(), false);
    Imath::Box2i const display = input.header(0).displayWindow();
    Image image =
        make_image(display.max.x - display.min.x + 1, display.max.y - display.min.y + 1, Transfer::linear, {});
    image.metadata = collect_metadata(input.header(0));
    Overscan overscan;
    for (int part = 0; part < input.parts(); ++part) read_part(input, part, where, image, overscan);
    overscan.finish(image);
    return image;
}

StoredImage decode_exr(std::span<std::byte const> file, std::string const& where, PictureMemory const& memory,
                       SampleForm)
{
    try {
        return decode_parts(file, where, memory);
    } catch (Error const&) {
        throw;
    } catch (std::bad_alloc const&) {
        throw;
    } catch (std::exception const& error) {
        std::string what = error.what();
        std::ranges::replace(what, '\n', ' ');
        fail_input(fmt::format("OpenEXR says: {}", what), where, "", "get an undamaged copy of the file");
    }
}

class MemoryOStream : public Imf::OStream {
public:
    explicit MemoryOStream(std::vector<std::byte>& to) : OStream("memory"), to_(to) {}

    void write(char const from[], int count) override
    {
        std::size_t const end = at_ + static_cast<std::size_t>(count);
        if (to_.size() < end) to_.resize(end);
        std::memcpy(to_.data() + at_, from, static_cast<std::size_t>(count));
        at_ = end;
    }
    std::uint64_t tellp() override { return at_; }
    void seekp(std::uint64_t position) override { at_ = position; }

private:
    std::vector<std::byte>& to_;
    std::size_t at_ = 0;
};

void insert_metadata(Imf::Header& header, Image const& image)
{
    constexpr std::size_t kLongestName = 255;
    for (auto const& [key, value] : image.metadata) {
        bool const reserved = header.find(key) != header.end() || key == "type" || key == "name" || key == "view" ||
                              key == "tiles" || key == "preview" || key == "chunkCount" || key == "version";
        if (key.empty() || key.size() > kLongestName || reserved)
            fail_usage(fmt::format("'{}' cannot name an OpenEXR text attribute", key),
                       "use another name of 1 to 255 bytes, once");
        if (std::ranges::find(kMatrices, key) != kMatrices.end())
            header.insert(key, Imf::M44fAttribute(parse_matrix(key, value)));
        else
            header.insert(key, Imf::StringAttribute(value));
    }
}

void check_channel_names(Image const& image)
{
    for (Channel const& channel : image.channels)
        if (channel.name.empty() || channel.name.size() > 255)
            fail_usage(fmt::format("'{}' cannot name an OpenEXR channel", channel.name));
}

/// OpenEXR's pool of threads, for as long as a file is encoded: none are left that a later fork would lose.
class PoolOfThreads {
public:
    explicit PoolOfThreads(int threads) : before_(Imf::globalThreadCount())
    {
        if (threads > 1) Imf::setGlobalThreadCount(threads);
    }
    ~PoolOfThreads() { Imf::setGlobalThreadCount(before_); }
    PoolOfThreads(PoolOfThreads const&) = delete;
    PoolOfThreads& operator=(PoolOfThreads const&) = delete;

private:
    int before_;
};

/// Of zlib. A quarter less time than level 4, which is OpenEXR's own choice, for 1 Mpx of noisy floats; files grow by
/// 0.2 % or less.
constexpr int kZipLevel = 1;

/// Scanlines, every channel as 32-bit float, ZIP; metadata as string attributes, kMatrices as matrices. Error (usage)
/// for metadata under a name that the format reserves.
std::vector<std::byte> encode_exr(Image const& image, int threads)
{
    require_linear(image, "OpenEXR");
    check_channel_names(image);
    Imf::Header header(image.width, image.height);
    header.compression() = Imf::ZIP_COMPRESSION;
    header.zipCompressionLevel() = kZipLevel;
    insert_metadata(header, image);
    Imf::FrameBuffer frame;
    std::size_t const row_bytes = static_cast<std::size_t>(image.width) * sizeof(float);
    for (Channel const& channel : image.channels) {
        header.channels().insert(channel.name, Imf::Channel(Imf::FLOAT));
        auto* const values = const_cast<float*>(channel.values.data()); // OpenEXR only reads
        frame.insert(channel.name, Imf::Slice::Make(Imf::FLOAT, values, header.dataWindow(), sizeof(float), row_bytes));
    }
    std::vector<std::byte> file;
    file.reserve(image.pixel_count() * image.channels.size() * sizeof(float));
    MemoryOStream stream(file);
    {
        PoolOfThreads const pool(threads);
        Imf::OutputFile output(stream, header, threads > 1 ? threads : 0);
        output.setFrameBuffer(frame);
        output.writePixels(image.height);
    }
    return file;
}

#else

StoredImage decode_exr(std::span<std::byte const>, std::string const& where, PictureMemory const&, SampleForm)
{
    fail_input("this build reads no OpenEXR", where, "", "configure with -DVOLPT_WITH_OPENEXR=ON, or convert to .pfm");
}

std::vector<std::byte> encode_exr(Image const&, int)
{
    fail_usage("this build writes no OpenEXR", "configure with -DVOLPT_WITH_OPENEXR=ON, or write .pfm or .hdr");
}

#endif
} // namespace

extern constinit Codec const exr_codec{"exr", ".exr", is_exr, decode_exr, encode_exr};

} // namespace volpt
