// The transfer table, its two presets and its JSON form.
#include "libvolpt/medium/curves/transfer_table.h"

#include "libvolpt/core/volume_view.hd.h"
#include "libvolpt/medium/presets/preset_names.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

// Names of the thesis; albedos bright enough that light crosses the volume, coloured enough to tell the ends apart.
std::vector<double> const kGrey{0.9, 0.9, 0.9};
std::vector<double> const kGreen{0.4, 0.95, 0.4};
std::vector<double> const kRed{0.98, 0.45, 0.35};
std::vector<double> const kBlue{0.35, 0.5, 0.98};

std::array<std::string, 2> const kTransferPresets{"grey-red-blue", "green-red-blue"};

TransferTable parse_transfer_table(nlohmann::json const& json, std::string const& where)
{
    auto const points = json.is_object() ? json.find("points") : json.end();
    if (!json.is_object() || points == json.end() || !points->is_array() || points->empty() || points->size() > 65536)
        fail_input("has no array 'points'", where,
                   R"(expected: {"points": [{"density": 0.0, "albedo": [0.9, 0.9, 0.9]}, ...]})");
    std::vector<TransferTable::Point> list;
    for (auto const& point : *points) {
        std::string const point_where = fmt::format("{}: point {}", where, list.size());
        auto const density = read_json_numbers(point, "density", 0, 1e30, kMaxBands, point_where);
        list.push_back({density.front(), read_json_numbers(point, "albedo", 0, 1, kMaxBands, point_where)});
    }
    return TransferTable(std::move(list), where);
}

} // namespace

TransferTable::TransferTable(std::vector<Point> points, std::string const& where) : points_(std::move(points))
{
    for (std::size_t i = 1; i < points_.size(); ++i) {
        std::string const point_where = fmt::format("{}: point {}", where, i);
        if (!(points_[i].density > points_[i - 1].density))
            fail_input(fmt::format("density {} does not ascend", points_[i].density), point_where, {},
                       "sort the points");
        if (points_[i].albedo.size() != bands())
            fail_input(fmt::format("{} albedos, the first point has {}", points_[i].albedo.size(), bands()),
                       point_where, {}, "give every point the same bands");
    }
}

void TransferTable::evaluate(float density, std::span<float> one_minus_albedo) const
{
    auto const d = static_cast<double>(density);
    auto const above =
        std::find_if(points_.begin(), points_.end(), [&](Point const& point) { return point.density >= d; });
    Point const& high = above == points_.end() ? points_.back() : *above;
    Point const& low = above == points_.begin() || above == points_.end() ? high : *(above - 1);
    double const width = high.density - low.density;
    double const share = width > 0 ? (d - low.density) / width : 0;
    for (std::size_t band = 0; band < one_minus_albedo.size(); ++band) {
        double const albedo = low.albedo[band] + share * (high.albedo[band] - low.albedo[band]);
        one_minus_albedo[band] = static_cast<float>(std::clamp(1 - albedo, 0.0, 1.0));
    }
}

TransferTable read_transfer_table(std::string const& name_or_path)
{
    if (name_or_path == kTransferPresets[0]) return TransferTable({{0, kGrey}, {0.5, kRed}, {1, kBlue}}, name_or_path);
    if (name_or_path == kTransferPresets[1]) return TransferTable({{0, kGreen}, {0.5, kRed}, {1, kBlue}}, name_or_path);
    std::error_code ignored;
    if (!std::filesystem::exists(name_or_path, ignored))
        fail_input("there is no such transfer table", name_or_path, describe_presets(kTransferPresets, name_or_path),
                   "name a JSON file of points with density and albedo (docs/tools/volprep.md); what is opaque is "
                   "chosen by --window or --opacity");
    return parse_transfer_table(read_json_file(name_or_path), name_or_path);
}

std::span<std::string const> list_transfer_presets()
{
    return kTransferPresets;
}

} // namespace volpt
