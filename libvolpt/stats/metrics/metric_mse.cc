// Mean squared error.
#include "libvolpt/stats/metrics/figures.h"

namespace volpt {
namespace {

MetricResult evaluate_mse(Image const& test, Image const& reference, MetricSettings const& settings)
{
    return average_pairs("mse", test, reference, settings, squared_difference, keep_mean);
}

} // namespace

extern constinit Metric const mse_metric{"mse", "mean of (t - r)^2", Better::lower, Reach::value, evaluate_mse};

} // namespace volpt
