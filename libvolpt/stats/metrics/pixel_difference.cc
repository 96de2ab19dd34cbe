// Comparability of two images, and where they differ most.
#include "libvolpt/stats/metrics/pixel_difference.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {

void require_comparable(Image const& test, Image const& reference)
{
    if (test.width != reference.width || test.height != reference.height)
        fail_usage(fmt::format("images of {} x {} and {} x {} pixels cannot be compared pixel by pixel", test.width,
                               test.height, reference.width, reference.height));
    if (!std::ranges::equal(test.channels, reference.channels, {}, &Channel::name, &Channel::name))
        fail_usage("images of different channels cannot be compared");
}

namespace {

/// The largest absolute difference of a channel, or -1 without any pair; lanes as in sum_pairs.
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

} // namespace

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

} // namespace volpt
