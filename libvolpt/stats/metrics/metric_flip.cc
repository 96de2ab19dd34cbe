// LDR-FLIP (Andersson et al. 2020).
#include "libvolpt/stats/maps/flip.h"
#include "libvolpt/stats/metrics/figures.h"

namespace volpt {
namespace {

MetricResult evaluate_flip(Image const& test, Image const& reference, MetricSettings const& settings)
{
    require_comparable(test, reference);
    require_colours(test, "flip");
    std::vector<float> map(test.pixel_count());
    auto const display = [](Image const& image) {
        return [&image](int y, int first, int end, ColourRow to) { load_clamped(image, y, first, end, to); };
    };
    measure_flip({test.width, test.height, display(test), display(reference)}, settings.pixels_per_degree,
                 settings.threads, map);
    return pool_map("flip", std::move(map), settings);
}

} // namespace

extern constinit Metric const flip_metric{
    "flip", "LDR-FLIP of the picture as displayed, clamped to 0..1 (Andersson et al. 2020)", Better::lower,
    Reach::neighbourhood, evaluate_flip};

} // namespace volpt
