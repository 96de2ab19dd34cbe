// Mean absolute error.
#include "libvolpt/stats/pixel_difference.h"

namespace volpt
{
namespace
{

std::vector<MetricValue> evaluate(Image const& test, Image const& reference)
{
    return average_differences(
        "mae", test, reference, [](double difference) { return std::abs(difference); },
        [](double mean) { return mean; });
}

} // namespace

extern constinit Metric const mae_metric{"mae", "mean of |t - r|", Better::lower, evaluate};

} // namespace volpt
