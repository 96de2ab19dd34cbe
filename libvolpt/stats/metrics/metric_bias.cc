// Mean signed error.
#include "libvolpt/stats/metrics/figures.h"

namespace volpt {
namespace {

MetricResult evaluate_bias(Image const& test, Image const& reference, MetricSettings const& settings)
{
    return average_pairs(
        "bias", test, reference, settings, [](double t, double r) { return t - r; }, keep_mean);
}

} // namespace

extern constinit Metric const bias_metric{"bias", "mean of t - r; tells a systematic difference from noise",
                                          Better::closer_to_zero, Reach::value, evaluate_bias};

} // namespace volpt
