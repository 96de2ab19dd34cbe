// Structural similarity over five scales (Wang, Simoncelli & Bovik 2003).
#include "libvolpt/stats/maps/pixel_maps.h"
#include "libvolpt/stats/maps/ssim.h"
#include "libvolpt/stats/metrics/metric.h"

namespace volpt {
namespace {

constexpr std::array<double, 5> kWeights{0.0448, 0.2856, 0.3001, 0.2363, 0.1333};

struct PlanePair {
    int width;
    int height;
    std::vector<float> test, reference;

    Plane view_test() const { return {width, height, test}; }
    Plane view_reference() const { return {width, height, reference}; }
};

/// Means over those of 2 x 2 values that are finite in both planes; NaN without any. An odd last row or column is left
/// out.
PlanePair halve(Plane test, Plane reference, int threads)
{
    PlanePair half{test.width / 2, test.height / 2, {}, {}};
    auto const width = static_cast<std::size_t>(half.width), full_width = static_cast<std::size_t>(test.width);
    half.test.resize(width * static_cast<std::size_t>(half.height));
    half.reference.resize(half.test.size());
    parallel_for_rows(threads, half.height, 64, [&](RowRange rows) {
        for (auto y = static_cast<std::size_t>(rows.first); y < static_cast<std::size_t>(rows.end); ++y)
            for (std::size_t x = 0; x < width; ++x) {
                float t = 0, r = 0, count = 0;
                for (std::size_t const i : {2 * y * full_width + 2 * x, (2 * y + 1) * full_width + 2 * x})
                    for (std::size_t k = i; k < i + 2; ++k) {
                        bool const counts_in = is_pair(test.values[k], reference.values[k]);
                        t += counts_in ? test.values[k] : 0.0f;
                        r += counts_in ? reference.values[k] : 0.0f;
                        count += counts_in ? 1.0f : 0.0f;
                    }
                half.test[y * width + x] = t / count;
                half.reference[y * width + x] = r / count;
            }
    });
    return half;
}

/// Equation 7 of the paper. A negative mean, for which a power is not defined, counts as 0.
double compare_scales(Plane test, Plane reference, MetricSettings const& settings)
{
    double product = 1;
    PlanePair half;
    for (std::size_t scale = 0; scale < kWeights.size(); ++scale) {
        SsimMeans const means = compare_structure(test, reference, settings.peak, settings.threads, {});
        double const mean = scale + 1 < kWeights.size() ? means.structure : means.similarity;
        product *= std::pow(mean < 0 ? 0 : mean, kWeights[scale]);
        if (scale + 1 == kWeights.size() || test.width < 2 || test.height < 2) break;
        half = halve(test, reference, settings.threads);
        test = half.view_test();
        reference = half.view_reference();
    }
    return product;
}

MetricResult evaluate_msssim(Image const& test, Image const& reference, MetricSettings const& settings)
{
    require_comparable(test, reference);
    MetricResult result{.values = {{"msssim", 0}}, .map = {}};
    for (std::size_t c = 0; c < test.channels.size(); ++c) {
        double const value = compare_scales({test.width, test.height, test.channels[c].values},
                                            {test.width, test.height, reference.channels[c].values}, settings);
        result.values.push_back({"msssim." + test.channels[c].name, value});
        result.values.front().value += value / static_cast<double>(test.channels.size());
    }
    return result;
}

} // namespace

extern constinit Metric const msssim_metric{
    "msssim", "structural similarity over five scales, from 176 x 176 pixels (Wang et al. 2003)", Better::higher,
    Reach::neighbourhood, evaluate_msssim};

} // namespace volpt
