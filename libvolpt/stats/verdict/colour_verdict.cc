#include "libvolpt/stats/verdict/colour_verdict.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace volpt {
namespace {

constexpr double kLittleNoise = 0.15, kMuchNoise = 0.5; ///< shares of the Delta E of a texel

constexpr double kKnownRest = 0.8; ///< noise over difference, from which on the rest is told by chance

std::optional<double> find_value(std::vector<MetricValue> const& values, std::string_view name)
{
    auto const found = std::ranges::find(values, name, &MetricValue::name);
    return found == values.end() ? std::nullopt : std::optional(found->value);
}

/// The noise falls with the root of the number of samples.
std::string advise_samples(double share)
{
    double const factor = share * share / (kLittleNoise * kLittleNoise);
    return fmt::format("{:.0f} times the samples would make it {:.0f} %", std::ceil(factor), 100 * kLittleNoise);
}

std::string advise_trust(double share, double noise_p95, bool is_rest_known)
{
    if (!is_rest_known)
        return fmt::format("Trust the mean of large areas alone: there are too few samples for more ({}).",
                           advise_samples(share));
    if (share <= kLittleNoise)
        return fmt::format("Trust single texels where they differ by more than {:.2g}, and all patches.", noise_p95);
    if (share <= kMuchNoise)
        return fmt::format("Trust patches; of single texels only differences well above {:.2g} ({}).", noise_p95,
                           advise_samples(share));
    return fmt::format("Trust patches and the impression of the whole, no single texel: they are mostly noise ({}).",
                       advise_samples(share));
}

} // namespace

std::vector<std::string> describe_colours(std::vector<MetricValue> const& values)
{
    auto const share = find_value(values, "de2000.noise_share"), noise_mean = find_value(values, "de2000.noise_mean"),
               noise_p95 = find_value(values, "de2000.noise_p95"), mean = find_value(values, "de2000.mean"),
               p95 = find_value(values, "de2000.p95");
    if (!share || !noise_mean || !noise_p95 || !mean || !p95) return {};
    std::vector<std::string> sentences{
        fmt::format("Delta E 2000 is {:.1f} on average; 95 % of the texels are below {:.1f}.", *mean, *p95)};
    if (!std::isfinite(*noise_mean) || !std::isfinite(*share)) {
        sentences.emplace_back("Its noise is not known: some texels have a single sample. Trust nothing yet.");
        return sentences;
    }
    double const rest = *mean * *mean - *noise_mean * *noise_mean; // noise and difference are independent
    bool const is_rest_known = *noise_mean < kKnownRest * *mean;
    sentences.push_back(fmt::format(
        "{:.0f} % of a texel's Delta E is noise, which alone makes {:.2g} on average{}.", 100 * *share, *noise_mean,
        is_rest_known ? fmt::format("; without it the mean would be about {:.1f}", std::sqrt(rest)) : std::string()));
    sentences.push_back(advise_trust(*share, *noise_p95, is_rest_known));
    return sentences;
}

} // namespace volpt
