#include "formats/tiff/stack_text.h"

#include "formats/common/text.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

constexpr std::uint64_t kMostTold = std::uint64_t{1} << 32;

/// The rest of the line that begins with `key`; none if there is no such line.
std::optional<std::string_view> find_line(std::string_view text, std::string_view key)
{
    while (!text.empty()) {
        auto const end = std::min(text.find('\n'), text.size());
        std::string_view const line = text.substr(0, end);
        if (line.starts_with(key)) return trim(line.substr(key.size()));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return std::nullopt;
}

std::uint64_t find_count(std::string_view text, std::string_view key)
{
    auto const line = find_line(text, key);
    std::uint64_t count = 1;
    if (line) std::from_chars(line->data(), line->data() + line->size(), count);
    return std::clamp<std::uint64_t>(count, 1, kMostTold);
}

/// ImageJ writes letters beyond ASCII as \uXXXX, older ones as they are.
std::optional<double> find_imagej_unit_mm(std::string_view unit)
{
    constexpr std::pair<std::string_view, double> kUnits[] = {
        {"mm", 1},          {"millimeter", 1},   {"um", 1e-3},         {"micron", 1e-3},   {"microns", 1e-3},
        {"\\u00B5m", 1e-3}, {"\\u00b5m", 1e-3},  {"\\u03BCm", 1e-3},   {"\\u03bcm", 1e-3}, {"\xc2\xb5m", 1e-3},
        {"\xb5m", 1e-3},    {"\xce\xbcm", 1e-3}, {"micrometer", 1e-3}, {"nm", 1e-6},       {"nanometer", 1e-6},
        {"pm", 1e-9},       {"\\u00C5", 1e-7},   {"\\u00c5", 1e-7},    {"\xc3\x85", 1e-7}, {"A", 1e-7},
        {"cm", 10},         {"centimeter", 10},  {"m", 1000},          {"meter", 1000},    {"km", 1e6},
        {"in", 25.4},       {"inch", 25.4},      {"inches", 25.4}};
    for (auto const& [name, mm] : kUnits)
        if (name == unit) return mm;
    return std::nullopt;
}

/// Sizes of a JSON array of whole numbers; none if it is no such array.
std::optional<std::vector<std::uint64_t>> read_sizes(nlohmann::json const& list)
{
    if (!list.is_array() || list.size() > 64) return std::nullopt;
    std::vector<std::uint64_t> sizes;
    for (auto const& size : list) {
        if (!size.is_number_unsigned() || size.get<std::uint64_t>() < 1 || size.get<std::uint64_t>() > kMostTold)
            return std::nullopt;
        sizes.push_back(size.get<std::uint64_t>());
    }
    return sizes;
}

/// How many of the last axes are those of a page; 0 if none fit.
std::size_t count_page_axes(std::vector<std::uint64_t> const& sizes, TiffPageShape const& page)
{
    auto const ends_in = [&](std::vector<std::uint64_t> const& end) {
        return sizes.size() >= end.size() && std::equal(end.rbegin(), end.rend(), sizes.rbegin());
    };
    auto const [width, height, samples] = page;
    if (samples > 1) return ends_in({height, width, samples}) || ends_in({samples, height, width}) ? 3 : 0;
    return ends_in({height, width, 1}) && !ends_in({height, width}) ? 3 : ends_in({height, width}) ? 2 : 0;
}

} // namespace

std::optional<ImagejText> parse_imagej(std::string_view text)
{
    if (!text.starts_with("ImageJ=")) return std::nullopt;
    ImagejText read;
    read.images = find_count(text, "images=");
    read.channels = find_count(text, "channels=");
    read.frames = find_count(text, "frames=");
    bool const has_slices = find_line(text, "slices=").has_value();
    read.slices = find_count(text, "slices=");
    if (!has_slices && read.channels == 1 && read.frames == 1) read.slices = read.images;
    read.unit = find_line(text, "unit=").value_or("");
    if (read.unit == "pixel" || read.unit == "pixels") read.unit.clear();
    read.unit_mm = find_imagej_unit_mm(read.unit);
    if (auto const unit = find_line(text, "zunit=")) read.depth_unit_mm = find_imagej_unit_mm(*unit);
    if (auto const line = find_line(text, "spacing=")) {
        double spacing = 0;
        auto const [end, error] = std::from_chars(line->data(), line->data() + line->size(), spacing);
        // Stacks that were turned over have it below 0.
        if (error == std::errc{} && std::isfinite(spacing) && spacing != 0) read.spacing = std::abs(spacing);
    }
    return read;
}

std::uint64_t TiffShape::find_plane(std::uint64_t volume, std::uint64_t slice, std::uint64_t channel) const
{
    std::uint64_t plane = 0, step = 1;
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
        std::uint64_t& index = axis->first == 'Z' ? slice : axis->first == 'C' ? channel : volume;
        plane += index % axis->second * step;
        index /= axis->second;
        step *= axis->second;
    }
    return plane;
}

std::optional<TiffShape> parse_shape(std::string_view text, TiffPageShape const& page, std::string const& where)
{
    if (!text.starts_with("{\"shape\"")) return std::nullopt;
    auto const json = parse_json(text);
    if (!json.is_object() || !json.contains("shape")) return std::nullopt;
    auto const sizes = read_sizes(json.at("shape"));
    std::size_t const in_page = sizes ? count_page_axes(*sizes, page) : 0;
    if (in_page == 0)
        fail_input(fmt::format("tifffile's shape {} does not end in pages of {} x {} x {}", json.at("shape").dump(),
                               page[1], page[0], page[2]),
                   where, "it says which pages are slices", "save it again");
    std::size_t const leading = sizes->size() - in_page;
    std::string const axes = json.value("axes", nlohmann::json()).is_string() ? json.at("axes").get<std::string>() : "";
    bool const are_named = axes.size() == sizes->size();
    TiffShape shape;
    bool has_slices = are_named && axes.substr(0, leading).find('Z') != std::string::npos;
    for (std::size_t i = leading; i-- > 0;) {
        char role = are_named && std::string_view("ZCT").find(axes[i]) != std::string_view::npos ? axes[i] : '?';
        std::uint64_t const size = (*sizes)[i];
        // An axis without a meaning is slices, if none else is.
        if (role == '?') role = !has_slices && size > 1 ? 'Z' : 'T';
        has_slices |= role == 'Z' && size > 1;
        shape.axes.insert(shape.axes.begin(), {role, size});
        std::uint64_t& count = role == 'Z' ? shape.slices : role == 'C' ? shape.channels : shape.volumes;
        if (count > kMostTold / size)
            fail_input(fmt::format("tifffile's shape {}", fmt::join(*sizes, " x ")), where, "it is too large",
                       "save it again");
        count *= size;
    }
    return shape;
}

} // namespace volpt
