// Radiance .hdr: header and run lengths are checked here before stb_image decodes the file. Header variables (EXPOSURE)
// are kept, not applied.
//
// G. Ward, Real Pixels, Graphics Gems II, 1991; the RADIANCE reference manual's "Picture File Format".
#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/sys/error.h"

#include <charconv>
#include <climits>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>

namespace volpt {
namespace {

constexpr std::string_view kSignatures[] = {"#?RADIANCE\n", "#?RGBE\n"};
/// Lines of other widths have no run lengths.
constexpr std::uint64_t kRunWidthMin = 8;
constexpr std::uint64_t kRunWidthMax = 32767;

class Walker {
public:
    Walker(std::span<std::byte const> file, std::string const& where) : file_(file), where_(where) {}

    std::size_t offset() const { return at_; }
    std::size_t left() const { return file_.size() - at_; }
    std::uint8_t peek(std::size_t ahead) const { return std::to_integer<std::uint8_t>(file_[at_ + ahead]); }
    void skip(std::size_t count) { at_ += count; }

    [[noreturn]] void fail(std::string what, std::string what_to_do = "get an undamaged copy of the file") const
    {
        fail_input(fmt::format("{} at offset {}", what, at_), where_, "this is no sound Radiance picture",
                   std::move(what_to_do));
    }

