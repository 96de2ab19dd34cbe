// CIE 1994 colour difference.
#include "libvolpt/stats/metrics/figures.h"

namespace volpt {
namespace {

MetricResult evaluate_de94(Image const& test, Image const& reference, MetricSettings const& settings)
{
    return measure_colours("de94", test, reference, settings, measure_de94);
}

} // namespace

extern constinit Metric const de94_metric{
    "de94",        "CIE 1994 colour difference, graphic arts, D65 or --illuminant, no viewing transfer (CIE 116-1995)",
    Better::lower, Reach::value,
    evaluate_de94, AlphaUse::displayed,
    Coding::own};

} // namespace volpt
