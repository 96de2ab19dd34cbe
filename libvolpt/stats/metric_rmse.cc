// Root of the mean squared error.
#include "libvolpt/stats/pixel_difference.h"

namespace volpt
{
namespace
{

std::vector<MetricValue> evaluate(Image const& test, Image const& reference)
{
    return average_differences(
        "rmse", test, reference, [](double difference) { return difference * difference; },
        [](double mean) { return std::sqrt(mean); });
}

} // namespace

extern constinit Metric const rmse_metric{"rmse", "square root of the mean of (t - r)^2", Better::lower, evaluate};

} // namespace volpt
