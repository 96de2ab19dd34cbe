// Percentiles by two counting passes over the bits of the floats.
#include "libvolpt/stats/metrics/pool_map.h"

#include <bit>
#include <fmt/format.h>

namespace volpt {
namespace {

/// Bits of non-negative floats are in the order of their values.
constexpr int kLowBits = 16;
constexpr std::size_t kBins = std::size_t{1} << kLowBits;

using Histogram = std::vector<std::uint64_t>;

/// Counts bin(bits) of each finite value over threads; bin may say kBins for "not here".
template <class Bin>
Histogram count_bits(std::span<float const> map, MetricSettings const& settings, Bin bin)
{
    std::size_t const pieces = static_cast<std::size_t>(std::max(settings.threads, 1));
    std::vector<Histogram> parts(pieces, Histogram(kBins + 1));
    for_each_piece(settings.threads, pieces, [&](std::size_t piece) {
        Histogram& counts = parts[piece];
        for (std::size_t i = map.size() * piece / pieces; i < map.size() * (piece + 1) / pieces; ++i)
            if (is_pair(map[i], map[i])) ++counts[bin(std::bit_cast<std::uint32_t>(map[i] + 0.0f))];
    });
    for (std::size_t piece = 1; piece < pieces; ++piece)
        for (std::size_t i = 0; i <= kBins; ++i) parts[0][i] += parts[piece][i];
    return std::move(parts[0]);
}

/// The bin that holds the value of this rank (0: the smallest), and the rank inside it.
std::size_t find_rank(Histogram const& counts, std::uint64_t& rank)
{
    std::size_t bin = 0;
    while (rank >= counts[bin]) rank -= counts[bin++];
    return bin;
}

float select_rank(std::span<float const> map, MetricSettings const& settings, Histogram const& high, std::uint64_t rank)
{
    auto const high_bits = static_cast<std::uint32_t>(find_rank(high, rank));
    Histogram const low = count_bits(map, settings, [&](std::uint32_t bits) {
        return bits >> kLowBits == high_bits ? std::size_t{bits & (kBins - 1)} : kBins;
    });
    auto const low_bits = static_cast<std::uint32_t>(find_rank(low, rank));
    return std::bit_cast<float>(high_bits << kLowBits | low_bits);
}

} // namespace

double average_finite(std::span<float const> map)
{
    PairSum const total = sum_pairs(map, map, [](double value, double) { return value; });
    return total.count > 0 ? total.sum / total.count : std::numeric_limits<double>::quiet_NaN();
}

std::vector<MetricValue> pool_map(std::string_view name, std::span<float const> map, MetricSettings const& settings)
{
    Histogram const high = count_bits(map, settings, [](std::uint32_t bits) { return std::size_t{bits >> kLowBits}; });
    std::uint64_t total = 0;
    for (std::uint64_t const count : high) total += count;
    auto const percentile = [&](std::uint64_t percent) {
        if (total == 0) return std::numeric_limits<double>::quiet_NaN();
        std::uint64_t const rank = std::max<std::uint64_t>((total * percent + 99) / 100, 1) - 1;
        return static_cast<double>(select_rank(map, settings, high, rank));
    };
    return {{fmt::format("{}.mean", name), average_finite(map)},
            {fmt::format("{}.median", name), percentile(50)},
            {fmt::format("{}.p95", name), percentile(95)},
            {fmt::format("{}.max", name), percentile(100)}};
}

} // namespace volpt
