// LDR-FLIP (Andersson et al. 2020).
#include "libvolpt/stats/maps/flip.h"
#include "libvolpt/stats/metrics/figures.h"

namespace volpt {
namespace {

MetricResult evaluate_flip(Image const& test, Image const& reference, MetricSettings const& settings)
{
    auto const display = [](Image const& image) {
        return [&image](int y, int first, int end, ColourRow to) { load_clamped(image, y, first, end, to); };
    };
    return pool_displayed("flip", test, reference, settings, [&](Image const& t, Image const& r) {
        std::vector<float> map(t.pixel_count());
        measure_flip({t.width, t.height, display(t), display(r)}, settings.pixels_per_degree, settings.threads, map);
        return map;
    });
}

} // namespace

extern constinit Metric const flip_metric{
    "flip",        "LDR-FLIP of the picture as displayed, clamped to 0..1 (Andersson et al. 2020)",
    Better::lower, Reach::neighbourhood,
    evaluate_flip, AlphaUse::displayed};

} // namespace volpt
