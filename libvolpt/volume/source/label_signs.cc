#include "libvolpt/volume/source/label_signs.h"

#include "libvolpt/sys/json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

constexpr std::size_t kMostLabels = 64;
constexpr std::uint64_t kVoxelsPerLabel = 64;
constexpr std::size_t kMostNames = 8; ///< in a message

/// NRRD keys come with or without ":=".
std::string find_text(nlohmann::ordered_json const& keys, std::string const& name)
{
    for (std::string const& key : {name, name + ":="})
        if (auto const found = keys.find(key); found != keys.end() && found->is_string())
            return found->get<std::string>();
    return {};
}

} // namespace

NumberTraits find_integer_traits(DistinctValues const& values, std::uint64_t voxels)
{
    auto const sorted = values.sort();
    if (sorted.empty()) return {voxels, 0, 0, 0, true};
    return {voxels, sorted.size(), static_cast<double>(sorted.front().first), static_cast<double>(sorted.back().first),
            true};
}

void add_runs(std::span<float const> numbers, DistinctValues& values)
{
    for (std::size_t first = 0; first < numbers.size() && !values.are_too_many();) {
        std::size_t end = first + 1;
        while (end < numbers.size() && numbers[end] == numbers[first]) ++end;
        values.add(numbers[first], end - first);
        first = end;
    }
}

bool look_like_labels(SourceMeta const& source, NumberTraits const& numbers)
{
    if (source.kind == SourceKind::pictures || source.channels != 1 || !is_integer(source.element)) return false;
    if (!list_segment_names(source).empty()) return true;
    return numbers.are_integers && numbers.minimum >= 0 && numbers.distinct >= 2 && numbers.distinct <= kMostLabels &&
           numbers.voxels >= kVoxelsPerLabel * numbers.distinct;
}

std::vector<std::string> list_segment_names(SourceMeta const& source)
{
    std::vector<std::string> names;
    auto const keys = parse_json(source.metadata_json);
    if (!keys.is_object()) return names;
    for (int segment = 0;; ++segment) {
        std::string const name = find_text(keys, fmt::format("Segment{}_Name", segment));
        std::string const value = find_text(keys, fmt::format("Segment{}_LabelValue", segment));
        if (name.empty()) return names;
        names.push_back(value.empty() ? name : fmt::format("{} = {}", value, name));
    }
}

std::string advise_materials(SourceMeta const& source, NumberTraits const& numbers)
{
    auto names = list_segment_names(source);
    std::string const more = names.size() > kMostNames ? ", .." : "";
    if (names.size() > kMostNames) names.resize(kMostNames);
    std::string const named = names.empty() ? "" : fmt::format(" ({}{})", fmt::join(names, ", "), more);
    std::string const count = numbers.distinct > 0 ? fmt::format("{} different integers from {:g} to {:g}",
                                                                 numbers.distinct, numbers.minimum, numbers.maximum)
                                                   : "integers";
    return fmt::format("the numbers look like labels: {}{}; without --materials TABLE they are densities. A table "
                       "gives each number (\"id\") a material: docs/formats/materials.md",
                       count, named);
}

} // namespace volpt
