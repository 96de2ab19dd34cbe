// CIEDE2000 colour difference.
#include "libvolpt/stats/metrics/figures.h"

namespace volpt {
namespace {

MetricResult evaluate_de2000(Image const& test, Image const& reference, MetricSettings const& settings)
{
    return measure_colours("de2000", test, reference, settings, measure_de2000);
}

} // namespace

extern constinit Metric const de2000_metric{
    "de2000",        "CIEDE2000 colour difference, D65 or --illuminant, no viewing transfer (Sharma et al. 2005)",
    Better::lower,   Reach::value,
    evaluate_de2000, AlphaUse::displayed,
    Coding::own};

} // namespace volpt
