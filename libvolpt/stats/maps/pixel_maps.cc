#include "libvolpt/stats/maps/pixel_maps.h"

#include "libvolpt/sys/error.h"

#include <bit>
#include <fmt/format.h>

namespace volpt {
namespace {

/// The largest absolute difference of a channel, or -1 without any pair; with lanes as in sum_pairs.
double find_largest_of(Channel const& test, Channel const& reference)
{
    constexpr std::size_t kLanes = 8;
    std::array<double, kLanes> largest;
    largest.fill(-1);
    std::size_t const size = test.values.size();
    auto const widen = [&](std::size_t i, double& so_far) {
        float const t = test.values[i], r = reference.values[i];
        double const difference = std::abs(static_cast<double>(t) - static_cast<double>(r));
        so_far = is_pair(t, r) && difference > so_far ? difference : so_far;
    };
    for (std::size_t i = 0; i + kLanes <= size; i += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) widen(i + lane, largest[lane]);
    for (std::size_t i = size / kLanes * kLanes; i < size; ++i) widen(i, largest[0]);
    return std::ranges::max(largest);
}

// Percentiles take two counting passes: the bits of non-negative floats are in the order of their values.
constexpr int kLowBits = 16;
constexpr std::size_t kBins = std::size_t{1} << kLowBits;

using Histogram = std::vector<std::uint64_t>;

/// Counts bin(bits) over the finite values; bin returns kBins for a value that is not to be counted.
template <class Bin>
Histogram count_bits(std::span<float const> map, int threads, Bin bin)
{
    std::size_t const pieces = static_cast<std::size_t>(std::max(threads, 1));
    std::vector<Histogram> parts(pieces, Histogram(kBins + 1));
    parallel_for(threads, pieces, [&](std::size_t piece) {
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

float select_rank(std::span<float const> map, int threads, Histogram const& high, std::uint64_t rank)
{
    auto const high_bits = static_cast<std::uint32_t>(find_rank(high, rank));
    Histogram const low = count_bits(map, threads, [&](std::uint32_t bits) {
        return bits >> kLowBits == high_bits ? std::size_t{bits & (kBins - 1)} : kBins;
    });
    auto const low_bits = static_cast<std::uint32_t>(find_rank(low, rank));
    return std::bit_cast<float>(high_bits << kLowBits | low_bits);
}

} // namespace

void require_comparable(Image const& test, Image const& reference)
{
    if (test.width != reference.width || test.height != reference.height)
        fail_usage(fmt::format("images of {} x {} and {} x {} pixels cannot be compared pixel by pixel", test.width,
                               test.height, reference.width, reference.height));
    if (!std::ranges::equal(test.channels, reference.channels, {}, &Channel::name, &Channel::name))
        fail_usage("images of different channels cannot be compared");
}

std::optional<LargestDifference> find_largest_difference(Image const& test, Image const& reference,
                                                         std::optional<std::size_t> channel)
{
    require_comparable(test, reference);
    double largest = -1;
    std::size_t where = 0;
    for (std::size_t c = channel.value_or(0); c < (channel ? *channel + 1 : test.channels.size()); ++c)
        if (double const here = find_largest_of(test.channels[c], reference.channels[c]); here > largest) {
            largest = here;
            where = c;
        }
    if (largest < 0) return {};
    Channel const& from = test.channels[where];
    Channel const& to = reference.channels[where];
    auto const width = static_cast<std::size_t>(test.width);
    for (std::size_t i = 0;; ++i)
        if (is_pair(from.values[i], to.values[i]) &&
            std::abs(static_cast<double>(from.values[i]) - static_cast<double>(to.values[i])) == largest)
            return LargestDifference{.x = static_cast<int>(i % width),
                                     .y = static_cast<int>(i / width),
                                     .channel = from.name,
                                     .test = from.values[i],
                                     .reference = to.values[i],
                                     .absolute = largest};
}

double average_finite(std::span<float const> map)
{
    return sum_pairs(map, map, [](double value, double) { return value; }).mean();
}

MapSummary summarize_map(std::span<float const> map, int threads)
{
    Histogram const high = count_bits(map, threads, [](std::uint32_t bits) { return std::size_t{bits >> kLowBits}; });
    std::uint64_t total = 0;
    for (std::uint64_t const count : high) total += count;
    auto const percentile = [&](std::uint64_t percent) {
        if (total == 0) return std::numeric_limits<double>::quiet_NaN();
        std::uint64_t const rank = std::max<std::uint64_t>((total * percent + 99) / 100, 1) - 1;
        return static_cast<double>(select_rank(map, threads, high, rank));
    };
    return {average_finite(map), percentile(50), percentile(95), percentile(100)};
}

} // namespace volpt
