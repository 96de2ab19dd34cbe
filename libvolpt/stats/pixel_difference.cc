// Comparability of two images, and where they differ most.
#include "libvolpt/stats/pixel_difference.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt
{

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
    std::optional<LargestDifference> largest;
    auto const width = static_cast<std::size_t>(test.width);
    for (std::size_t c = channel.value_or(0); c < (channel ? *channel + 1 : test.channels.size()); ++c) {
        Channel const& from = test.channels[c];
        Channel const& to = reference.channels[c];
        visit_differences(from, to, [&](std::size_t i, double difference) {
            double const absolute = std::abs(difference);
            if (largest && absolute <= largest->absolute) return;
            largest = {.x = static_cast<int>(i % width),
                       .y = static_cast<int>(i / width),
                       .channel = from.name,
                       .test = from.values[i],
                       .reference = to.values[i],
                       .absolute = absolute};
        });
    }
    return largest;
}

} // namespace volpt
