// Symmetric mean absolute percentage error (Vogels et al. 2018).
#include "libvolpt/stats/metrics/figures.h"

namespace volpt {
namespace {

MetricResult evaluate_smape(Image const& test, Image const& reference, MetricSettings const& settings)
{
    return average_pairs(
        "smape", test, reference, settings,
        [](double t, double r) { return std::abs(t - r) / (std::abs(t) + std::abs(r) + 0.01); }, keep_mean);
}

} // namespace

extern constinit Metric const smape_metric{"smape", "mean of |t - r| / (|t| + |r| + 0.01) (Vogels et al. 2018)",
                                           Better::lower, Reach::value, evaluate_smape};

} // namespace volpt
