// Peak signal-to-noise ratio.
#include "libvolpt/stats/metrics/figures.h"

namespace volpt {
namespace {

MetricResult evaluate_psnr(Image const& test, Image const& reference, MetricSettings const& settings)
{
    MetricSettings plain = settings;
    plain.keep_map = KeepMap::no; // it has no value per pixel
    return average_pairs("psnr", test, reference, plain, squared_difference,
                         [&](double mean) { return 10 * std::log10(settings.peak * settings.peak / mean); });
}

} // namespace

extern constinit Metric const psnr_metric{"psnr", "10 log10(peak^2 / mse) in dB; infinite for equal images",
                                          Better::higher, Reach::value, evaluate_psnr};

} // namespace volpt
