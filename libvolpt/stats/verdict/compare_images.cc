#include "libvolpt/stats/verdict/compare_images.h"

#include "libvolpt/image/displayed.h"
#include "libvolpt/image/linear_rgb.h"
#include "libvolpt/image/tone_map.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace volpt {
namespace {

bool is_layer(std::string const& name)
{
    return name == "sample_count" || name.find('.') != std::string::npos;
}

bool same_bits(float a, float b)
{
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

bool same_bits(Channel const& a, Channel const& b)
{
    return std::ranges::equal(a.values, b.values, [](float x, float y) { return same_bits(x, y); });
}

std::string list_names(std::vector<Channel> const& channels)
{
    std::string list;
    for (Channel const& channel : channels) list += (list.empty() ? "" : " ") + channel.name;
    return list.empty() ? "none" : list;
}

std::vector<Channel> take_layers(Image& image)
{
    auto const first = std::stable_partition(image.channels.begin(), image.channels.end(),
                                             [](Channel const& channel) { return !is_layer(channel.name); });
    std::vector<Channel> layers(std::make_move_iterator(first), std::make_move_iterator(image.channels.end()));
    image.channels.erase(first, image.channels.end());
    return layers;
}

void drop_alpha(Image& image)
{
    std::erase_if(image.channels, [](Channel const& channel) { return channel.name == "A"; });
}

/// Alpha is on both sides, or on none if both are opaque.
void unify_alpha(Image& test, Image& reference)
{
    if (is_opaque(test) && is_opaque(reference)) {
        drop_alpha(test);
        drop_alpha(reference);
        return;
    }
    for (Image* const image : {&test, &reference})
        if (image->find("A") == nullptr) std::ranges::fill(image->add_channel("A").values, 1.0f);
}

/// Only R, G, B, Y and A, in this order.
std::vector<Channel> keep_colours(std::vector<Channel> const& channels)
{
    std::vector<Channel> colours;
    for (char const* const name : {"R", "G", "B", "Y", "A"}) {
        auto const found = std::ranges::find(channels, name, &Channel::name);
        if (found != channels.end()) colours.push_back(*found);
    }
    return colours;
}

/// The pair before convert_to_srgb, for metrics that decode.
struct OwnCodings {
    Image test, reference;
};

OwnCodings copy_colours(Image const& test, Image const& reference)
{
    OwnCodings own;
    for (auto const& [from, to] : {std::pair{&test, &own.test}, std::pair{&reference, &own.reference}}) {
        *to = make_image(from->width, from->height, from->transfer, {});
        set_alpha_form(*to, find_alpha_form(*from));
        to->channels = keep_colours(from->channels);
    }
    return own;
}

/// Pixels that are NaN on both sides, see leave_out_uncovered.
std::vector<std::size_t> list_left_out(Image const& test, Image const& reference)
{
    std::vector<std::size_t> pixels;
    if (test.channels.empty() || reference.channels.empty()) return pixels;
    for (std::size_t i = 0; i < test.pixel_count(); ++i)
        if (std::isnan(test.channels[0].values[i]) && std::isnan(reference.channels[0].values[i])) pixels.push_back(i);
    return pixels;
}

/// Premultiplied pictures have no colour where alpha is 0, which tone_map makes 0; so is then the other's.
void clear_invisible(Image& coded, Image const& mapped)
{
    Channel const *const alpha = coded.find("A"), *const other = mapped.find("A");
    if (alpha == nullptr || other == nullptr) return;
    for (std::size_t i = 0; i < alpha->values.size(); ++i)
        if (alpha->values[i] == 0 && other->values[i] == 0)
            for (Channel& channel : coded.channels) channel.values[i] = 0;
}

/// Converts the linear one of a linear and a coded image; false, with a mismatch, if it has no colours.
bool convert_to_srgb(Image& test, Image& reference, ImageComparison& comparison)
{
    bool const test_is_linear = test.transfer == Transfer::linear;
    Image& linear = test_is_linear ? test : reference;
    Image& coded = test_is_linear ? reference : test;
    char const* const who = test_is_linear ? "test" : "reference";
    if (!linear.find("Y") && !(linear.find("R") && linear.find("G") && linear.find("B"))) {
        comparison.mismatches.push_back(fmt::format(
            "the {} is linear without channels R, G, B or Y, the other is sRGB-coded: no conversion is defined", who));
        return false;
    }
    comparison.notices.push_back(fmt::format("the {} is linear, the other sRGB-coded: it is compared sRGB-coded "
                                             "(exposure 1, clamped to 0..1), without layers, but for colour "
                                             "differences, which are of linear colours; equality means equal in 8 bits",
                                             who));
    std::vector<std::size_t> const left_out = list_left_out(test, reference);
    bool const is_premultiplied = find_alpha_form(linear) == AlphaForm::premultiplied;
    linear = tone_map(linear, 1);
    if (is_premultiplied) clear_invisible(coded, linear);
    for (Channel& channel : linear.channels)
        for (std::size_t const pixel : left_out) channel.values[pixel] = std::numeric_limits<float>::quiet_NaN();
    return true;
}

/// What to do if only one side has alpha.
std::string advise_on_alpha(Image const& test, Image const& reference)
{
    bool const has_one = (test.find("A") == nullptr) != (reference.find("A") == nullptr);
    if (!has_one || !has_colours(test) || !has_colours(reference)) return {};
    bool const is_plain = is_opaque(test) && is_opaque(reference);
    return fmt::format(" ({}--channels {} compares without alpha)", is_plain ? "A is 1 throughout: " : "",
                       test.find("R") == nullptr ? "Y" : "R,G,B");
}

/// Brings two linear images to one form of alpha.
void unify_alpha_form(Image& test, Image& reference, ImageComparison& comparison)
{
    bool const differs = find_alpha_form(test) != find_alpha_form(reference) && test.transfer == Transfer::linear &&
                         test.find("A") != nullptr && reference.find("A") != nullptr;
    if (!differs) return;
    bool const test_is_straight = find_alpha_form(test) == AlphaForm::straight;
    premultiply(test_is_straight ? test : reference);
    comparison.notices.push_back(fmt::format("the {} has straight alpha, the other premultiplied: its colours are "
                                             "multiplied by alpha",
                                             test_is_straight ? "test" : "reference"));
}

/// Puts the reference's channels into the test's order; false, with a mismatch, if the names differ.
bool align_channels(Image const& test, Image& reference, ImageComparison& comparison)
{
    std::vector<Channel> aligned;
    for (Channel const& channel : test.channels) {
        auto const found = std::ranges::find(reference.channels, channel.name, &Channel::name);
        if (found != reference.channels.end()) aligned.push_back(*found);
    }
    if (test.channels.empty() || aligned.size() != test.channels.size() ||
        aligned.size() != reference.channels.size()) {
        comparison.mismatches.push_back(fmt::format("channels differ: {} against {}{}", list_names(test.channels),
                                                    list_names(reference.channels), advise_on_alpha(test, reference)));
        return false;
    }
    reference.channels = std::move(aligned);
    return true;
}

void find_non_finite(Image const& test, Image const& reference, ImageComparison& comparison)
{
    std::vector<NonFinitePlace> equal;
    for (std::size_t c = 0; c < test.channels.size(); ++c)
        for (std::size_t i = 0; i < test.channels[c].values.size(); ++i) {
            float const a = test.channels[c].values[i];
            float const b = reference.channels[c].values[i];
            if (std::isfinite(a) && std::isfinite(b)) continue;
            bool const differs = !same_bits(a, b);
            comparison.non_finite_test += !std::isfinite(a);
            comparison.non_finite_reference += !std::isfinite(b);
            comparison.non_finite_differing += differs;
            std::vector<NonFinitePlace>& places = differs ? comparison.non_finite_places : equal;
            auto const width = static_cast<std::size_t>(test.width);
            if (places.size() < kNonFinitePlaces)
                places.push_back(
                    {static_cast<int>(i % width), static_cast<int>(i / width), test.channels[c].name, a, b});
        }
    std::vector<NonFinitePlace>& places = comparison.non_finite_places;
    places.insert(places.end(), equal.begin(),
                  equal.begin() +
                      static_cast<std::ptrdiff_t>(std::min(equal.size(), kNonFinitePlaces - places.size())));
}

bool equal_in_8_bits(Channel const& a, Channel const& b)
{
    return std::ranges::equal(a.values, b.values,
                              [](float x, float y) { return std::lround(x * 255.0f) == std::lround(y * 255.0f); });
}

void add_alpha(MetricResult const& result, std::string_view metric, ImageComparison& comparison)
{
    if (result.backgrounds.empty()) return;
    if (!comparison.alpha) comparison.alpha = DisplayedAlpha{{}, result.backgrounds, 0};
    comparison.alpha->metrics.emplace_back(metric);
}

/// Of the pixels that are not opaque on one side or both.
double measure_transparency(Image const& test, Image const& reference)
{
    std::size_t count = 0;
    auto const is_transparent = [](Channel const* alpha, std::size_t i) {
        return alpha != nullptr && alpha->values[i] < 1;
    };
    Channel const *const one = test.find("A"), *const other = reference.find("A");
    for (std::size_t i = 0; i < test.pixel_count(); ++i) count += is_transparent(one, i) || is_transparent(other, i);
    return static_cast<double>(count) / static_cast<double>(test.pixel_count());
}

/// Pixels that the files have outside of their display windows; a notice tells if they differ.
bool overscan_equal(Image const& test, Image const& reference, ImageComparison& comparison)
{
    auto const find = [](Image const& image) {
        auto const found =
            std::ranges::find(image.metadata, kOverscanAttribute, &std::pair<std::string, std::string>::first);
        return found == image.metadata.end() ? std::string() : found->second;
    };
    if (find(test) == find(reference)) return true;
    comparison.notices.emplace_back("pixels outside of the display window differ");
    return false;
}

/// Layers of the same name must be equal, and both sides must have the same layers.
bool layers_equal(std::vector<Channel> const& test, std::vector<Channel> const& reference, ImageComparison& comparison)
{
    bool equal = test.size() == reference.size();
    std::string differing;
    for (Channel const& layer : test) {
        auto const found = std::ranges::find(reference, layer.name, &Channel::name);
        if (found != reference.end() && same_bits(layer, *found)) continue;
        equal = false;
        differing += " " + layer.name;
    }
    if (test.size() != reference.size())
        comparison.notices.push_back(
            fmt::format("layers differ: {} against {}", list_names(test), list_names(reference)));
    else if (!equal)
        comparison.notices.push_back("layers differ:" + differing);
    return equal;
}

} // namespace

std::string describe(NonFinitePlace const& place)
{
    return fmt::format("pixel {},{} of channel {}: {} against {}", place.x, place.y, place.channel, place.test,
                       place.reference);
}

std::string describe(DisplayedAlpha const& alpha)
{
    std::vector<std::string> names;
    for (BackgroundError const& error : alpha.backgrounds) names.push_back("over " + error.background.name);
    return fmt::format("{:.3g} % of the pixels are not opaque: {} compare{} what is displayed {}{}", 100 * alpha.share,
                       fmt::join(alpha.metrics, ", "), alpha.metrics.size() == 1 ? "s" : "", fmt::join(names, " and "),
                       names.size() == 1 ? "" : ", and the larger error of each pixel counts");
}

ImageComparison compare_images(Image test, Image reference, std::span<Metric const* const> metrics,
                               MetricSettings const& settings)
{
    ImageComparison comparison;
    if (test.width != reference.width || test.height != reference.height) {
        comparison.mismatches.push_back(fmt::format(
            "sizes differ: {} x {} against {} x {} (--resample area brings the reference to the test's size)",
            test.width, test.height, reference.width, reference.height));
        return comparison;
    }
    std::vector<Channel> const test_layers = take_layers(test);
    std::vector<Channel> const reference_layers = take_layers(reference);
    bool const convert = test.transfer != reference.transfer;
    if (convert)
        unify_alpha(test, reference);
    else
        unify_alpha_form(test, reference, comparison);
    std::optional<OwnCodings> own;
    if (convert && std::ranges::any_of(metrics, [](Metric const* metric) { return metric->coding == Coding::own; }))
        own = copy_colours(test, reference);
    if (convert && !convert_to_srgb(test, reference, comparison)) return comparison;
    if (!align_channels(test, reference, comparison)) return comparison;

    for (Channel const& channel : test.channels) comparison.channels.push_back(channel.name);
    find_non_finite(test, reference, comparison);
    comparison.equal_bits = convert || (layers_equal(test_layers, reference_layers, comparison) &&
                                        overscan_equal(test, reference, comparison));
    for (std::size_t c = 0; c < test.channels.size(); ++c)
        comparison.equal_bits &= convert ? equal_in_8_bits(test.channels[c], reference.channels[c])
                                         : same_bits(test.channels[c], reference.channels[c]);
    for (Metric const* metric : metrics) {
        bool const decodes = own && metric->coding == Coding::own;
        MetricResult result =
            metric->evaluate(decodes ? own->test : test, decodes ? own->reference : reference, settings);
        comparison.values.insert(comparison.values.end(), result.values.begin(), result.values.end());
        add_alpha(result, metric->name, comparison);
        if (!result.map.empty()) comparison.maps.push_back({std::string(metric->name), std::move(result.map)});
    }
    if (comparison.alpha) comparison.alpha->share = measure_transparency(test, reference);
    comparison.largest = find_largest_difference(test, reference);
    return comparison;
}

} // namespace volpt
