// Maximum absolute error.
#include "libvolpt/stats/metrics/figures.h"

namespace volpt {
namespace {

double largest_of(std::optional<LargestDifference> const& largest)
{
    return largest ? largest->absolute : std::numeric_limits<double>::quiet_NaN();
}

MetricResult evaluate_max(Image const& test, Image const& reference, MetricSettings const& settings)
{
    MetricResult result{.values = {{"max", largest_of(find_largest_difference(test, reference))}}, .map = {}};
    for (std::size_t c = 0; c < test.channels.size(); ++c)
        result.values.push_back(
            {"max." + test.channels[c].name, largest_of(find_largest_difference(test, reference, c))});
    if (settings.keep_map == KeepMap::yes)
        result.map = map_pairs(test, reference, settings.threads, [](double t, double r) { return std::abs(t - r); });
    return result;
}

} // namespace

extern constinit Metric const max_metric{"max", "largest |t - r|", Better::lower, Reach::value, evaluate_max};

} // namespace volpt
