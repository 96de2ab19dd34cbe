// Root of the mean squared error.
#include "libvolpt/stats/metrics/figures.h"

namespace volpt {
namespace {

MetricResult evaluate_rmse(Image const& test, Image const& reference, MetricSettings const& settings)
{
    MetricResult result = average_pairs("rmse", test, reference, settings, squared_difference,
                                        [](double mean) { return std::sqrt(mean); });
    for (float& error : result.map) error = std::sqrt(error);
    return result;
}

} // namespace

extern constinit Metric const rmse_metric{"rmse", "square root of the mean of (t - r)^2", Better::lower, Reach::value,
                                          evaluate_rmse};

} // namespace volpt
