// Relative mean squared error (Rousselle et al. 2011).
#include "libvolpt/stats/metrics/figures.h"

namespace volpt {
namespace {

MetricResult evaluate_relmse(Image const& test, Image const& reference, MetricSettings const& settings)
{
    return average_pairs(
        "relmse", test, reference, settings,
        [](double t, double r) { return squared_difference(t, r) / (r * r + 0.01); }, keep_mean);
}

} // namespace

extern constinit Metric const relmse_metric{"relmse", "mean of (t - r)^2 / (r^2 + 0.01) (Rousselle et al. 2011)",
                                            Better::lower, Reach::value, evaluate_relmse};

} // namespace volpt
