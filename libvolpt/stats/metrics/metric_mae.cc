// Mean absolute error.
#include "libvolpt/stats/metrics/figures.h"

namespace volpt {
namespace {

MetricResult evaluate_mae(Image const& test, Image const& reference, MetricSettings const& settings)
{
    return average_pairs(
        "mae", test, reference, settings, [](double t, double r) { return std::abs(t - r); }, keep_mean);
}

} // namespace

extern constinit Metric const mae_metric{"mae", "mean of |t - r|", Better::lower, Reach::value, evaluate_mae};

} // namespace volpt
