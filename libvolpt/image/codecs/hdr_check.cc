// Walks header and run lengths of a Radiance picture.
//
// G. Ward, Real Pixels, Graphics Gems II, 1991; the RADIANCE reference manual's "Picture File Format".
#include "libvolpt/image/codecs/hdr_check.h"

#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/sys/error.h"

#include <charconv>
#include <fmt/format.h>
#include <string_view>

namespace volpt {
namespace {

constexpr std::string_view kSignatures[] = {"#?RADIANCE\n", "#?RGBE\n"};
/// Beyond these widths a line has no run lengths.
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
        // stb_image takes a null for the end of the line and would go on elsewhere.
        if (text.substr(0, end).find('\0') != std::string_view::npos) fail("null byte in the header line");
        at_ += end + 1;
        return text.substr(0, end);
    }

private:
    std::span<std::byte const> file_;
    std::string const& where_;
    std::size_t at_ = 0;
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

} // namespace

bool is_hdr(std::span<std::byte const> file)
{
    std::string_view const text(reinterpret_cast<char const*>(file.data()), std::min<std::size_t>(file.size(), 16));
    return text.starts_with(kSignatures[0]) || text.starts_with(kSignatures[1]);
}

HdrSummary check_hdr(std::span<std::byte const> file, std::string const& where)
{
    Walker walker(file, where);
    if (!is_hdr(file)) walker.fail("no signature #?RADIANCE or #?RGBE");
    HdrSummary summary;
    walker.read_line();
    read_variables(walker, summary);
    read_resolution(walker, summary);
    // The shortest line of runs costs 8 bytes per 127 pixels, the decoded one 12 a pixel.
    check_decoded_size({summary.width, summary.height, 3}, file.size(), {.floor_bytes = 0, .ratio = 12 * 127 / 8 + 1},
                       where);

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

} // namespace volpt
