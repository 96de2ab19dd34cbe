#include "libvolpt/volume/source/source_values.h"

#include "libvolpt/sys/json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPoints = 65536; ///< as of a transfer table
constexpr double kLargestNumber = 1e300;   ///< as of --window and --opacity
constexpr double kLargestDensity = 1e30;

SourceValues read_fields(Json const& json, StoredType type, ValueStore store)
{
    SourceValues values{.element = type.type, .store = store};
    if (json.contains("window")) values.window = json.at("window").get<std::array<double, 2>>();
    if (json.contains("clamped")) {
        auto const clamped = json.at("clamped").get<std::array<std::uint64_t, 2>>();
        values.below = clamped[0];
        values.above = clamped[1];
    }
    if (json.contains("opacity"))
        for (auto const& point : json.at("opacity")) {
            auto const pair = point.get<std::array<double, 2>>();
            values.opacity.push_back({pair[0], pair[1]});
        }
    if (json.contains("transfer"))
        for (auto const& point : json.at("transfer"))
            values.transfer.push_back(
                {point.at("density").get<double>(), point.at("albedo").get<std::vector<double>>()});
    return values;
}

bool is_within(double value, double low, double high)
{
    return value >= low && value <= high;
}

std::string find_curve_contradiction(SourceValues const& values)
{
    auto const& points = values.opacity;
    if (points.empty()) return {};
    if (values.window) return "it has both a window and a curve";
    if (points.size() < 2) return "its curve has one point";
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!is_within(points[i].value, -kLargestNumber, kLargestNumber) ||
            !is_within(points[i].density, 0, kLargestDensity) || (i > 0 && !(points[i].value > points[i - 1].value)))
            return fmt::format("point {} of its curve is out of range or order", i);
    return {};
}

std::string find_transfer_contradiction(SourceValues const& values, std::uint32_t bands)
{
    auto const& points = values.transfer;
    if (points.size() > kMostPoints) return fmt::format("its transfer table has {} points", points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        bool const is_in_range =
            points[i].albedo.size() == bands &&
            std::ranges::all_of(points[i].albedo, [](double albedo) { return is_within(albedo, 0, 1); });
        if (!is_in_range || !is_within(points[i].density, 0, kLargestDensity) ||
            (i > 0 && !(points[i].density > points[i - 1].density)))
            return fmt::format("point {} of its transfer table is out of range or order", i);
    }
    return {};
}

/// Whether the codes of densities count the steps of a window: every integer in it has a code of its own.
bool may_count_steps(SourceValues const& values)
{
    if (!values.window || !is_integer(values.element)) return false;
    auto const [low, high] = *values.window;
    return low == std::floor(low) && high == std::floor(high) && high - low <= 65535 && std::abs(low) <= 1e7;
}

} // namespace

ValueRange find_told_range(SourceValues const& values)
{
    ValueRange range;
    if (values.store != ValueStore::steps) return range;
    if (values.below > 0) range.low = (*values.window)[0];
    if (values.above > 0) range.high = (*values.window)[1];
    return range;
}

ValueCode choose_value_code(ElementType element)
{
    switch (element) {
    case ElementType::u8:
        return {Encoding::u8, 0};
    case ElementType::i8:
        return {Encoding::u8, -128};
    case ElementType::u16:
        return {Encoding::u16, 0};
    case ElementType::i16:
        return {Encoding::u16, -32768};
    default:
        return {Encoding::f32, 0};
    }
}

std::string find_contradiction(SourceValues const& values, std::uint32_t bands)
{
    if (values.window) {
        auto const [low, high] = *values.window;
        if (!is_within(low, -kLargestNumber, kLargestNumber) || !is_within(high, -kLargestNumber, kLargestNumber) ||
            !(low < high))
            return fmt::format("its window is {} to {}", low, high);
    } else if (values.below > 0 || values.above > 0) {
        return "numbers were clamped without a window";
    }
    if (std::string const found = find_curve_contradiction(values); !found.empty()) return found;
    if (values.store == ValueStore::density && (values.window || !values.opacity.empty()))
        return "mapped numbers are not the densities";
    if (values.store == ValueStore::steps && !may_count_steps(values)) return "its window has no steps to count";
    return find_transfer_contradiction(values, bands);
}

std::string to_json(SourceValues const& values)
{
    Json json{{"type", element_name(values.element)}, {"store", to_word(values.store)}};
    if (values.window) {
        json["window"] = *values.window;
        json["clamped"] = {values.below, values.above};
    }
    for (auto const& point : values.opacity) json["opacity"].push_back({point.value, point.density});
    for (auto const& point : values.transfer)
        json["transfer"].push_back({{"density", point.density}, {"albedo", point.albedo}});
    return format_json(json);
}

std::optional<SourceValues> parse_source_values(std::string_view json)
{
    Json const object = parse_json(json);
    if (!object.is_object()) return std::nullopt;
    try {
        auto const type = parse_stored_type(object.at("type").get<std::string>());
        auto const store = find_word<ValueStore>(object.at("store").get<std::string>());
        if (!type || type->order != ByteOrder::little || !store) return std::nullopt;
        return read_fields(object, *type, *store);
    } catch (nlohmann::json::exception const&) {
        return std::nullopt;
    }
}

std::string describe_map(SourceValues const& values)
{
    std::string const type(element_name(values.element));
    if (!values.opacity.empty())
        return fmt::format("{} by a curve of {} points from {} to {}", type, values.opacity.size(),
                           values.opacity.front().value, values.opacity.back().value);
    if (!values.window) return fmt::format("{}, which are the densities", type);
    std::string const clamped = values.below + values.above == 0
                                    ? "nothing clamped"
                                    : fmt::format("{} below and {} above clamped", values.below, values.above);
    return fmt::format("{} from {} to {} as density 0 to 1, {}", type, (*values.window)[0], (*values.window)[1],
                       clamped);
}

std::string describe_store(SourceValues const& values)
{
    if (values.store == ValueStore::none) return "not kept: for another window, pack the source file again";
    auto const [low, high] = find_told_range(values);
    std::string const range = low && high ? fmt::format(" between {} and {}", *low, *high)
                              : low       ? fmt::format(" above {}", *low)
                              : high      ? fmt::format(" below {}", *high)
                                          : "";
    return fmt::format("kept{}: --window and --opacity map them anew{}",
                       values.store == ValueStore::plane ? " in a plane of their own" : "", range);
}

} // namespace volpt
