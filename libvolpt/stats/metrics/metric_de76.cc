// CIE 1976 colour difference.
#include "libvolpt/stats/metrics/figures.h"

namespace volpt {
namespace {

MetricResult evaluate_de76(Image const& test, Image const& reference, MetricSettings const& settings)
{
    return measure_colours("de76", test, reference, settings, measure_de76);
}

} // namespace

extern constinit Metric const de76_metric{
    "de76",        "CIE 1976 colour difference, D65 or --illuminant, no viewing transfer (CIE 15:2004)",
    Better::lower, Reach::value,
    evaluate_de76, AlphaUse::displayed,
    Coding::own};

} // namespace volpt
