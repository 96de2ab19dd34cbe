#include "tools/options/curve_text.h"

#include "libvolpt/core/volume_view.hd.h"
#include "libvolpt/sys/error.h"
#include "tools/options/units.h"

#include <fmt/format.h>

namespace volpt {
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
