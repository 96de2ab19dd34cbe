// std::from_chars throughout: it ignores the locale.
#include "tools/options/units.h"

#include "libvolpt/core/volume_view.hd.h"
#include "libvolpt/medium/curves/piecewise_curve.h"
#include "libvolpt/medium/curves/transfer_table.h"
#include "libvolpt/scene/scene_enums.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace volpt {
namespace {

[[noreturn]] void refuse(std::string_view option, std::string_view text, std::string_view expected)
{
    fail_usage(fmt::format("{} '{}' cannot be read", option, text), fmt::format("give {}", expected));
}

std::string_view trim(std::string_view text)
{
    auto const is_blank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// from_chars refuses a leading '+'. A second sign after it stays an error.
std::string_view without_plus(std::string_view text)
{
    if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
    return text;
}

/// The number that `text` starts with; `text` keeps the rest. False if there is none, or it is infinite or NaN.
bool take_number(std::string_view& text, double& number)
{
    std::string_view const digits = without_plus(text);
    auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc{} || !std::isfinite(number)) return false;
    text = digits.substr(static_cast<std::size_t>(end - digits.data()));
    return true;
}

bool take_integer(std::string_view text, std::int64_t& number)
{
    text = without_plus(trim(text));
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

template <typename Parse>
std::array<double, 3> parse_three(std::string_view option, std::string_view text, SingleValue single,
                                  std::string_view example, Parse parse)
{
    auto const pieces = split_list(text);
    if (pieces.size() == 1 && single == SingleValue::repeated) {
        double const value = parse(pieces[0]);
        return {value, value, value};
    }
    if (pieces.size() != 3) refuse(option, text, example);
    return {parse(pieces[0]), parse(pieces[1]), parse(pieces[2])};
}

} // namespace

std::vector<std::string_view> split_list(std::string_view text)
{
    std::vector<std::string_view> pieces;
    for (;;) {
        auto const comma = text.find(',');
        pieces.push_back(trim(text.substr(0, comma)));
        if (comma == std::string_view::npos) return pieces;
        text.remove_prefix(comma + 1);
    }
}

double parse_number(std::string_view option, std::string_view text)
{
    double number = 0;
    std::string_view rest = trim(text);
    if (!take_number(rest, number) || !rest.empty()) refuse(option, text, "a number, for example 0.5");
    return number;
}

double parse_number(std::string_view option, std::string_view text, double low, double high)
{
    return parse_number(option, text, NumberRange::closed(low, high));
}

double parse_number(std::string_view option, std::string_view text, NumberRange range)
{
    double const number = parse_number(option, text);
    if (!range.contains(number)) refuse(option, text, "a number from " + describe_range(range));
    return number;
}

float parse_float(std::string_view option, std::string_view text, NumberRange range)
{
    auto const number = static_cast<float>(parse_number(option, text, range));
    if (!range.contains(static_cast<double>(number))) refuse(option, text, "a number from " + describe_range(range));
    return number;
}

std::int64_t parse_integer(std::string_view option, std::string_view text, std::int64_t low, std::int64_t high)
{
    std::int64_t number = 0;
    if (!take_integer(text, number) || number < low || number > high)
        refuse(option, text, fmt::format("an integer from {} to {}", low, high));
    return number;
}

double parse_length_mm(std::string_view option, std::string_view text)
{
    constexpr std::string_view kExpected = "a length, for example 10mm, 42.3um, 0.5cm or 1m (a plain number is mm)";
    struct Unit {
        std::string_view name;
        double mm;
    };
    constexpr Unit kUnits[] = {{"", 1}, {"mm", 1}, {"um", 1e-3}, {"µm", 1e-3}, {"nm", 1e-6}, {"cm", 10}, {"m", 1000}};
    double number = 0;
    std::string_view rest = trim(text);
    if (!take_number(rest, number)) refuse(option, text, kExpected);
    rest = trim(rest);
    auto const unit = std::find_if(std::begin(kUnits), std::end(kUnits), [&](Unit const& u) { return u.name == rest; });
    if (unit == std::end(kUnits)) refuse(option, text, kExpected);
    // Dividing keeps 42.3um the double nearest to 0.0423, which multiplying by 1e-3 does not.
    return unit->mm < 1 ? number / std::round(1 / unit->mm) : number * unit->mm;
}

std::size_t parse_size_bytes(std::string_view option, std::string_view text)
{
    constexpr std::string_view kExpected = "a size, for example 512MiB or 1.5GiB (a plain number is bytes)";
    constexpr std::string_view kUnits[] = {"", "KiB", "MiB", "GiB", "TiB"};
    double number = 0;
    std::string_view rest = trim(text);
    if (!take_number(rest, number)) refuse(option, text, kExpected);
    auto const unit = std::find(std::begin(kUnits), std::end(kUnits), trim(rest));
    double const size_bytes = std::ldexp(number, 10 * static_cast<int>(unit - std::begin(kUnits)));
    if (unit == std::end(kUnits) || !(size_bytes >= 0 && size_bytes < 0x1p60)) refuse(option, text, kExpected);
    return static_cast<std::size_t>(size_bytes);
}

std::array<double, 3> parse_triple(std::string_view option, std::string_view text, SingleValue single)
{
    return parse_three(option, text, single, "three numbers x,y,z, for example 0,0,1",
                       [&](std::string_view piece) { return parse_number(option, piece); });
}

std::array<double, 3> parse_length_triple_mm(std::string_view option, std::string_view text, SingleValue single)
{
    return parse_three(option, text, single, "three lengths x,y,z, for example 10mm,10mm,0.5cm",
                       [&](std::string_view piece) { return parse_length_mm(option, piece); });
}

std::array<int, 3> parse_dims(std::string_view option, std::string_view text, int high)
{
    auto const pieces = split_list(text);
    if (pieces.size() != 3) refuse(option, text, "three positive integers X,Y,Z, for example 64,64,32");
    std::array<int, 3> dims{};
    for (std::size_t i = 0; i < 3; ++i) dims[i] = static_cast<int>(parse_integer(option, pieces[i], 1, high));
    return dims;
}

std::array<int, 2> parse_size(std::string_view option, std::string_view text, int high)
{
    auto const cross = text.find('x');
    if (cross == std::string_view::npos) refuse(option, text, "a size WxH, for example 640x480");
    return {static_cast<int>(parse_integer(option, text.substr(0, cross), 1, high)),
            static_cast<int>(parse_integer(option, text.substr(cross + 1), 1, high))};
}

std::vector<double> parse_numbers(std::string_view option, std::string_view text, std::size_t least, std::size_t most,
                                  double low, double high)
{
    auto const pieces = split_list(text);
    if (pieces.size() < least || pieces.size() > most)
        refuse(option, text, fmt::format("{} to {} numbers, for example 0.9 or 0.9,0.8,0.7", least, most));
    std::vector<double> numbers;
    for (auto const piece : pieces) numbers.push_back(parse_number(option, piece, low, high));
    return numbers;
}

std::vector<float> parse_floats(std::string_view option, std::string_view text, std::size_t least, std::size_t most)
{
    double const limit = std::numeric_limits<float>::max();
    std::vector<float> numbers;
    for (double const number : parse_numbers(option, text, least, most, -limit, limit))
        numbers.push_back(static_cast<float>(number));
    return numbers;
}

std::vector<std::uint32_t> parse_integers(std::string_view option, std::string_view text)
{
    auto const pieces = split_list(text);
    if (pieces.size() > 36) refuse(option, text, "at most 36 integers, for example 0,2");
    std::vector<std::uint32_t> numbers;
    for (auto const piece : pieces)
        numbers.push_back(static_cast<std::uint32_t>(parse_integer(option, piece, 0, 0xffffffffLL)));
    return numbers;
}

SampleRange parse_sample_range(std::string_view option, std::string_view text)
{
    constexpr std::int64_t kLimit = std::int64_t{1} << 32;
    auto const colon = text.find(':');
    bool const has_first = colon != std::string_view::npos;
    std::int64_t const first = has_first ? parse_integer(option, text.substr(0, colon), 0, kLimit - 1) : 0;
    std::int64_t const count = parse_integer(option, has_first ? text.substr(colon + 1) : text, 1, kLimit);
    if (first + count > kLimit) refuse(option, text, "FIRST:COUNT that ends at 2^32 or before, for example 64:64");
    return {static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(count)};
}

std::span<std::string_view const> list_axis_names()
{
    return kAxisNames;
}

std::uint32_t parse_axis(std::string_view option, std::string_view text)
{
    auto const axes = list_axis_names();
    for (std::uint32_t i = 0; i < 6; ++i)
        if (text == axes[i] || (axes[i][0] == '+' && text == axes[i].substr(1))) return i;
    refuse(option, text, fmt::format("one of {}", fmt::join(axes, " ")));
}

std::string parse_choice(std::string_view option, std::string_view text, std::vector<std::string> const& choices)
{
    if (std::find(choices.begin(), choices.end(), text) == choices.end())
        refuse(option, text, fmt::format("one of {}", fmt::join(choices, ", ")));
    return std::string(text);
}

namespace {

struct CurvePlace {
    double x = 0;
    std::vector<double> values;
};

/// "X:A:B": a place and what is there.
CurvePlace parse_place(std::string_view option, std::string_view piece, double highest)
{
    auto colon = piece.find(':');
    if (colon == std::string_view::npos)
        fail_usage(fmt::format("{}: '{}' is no point X:Y", option, piece), "give for example -1000:0,0:0,300:1");
    CurvePlace place{parse_number(option, piece.substr(0, colon), -1e300, 1e300), {}};
    while (colon != std::string_view::npos) {
        std::size_t const first = colon + 1;
        colon = piece.find(':', first);
        place.values.push_back(parse_number(option, piece.substr(first, colon - first), 0, highest));
    }
    return place;
}

std::vector<CurvePlace> parse_places(std::string_view option, std::string_view text, double highest)
{
    constexpr std::size_t kMostPoints = 4096;
    auto const pieces = split_list(text);
    if (pieces.size() > kMostPoints)
        fail_usage(fmt::format("{} has {} points, more than {}", option, pieces.size(), kMostPoints),
                   "leave out points that lie on a line with their neighbours");
    std::vector<CurvePlace> places;
    for (auto const piece : pieces) places.push_back(parse_place(option, piece, highest));
    return places;
}

/// Of one value each. Error (usage) as PiecewiseCurve's.
PiecewiseCurve make_curve(std::string_view option, std::vector<CurvePlace> const& places)
{
    std::vector<PiecewiseCurve::Point> points;
    for (auto const& [x, values] : places) points.push_back({x, values.front()});
    return PiecewiseCurve(std::move(points), std::string(option));
}

} // namespace

PiecewiseCurve parse_curve(std::string_view option, std::string_view text, double highest_y)
{
    auto const places = parse_places(option, text, highest_y);
    for (auto const& [x, values] : places)
        if (values.size() != 1)
            fail_usage(fmt::format("{}: there are {} values at {}", option, values.size(), x), "give X:Y,X:Y,..");
    return make_curve(option, places);
}

TransferTable parse_albedo_curve(std::string_view option, std::string_view text)
{
    auto const places = parse_places(option, text, 1);
    make_curve(option, places); // for its checks
    std::vector<TransferTable::Point> points;
    for (auto const& [x, values] : places) {
        if (values.size() != places.front().values.size() || values.size() > kMaxBands)
            fail_usage(fmt::format("{}: there are {} albedos at {}", option, values.size(), x),
                       fmt::format("give as many albedos at every point, 1 to {}", kMaxBands));
        points.push_back({x, values});
    }
    return TransferTable(std::move(points), std::string(option));
}

} // namespace volpt
