// Structural similarity (Wang et al. 2004).
#include "libvolpt/stats/maps/pixel_maps.h"
#include "libvolpt/stats/maps/ssim.h"
#include "libvolpt/stats/metrics/metric.h"

namespace volpt {
namespace {

MetricResult evaluate_ssim(Image const& test, Image const& reference, MetricSettings const& settings)
{
    require_comparable(test, reference);
    MetricResult result{.values = {{"ssim", 0}}, .map = {}};
    bool const keep = settings.keep_map == KeepMap::yes;
    std::vector<float> channel_map(keep ? test.pixel_count() : 0);
    if (keep) result.map.resize(test.pixel_count());
    auto const channels = static_cast<double>(test.channels.size());
    for (std::size_t c = 0; c < test.channels.size(); ++c) {
        double const value = compare_structure({test.width, test.height, test.channels[c].values},
                                               {test.width, test.height, reference.channels[c].values}, settings.peak,
                                               settings.threads, channel_map)
                                 .similarity;
        result.values.push_back({"ssim." + test.channels[c].name, value});
        result.values.front().value += value / channels;
        for (std::size_t i = 0; i < result.map.size(); ++i)
            result.map[i] += channel_map[i] / static_cast<float>(channels);
    }
    return result;
}

} // namespace

extern constinit Metric const ssim_metric{
    "ssim", "mean structural similarity, values as they are, full scale --peak (Wang et al. 2004)", Better::higher,
    Reach::neighbourhood, evaluate_ssim};

} // namespace volpt
