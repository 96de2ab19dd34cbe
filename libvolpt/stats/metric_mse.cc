// Mean squared error.
#include "libvolpt/stats/pixel_difference.h"

namespace volpt
{
namespace
{

std::vector<MetricValue> evaluate(Image const& test, Image const& reference)
{
    return average_differences(
        "mse", test, reference, [](double difference) { return difference * difference; },
        [](double mean) { return mean; });
}

} // namespace

extern constinit Metric const mse_metric{"mse", "mean of (t - r)^2", Better::lower, evaluate};

} // namespace volpt
