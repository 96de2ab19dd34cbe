// Maximum absolute error.
#include "libvolpt/stats/pixel_difference.h"

namespace volpt
{
namespace
{

double largest_of(std::optional<LargestDifference> const& largest)
{
    return largest ? largest->absolute : std::numeric_limits<double>::quiet_NaN();
}

std::vector<MetricValue> evaluate(Image const& test, Image const& reference)
{
    std::vector<MetricValue> values{{"max", largest_of(find_largest_difference(test, reference))}};
    for (std::size_t c = 0; c < test.channels.size(); ++c)
        values.push_back({"max." + test.channels[c].name, largest_of(find_largest_difference(test, reference, c))});
    return values;
}

} // namespace

extern constinit Metric const max_metric{"max", "largest |t - r|", Better::lower, evaluate};

} // namespace volpt
