// Mean relative squared error of whole pixels.
#include "libvolpt/stats/metrics/figures.h"

namespace volpt {
namespace {

/// |t - r|^2 / (|r|^2 + 0.001) over channels [first, end); NaN where one of their values is NaN or infinite.
std::vector<float> relate_pixels(Image const& test, Image const& reference, MetricSettings const& settings,
                                 std::size_t first, std::size_t end)
{
    std::vector<float> error(test.pixel_count());
    auto const width = static_cast<std::size_t>(test.width);
    parallel_for_rows(settings.threads, test.height, 16, [&](RowRange rows) {
        std::vector<double> apart(width), size(width);
        for (std::size_t row = static_cast<std::size_t>(rows.first); row < static_cast<std::size_t>(rows.end); ++row) {
            std::ranges::fill(apart, 0.0);
            std::ranges::fill(size, 0.001);
            for (std::size_t c = first; c < end; ++c) {
                float const* const t = test.channels[c].values.data() + row * width;
                float const* const r = reference.channels[c].values.data() + row * width;
                for (std::size_t x = 0; x < width; ++x) {
                    apart[x] +=
                        is_pair(t[x], r[x]) ? squared_difference(t[x], r[x]) : std::numeric_limits<double>::quiet_NaN();
                    size[x] += static_cast<double>(r[x]) * static_cast<double>(r[x]);
                }
            }
            for (std::size_t x = 0; x < width; ++x) error[row * width + x] = static_cast<float>(apart[x] / size[x]);
        }
    });
    return error;
}

MetricResult evaluate_mrse(Image const& test, Image const& reference, MetricSettings const& settings)
{
    require_comparable(test, reference);
    MetricResult result{.values = {{"mrse", 0}},
                        .map = relate_pixels(test, reference, settings, 0, test.channels.size())};
    result.values[0].value = average_finite(result.map);
    for (std::size_t c = 0; c < test.channels.size(); ++c)
        result.values.push_back(
            {"mrse." + test.channels[c].name, average_finite(relate_pixels(test, reference, settings, c, c + 1))});
    if (settings.keep_map == KeepMap::no) result.map.clear();
    return result;
}

} // namespace

extern constinit Metric const mrse_metric{"mrse",
                                          "mean over pixels of |t - r|^2 / (|r|^2 + 0.001), norms over the channels",
                                          Better::lower, Reach::value, evaluate_mrse};

} // namespace volpt
