#include "tools/options/curve_text.h"

#include "libvolpt/sys/error.h"
#include "tools/options/units.h"

#include <fmt/format.h>

namespace volpt {

PiecewiseCurve parse_curve(std::string_view option, std::string_view text, double highest_y)
{
    constexpr std::size_t kMostPoints = 4096;
    auto const pieces = split_list(text);
    if (pieces.size() > kMostPoints)
        fail_usage(fmt::format("{} has {} points, more than {}", option, pieces.size(), kMostPoints),
                   "leave out points that lie on a line with their neighbours");
    std::vector<PiecewiseCurve::Point> points;
    for (auto const piece : pieces) {
        auto const colon = piece.find(':');
        if (colon == std::string_view::npos)
            fail_usage(fmt::format("{}: '{}' is no point X:Y", option, piece), "give for example -1000:0,0:0,300:1");
        points.push_back({parse_number(option, piece.substr(0, colon), -1e300, 1e300),
                          parse_number(option, piece.substr(colon + 1), 0, highest_y)});
    }
    return PiecewiseCurve(std::move(points), std::string(option));
}

} // namespace volpt
