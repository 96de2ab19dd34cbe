#include "libvolpt/medium/colour_labels.h"

#include "libvolpt/volume/meta.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace volpt {
namespace {

constexpr unsigned kOpaque = 0xff;
constexpr unsigned kHalfOpaque = 128;

int channel_of(std::uint32_t colour, int shift)
{
    return static_cast<int>(colour >> shift & 0xffu);
}

/// Largest difference, and sum of squares.
std::pair<int, int> measure_distance(std::uint32_t a, std::uint32_t b)
{
    int largest = 0;
    int squares = 0;
    for (int const shift : {24, 16, 8}) {
        int const difference = std::abs(channel_of(a, shift) - channel_of(b, shift));
        largest = std::max(largest, difference);
        squares += difference * difference;
    }
    return {largest, squares};
}

} // namespace

ColourLabels::ColourLabels(MaterialTable const& table, std::span<ColourLabel const> more, int snap)
    : known_(more.begin(), more.end()), snap_(snap)
{
    for (std::size_t i = 0; i < table.materials.size(); ++i) {
        auto const& colour = table.colours[i];
        bool const is_new = colour && std::ranges::find(known_, *colour, &ColourLabel::colour) == known_.end();
        if (is_new) known_.push_back({*colour, static_cast<std::uint8_t>(i)});
    }
    if (auto const air = find_air(table)) air_ = static_cast<std::uint8_t>(*air);
}

ColourLabels::Match ColourLabels::find(std::uint32_t colour) const
{
    for (ColourLabel const& known : known_)
        if (known.colour == colour) return {Kind::exact, known.label, 0};
    unsigned const alpha = colour & 0xffu;
    if (alpha == 0) return {air_ ? Kind::exact : Kind::unknown, air_.value_or(0), 0};
    if (snap_ == 0) return {};
    if (alpha < kHalfOpaque) return {air_ ? Kind::snapped : Kind::unknown, air_.value_or(0), 0};
    Match nearest = find_nearest(colour);
    if (nearest.kind == Kind::unknown || nearest.distance > snap_) return {};
    nearest.kind = Kind::snapped;
    return nearest;
}

ColourLabels::Match ColourLabels::find_nearest(std::uint32_t colour) const
{
    Match nearest;
    std::pair<int, int> smallest{256, 0};
    for (ColourLabel const& known : known_) {
        if ((known.colour & 0xffu) != kOpaque) continue;
        auto const distance = measure_distance(colour, known.colour);
        if (!(distance < smallest)) continue;
        smallest = distance;
        nearest = {distance.first == 0 ? Kind::exact : Kind::snapped, known.label, distance.first};
    }
    return nearest;
}

} // namespace volpt
