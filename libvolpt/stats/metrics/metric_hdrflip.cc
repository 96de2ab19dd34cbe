// HDR-FLIP (Andersson et al. 2021): the largest LDR-FLIP over a range of exposures, tone-mapped as ACES does.
#include "libvolpt/stats/maps/flip.h"
#include "libvolpt/stats/metrics/figures.h"

#include <algorithm>

namespace volpt {
namespace {

/// The ACES fit of K. Narkowicz, with its pre-exposure of 0.6 inside: (x^2 k0 + x k1) / (x^2 k3 + x k4 + k5).
constexpr float k0 = 0.6f * 0.6f * 2.51f, k1 = 0.6f * 0.03f, k3 = 0.6f * 0.6f * 2.43f, k4 = 0.6f * 0.59f, k5 = 0.14f;

void load_exposed(Image const& image, float factor, int y, int x_first, int x_end, ColourRow to)
{
    load_linear_rgb(image, y, x_first, x_end, to);
    for (float* const row : {to.first, to.second, to.third})
        for (int i = 0; i < x_end - x_first; ++i) {
            // Above 1e9 the curve is flat, and x^2 would overflow.
            float const x = std::clamp(row[i] * factor, 0.0f, 1e9f);
            float const mapped = (x * x * k0 + x * k1) / (x * x * k3 + x * k4 + k5);
            row[i] = mapped > 1 ? 1.0f : mapped;
        }
}

struct Exposures {
    double first;
    double last;
    int count;
};

/// Section 4 of the paper: from the exposure that maps the brightest pixel of the reference to 0.85 to the one that
/// maps its median to 0.85; at least 2, at most one per stop.
Exposures choose_exposures(Image const& reference, int threads)
{
    std::vector<float> luminance(reference.pixel_count());
    auto const width = static_cast<std::size_t>(reference.width);
    parallel_for_rows(threads, reference.height, 16, [&](RowRange rows) {
        std::vector<float> buffer(3 * width);
        ColourRow const rgb{buffer.data(), buffer.data() + width, buffer.data() + 2 * width};
        for (int y = rows.first; y < rows.end; ++y) {
            load_linear_rgb(reference, y, 0, reference.width, rgb);
            float* const to = luminance.data() + static_cast<std::size_t>(y) * width;
            for (std::size_t x = 0; x < width; ++x)
                to[x] = std::max(0.2126f * rgb.first[x] + 0.7152f * rgb.second[x] + 0.0722f * rgb.third[x], 0.0f);
        }
    });
    auto const [mean, median, p95, largest] = summarize_map(luminance, threads);
    if (!(largest > 0)) return {0, 0, 1};

    constexpr double kTarget = 0.85;
    double const half = 0.5 * (k1 - k4 * kTarget) / (k0 - k3 * kTarget);
    double const mapped_there = -half + std::sqrt(half * half + k5 * kTarget / (k0 - k3 * kTarget));
    double const first = std::log2(mapped_there / largest);
    // A median of 0 has no exposure: 20 stops reach the dimmest pixel of any display.
    double const last = std::log2(mapped_there / std::max(median, largest * 0x1p-20));
    return {first, last, std::max(2, static_cast<int>(std::ceil(last - first)))};
}

/// The largest error of each pixel over the exposures.
std::vector<float> map_exposures(Image const& test, Image const& reference, Exposures const& exposures,
                                 MetricSettings const& settings)
{
    std::vector<float> largest(test.pixel_count()), map(test.pixel_count());
    for (int i = 0; i < exposures.count; ++i) {
        double const step = (exposures.last - exposures.first) / std::max(exposures.count - 1, 1);
        auto const factor = static_cast<float>(std::exp2(exposures.first + i * step));
        auto const display = [&](Image const& image) {
            return [&image, factor](int y, int first, int end, ColourRow to) {
                load_exposed(image, factor, y, first, end, to);
            };
        };
        measure_flip({test.width, test.height, display(test), display(reference)}, settings.pixels_per_degree,
                     settings.threads, map);
        for (std::size_t p = 0; p < map.size(); ++p)
            largest[p] = map[p] <= largest[p] ? largest[p] : map[p]; // NaN wins
    }
    return largest;
}

MetricResult evaluate_hdrflip(Image const& test, Image const& reference, MetricSettings const& settings)
{
    std::vector<Exposures> chosen; // over each background
    MetricResult result = pool_displayed("hdrflip", test, reference, settings, [&](Image const& t, Image const& r) {
        chosen.push_back(choose_exposures(r, settings.threads));
        return map_exposures(t, r, chosen.back(), settings);
    });
    std::size_t const named = result.backgrounds.empty() ? 0 : find_worst(result.backgrounds);
    result.values.push_back({"hdrflip.start_exposure", chosen[named].first});
    result.values.push_back({"hdrflip.stop_exposure", chosen[named].last});
    result.values.push_back({"hdrflip.exposures", static_cast<double>(chosen[named].count)});
    return result;
}

} // namespace

extern constinit Metric const hdrflip_metric{
    "hdrflip",
    "HDR-FLIP of linear values, ACES tone mapping, exposures from the reference (Andersson et al. 2021)",
    Better::lower,
    Reach::neighbourhood,
    evaluate_hdrflip,
    AlphaUse::displayed};

} // namespace volpt