    std::string_view read_line()
    {
        constexpr std::size_t kLongestLine = 1000; // stb_image reads no more
        std::string_view const text(reinterpret_cast<char const*>(file_.data()) + at_, std::min(left(), kLongestLine));
        std::size_t const end = text.find('\n');
        if (end == std::string_view::npos) fail("header line without end");
        // stb_image would take a null byte for the end of the line.
        if (text.substr(0, end).find('\0') != std::string_view::npos) fail("null byte in the header line");
        at_ += end + 1;
        return text.substr(0, end);
    }

private:
    std::span<std::byte const> file_;
    std::string const& where_;
    std::size_t at_ = 0;
};

struct HdrSummary {
    std::uint64_t width = 0;
    std::uint64_t height = 0;
    std::vector<std::pair<std::string, std::string>> variables; ///< "EXPOSURE", "1.0", ..., without FORMAT
};

void read_variables(Walker& walker, HdrSummary& summary)
{
    bool format_known = false;
    for (std::string_view line = walker.read_line(); !line.empty(); line = walker.read_line()) {
        std::size_t const equals = line.find('=');
        if (line.front() == '#' || equals == std::string_view::npos) continue;
        std::string_view const value = line.substr(equals + 1);
        if (line.substr(0, equals) != "FORMAT") {
            summary.variables.emplace_back(line.substr(0, equals), value);
        } else if (value == "32-bit_rle_rgbe") {
            format_known = true;
        } else {
            walker.fail(fmt::format("unknown pixel format {} before the line", value), "convert it to 32-bit_rle_rgbe");
        }
    }
    if (!format_known) walker.fail("no line FORMAT=32-bit_rle_rgbe in the header that ends");
}

/// "-Y 150 +X 300".
void read_resolution(Walker& walker, HdrSummary& summary)
{
    std::string_view line = walker.read_line();
    auto const read_edge = [&](std::string_view prefix, std::uint64_t& edge) {
        char const* const end = line.data() + line.size();
        if (!line.starts_with(prefix))
            walker.fail(fmt::format("resolution line is not '-Y height +X width' but '{}' before the data", line),
                        "turn the picture upright with a converter");
        auto const [stop, error] = std::from_chars(line.data() + prefix.size(), end, edge);
        if (error != std::errc{}) walker.fail("resolution line without a number before the data");
        line.remove_prefix(static_cast<std::size_t>(stop - line.data()));
    };
    read_edge("-Y ", summary.height);
    read_edge(" +X ", summary.width);
    if (!line.empty()) walker.fail("resolution line with more than two sizes before the data");
}

/// One of the four components of a line: runs (128 + n, value) and literals (n, n values), no count 0.
void walk_component(Walker& walker, std::uint64_t width)
{
    for (std::uint64_t x = 0; x < width;) {
        if (walker.left() < 2) walker.fail("file ends inside a scanline");
        bool const is_run = walker.peek(0) > 128;
        std::uint64_t const count = is_run ? walker.peek(0) - 128u : walker.peek(0);
        if (count == 0 || count > width - x)
            walker.fail(fmt::format("run of {} pixels where {} are left", count, width - x));
        std::size_t const size_bytes = is_run ? 2 : 1 + static_cast<std::size_t>(count);
        if (walker.left() < size_bytes) walker.fail("file ends inside a scanline");
        walker.skip(size_bytes);
        x += count;
    }
}

bool begins_run_length_line(Walker const& walker, std::uint64_t width)
{
    return walker.left() >= 4 && walker.peek(0) == 2 && walker.peek(1) == 2 &&
           (walker.peek(2) * 256u + walker.peek(3)) == width;
}

bool is_hdr(std::span<std::byte const> file)
{
    std::string_view const text(reinterpret_cast<char const*>(file.data()), std::min<std::size_t>(file.size(), 16));
    return text.starts_with(kSignatures[0]) || text.starts_with(kSignatures[1]);
}

/// Walks the file once without allocating pixels. Error (input) names the offset of the first fault: a format other
/// than 32-bit_rle_rgbe, an orientation other than -Y +X, a run past the end of its line, a file that is too short or
/// too long. stb_image 2.27 never ends on a run of length 0, which it also sees at the end of a file.
HdrSummary check_hdr(std::span<std::byte const> file, std::string const& where, PictureMemory const& memory)
{
    Walker walker(file, where);
    if (!is_hdr(file)) walker.fail("no signature #?RADIANCE or #?RGBE");
    HdrSummary summary;
    walker.read_line();
    read_variables(walker, summary);
    read_resolution(walker, summary);
    // A line of runs takes at least 8 bytes per 127 pixels, its decoded floats 12 bytes per pixel.
    constexpr SizeBound kHdrBound{.floor_bytes = 0, .ratio = 12 * 127 / 8 + 1};
    check_decoded_size({summary.width, summary.height, 3}, file.size(), kHdrBound, memory, where);
    // stb_image gives the pixels in a buffer of its own; sizes are bounded now, so that the product is.
    check_picture_memory({summary.width, summary.height, 3, summary.width * summary.height * 3 * sizeof(float)},
                         file.size(), memory, where);

    bool const has_runs =
        summary.width >= kRunWidthMin && summary.width <= kRunWidthMax && begins_run_length_line(walker, summary.width);
    if (has_runs) {
        for (std::uint64_t row = 0; row < summary.height; ++row) {
            if (!begins_run_length_line(walker, summary.width))
                walker.fail(fmt::format("scanline {} of {} does not begin with its length", row, summary.height));
            walker.skip(4);
            for (int component = 0; component < 4; ++component) walk_component(walker, summary.width);
        }
    } else {
        std::uint64_t const expected = summary.width * summary.height * 4;
        if (walker.left() < expected)
            walker.fail(fmt::format("{} bytes of pixels, where {} are needed,", walker.left(), expected));
        walker.skip(expected);
    }
    if (walker.left() != 0) walker.fail(fmt::format("{} bytes after the last scanline", walker.left()));
    return summary;
}

StoredImage decode_hdr(std::span<std::byte const> file, std::string const& where, PictureMemory const& memory,
                       SampleForm)
{
    HdrSummary summary = check_hdr(file, where, memory);
    if (file.size() > INT_MAX) fail_input("more than 2 GiB of Radiance picture", where, "", "convert it to .exr");
    int width = 0, height = 0, components = 0;
    std::unique_ptr<float, decltype(&stbi_image_free)> const pixels(
        stbi_loadf_from_memory(reinterpret_cast<stbi_uc const*>(file.data()), static_cast<int>(file.size()), &width,
                               &height, &components, 3),
        stbi_image_free);
    if (!pixels) fail_input(fmt::format("decoder says: {}", stbi_failure_reason()), where);

    Image image = make_image(width, height, Transfer::linear, colour_channel_names(3));
    image.metadata = std::move(summary.variables);
    for (std::size_t i = 0; i < image.pixel_count() * 3; ++i) image.channels[i % 3].values[i / 3] = pixels.get()[i];
    return image;
}

/// RGBE has no sign and ends at 2^127.
void require_representable(Channel const& channel, std::size_t width)
{
    for (std::size_t i = 0; i < channel.values.size(); ++i)
        if (!(channel.values[i] >= 0 && channel.values[i] < 0x1p127f))
            fail_usage(fmt::format("Radiance pictures cannot hold the value {} of channel {} at pixel {},{}",
                                   channel.values[i], channel.name, i % width, i / width),
                       "write .exr or .pfm");
}

void append_hdr(void* to, void* data, int size_bytes)
{
    auto const* bytes = static_cast<std::byte const*>(data);
    auto& file = *static_cast<std::vector<std::byte>*>(to);
    file.insert(file.end(), bytes, bytes + size_bytes);
}

std::vector<std::byte> encode_hdr(Image const& image, int)
{
    require_linear(image, "Radiance .hdr");
    std::vector<Channel const*> channels = pick_colour_channels(image, "Radiance .hdr");
    if (channels.size() == 2 || channels.size() == 4) fail_usage("Radiance .hdr has no alpha channel", "write .exr");
    if (channels.size() == 1) channels.resize(3, channels.front());
    for (Channel const* channel : channels) require_representable(*channel, static_cast<std::size_t>(image.width));
    std::vector<float> pixels(image.pixel_count() * 3);
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = channels[i % 3]->values[i / 3];
    std::vector<std::byte> file;
    if (stbi_write_hdr_to_func(append_hdr, &file, image.width, image.height, 3, pixels.data()) == 0)
        fail_system("the Radiance encoder failed", "stb_image_write");
    return file;
}

} // namespace

extern constinit Codec const hdr_codec{"hdr", ".hdr", is_hdr, decode_hdr, encode_hdr};

} // namespace volpt
