#include "libvolpt/medium/colour_labels.h"

#include "libvolpt/medium/resins.h"
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

/// The largest channel less the smallest: 0 for greys.
int measure_chroma(std::uint32_t colour)
{
    auto const [least, most] = std::minmax({channel_of(colour, 24), channel_of(colour, 16), channel_of(colour, 8)});
    return most - least;
}

/// In degrees, 0 to 360; not for greys.
double find_hue(std::uint32_t colour)
{
    double const r = channel_of(colour, 24), g = channel_of(colour, 16), b = channel_of(colour, 8);
    double const chroma = measure_chroma(colour), most = std::max({r, g, b});
    double const sixth = most == r ? (g - b) / chroma : most == g ? 2 + (b - r) / chroma : 4 + (r - g) / chroma;
    return 60 * (sixth < 0 ? sixth + 6 : sixth);
}

/// Whether both are greys, or have about the same hue.
bool is_alike_in_hue(std::uint32_t a, std::uint32_t b)
{
    constexpr double kHueRange = 45; // degrees: #005a9e, at 206, is not far from cyan, at 180
    if (is_grey(a) || is_grey(b)) return is_grey(a) == is_grey(b);
    double const difference = std::abs(find_hue(a) - find_hue(b));
    return std::min(difference, 360 - difference) <= kHueRange;
}

} // namespace

bool is_grey(std::uint32_t colour)
{
    constexpr int kGreyChroma = 48;
    return measure_chroma(colour) < kGreyChroma;
}

ColourLabels::ColourLabels(MaterialTable const& table, std::span<ColourLabel const> more, int snap)
    : known_(more.begin(), more.end()), snap_(snap)
{
    for (std::size_t i = 0; i < table.materials.size(); ++i) {
        auto const& colour = table.colours[i];
        bool const is_new = colour && std::ranges::find(known_, *colour, &ColourLabel::colour) == known_.end();
        if (is_new) known_.push_back({*colour, static_cast<std::uint8_t>(i)});
    }
    for (ResinColour const resin : kVeroResins) {
        auto const material = find_resin_material(table, resin);
        if (material) resins_.push_back({*find_vero_colour(resin), static_cast<std::uint8_t>(*material)});
    }
    if (auto const air = find_air(table)) air_ = static_cast<std::uint8_t>(*air);
}

ColourLabels::Match ColourLabels::find(std::uint32_t colour) const
{
    for (ColourLabel const& known : known_)
        if (known.colour == colour) return {Kind::exact, known.label, 0};
    for (ColourLabel const& resin : resins_)
        if (resin.colour == colour) return {Kind::resin, resin.label, 0};
    unsigned const alpha = colour & 0xffu;
    if (alpha == 0) return {air_ ? Kind::exact : Kind::unknown, air_.value_or(0), 0};
    if (snap_ == 0) return {};
    if (alpha < kHalfOpaque) return {air_ ? Kind::snapped : Kind::unknown, air_.value_or(0), 0};
    Match nearest = find_nearest(colour);
    if (nearest.distance > kMixtureDistance) nearest = find_nearest_of_hue(colour);
    if (nearest.kind == Kind::unknown || nearest.distance > snap_) return {};
    nearest.kind = Kind::snapped;
    return nearest;
}

ColourLabels::Match ColourLabels::find_nearest(std::uint32_t colour) const
{
    return find_nearest_among(colour, Candidates::all);
}

ColourLabels::Match ColourLabels::find_nearest_of_hue(std::uint32_t colour) const
{
    return find_nearest_among(colour, Candidates::of_hue);
}

ColourLabels::Match ColourLabels::find_nearest_among(std::uint32_t colour, Candidates candidates) const
{
    Match nearest;
    std::pair<int, int> smallest{256, 0};
    for (ColourLabel const& known : known_) {
        if ((known.colour & 0xffu) != kOpaque) continue;
        auto const distance = measure_distance(colour, known.colour);
        if (!(distance < smallest)) continue;
        bool const may_be_meant = distance.first <= kNearDistance || is_alike_in_hue(colour, known.colour);
        if (candidates == Candidates::of_hue && !may_be_meant) continue;
        smallest = distance;
        nearest = {distance.first == 0 ? Kind::exact : Kind::snapped, known.label, distance.first};
    }
    return nearest;
}

} // namespace volpt
