#include "libvolpt/image/tone_map.h"

#include "libvolpt/colour/srgb.h"
#include "libvolpt/image/displayed.h"
#include "libvolpt/image/linear_rgb.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

constexpr int kRowsPerTask = 64;

float encode_clamped(double linear)
{
    if (!(linear > 0)) return 0.0f;
    if (linear >= 1) return 1.0f;
    return static_cast<float>(encode_srgb(linear));
}

} // namespace

Image tone_map(Image const& linear, float exposure, int threads)
{
    if (linear.transfer != Transfer::linear) fail_usage("tone mapping needs linear values; these are sRGB-coded");
    Image mapped = make_image(linear.width, linear.height, Transfer::srgb, {});
    mapped.metadata = linear.metadata;
    set_alpha_form(mapped, AlphaForm::straight);
    bool const colour = linear.find("R") && linear.find("G") && linear.find("B");
    if (!colour && !linear.find("Y")) fail_usage("tone mapping needs the channels R, G, B or Y", "write .exr instead");
    Channel const* const alpha = linear.find("A");
    bool const is_straight = find_alpha_form(linear) == AlphaForm::straight;
    auto const divide = [&](float value, std::size_t i) {
        double const part = alpha == nullptr || is_straight ? 1.0 : static_cast<double>(alpha->values[i]);
        return part > 0 ? static_cast<double>(value) / part : 0.0;
    };
    for (char const* name : {"R", "G", "B", "Y"}) {
        if ((name[0] == 'Y') == colour) continue;
        Channel& to = mapped.add_channel(name);
        Channel const& from = *linear.find(name);
        auto const width = static_cast<std::size_t>(linear.width);
        parallel_for_rows(threads, linear.height, kRowsPerTask, [&](RowRange rows) {
            for (std::size_t i = static_cast<std::size_t>(rows.first) * width;
                 i < static_cast<std::size_t>(rows.end) * width; ++i)
                to.values[i] = encode_clamped(divide(from.values[i], i) * static_cast<double>(exposure));
        });
    }
    if (alpha != nullptr) {
        Channel& to = mapped.add_channel("A");
        for (std::size_t i = 0; i < to.values.size(); ++i)
            to.values[i] = alpha->values[i] > 0 ? std::min(alpha->values[i], 1.0f) : 0.0f;
    }
    return mapped;
}

float find_exposure(Image const& linear)
{
    constexpr double kPercentile = 0.99, kShown = 0.9, kMost = 1e9;
    if (linear.transfer != Transfer::linear) fail_usage("an exposure needs linear values; these are sRGB-coded");
    bool const colour = linear.find("R") && linear.find("G") && linear.find("B");
    if (!colour && !linear.find("Y")) fail_usage("an exposure needs the channels R, G, B or Y");
    Channel const* const alpha = linear.find("A");
    bool const is_straight = find_alpha_form(linear) == AlphaForm::straight;
    std::vector<float> largest;
    for (std::size_t i = 0; i < linear.channels.front().values.size(); ++i) {
        float const part = alpha == nullptr ? 1.0f : alpha->values[i];
        if (!(part > 0)) continue;
        float value = 0;
        for (char const* name : {"R", "G", "B", "Y"})
            if (Channel const* const channel = (name[0] == 'Y') != colour ? linear.find(name) : nullptr)
                value = std::max(value, std::isnan(channel->values[i]) ? 0.0f : channel->values[i]);
        largest.push_back(is_straight ? value : value / part);
    }
    if (largest.empty()) return 1;
    auto const at =
        largest.begin() + static_cast<std::ptrdiff_t>(kPercentile * static_cast<double>(largest.size() - 1));
    std::ranges::nth_element(largest, at);
    if (!(*at > 0)) return 1;
    return static_cast<float>(std::min(kShown / static_cast<double>(*at), kMost));
}

Image make_displayable(Image const& image, Colour background)
{
    if (has_colours(image) && !is_opaque(image)) return make_displayable(display_over(image, background), background);
    bool const colour = image.find("R") && image.find("G") && image.find("B");
    Image shown = make_image(image.width, image.height, image.transfer, {});
    if (colour)
        for (char const* name : {"R", "G", "B"}) shown.channels.push_back(*image.find(name));
    else
        shown.channels.push_back({"Y", (image.find("Y") ? *image.find("Y") : image.channels.front()).values});
    for (Channel& channel : shown.channels)
        for (float& value : channel.values) value = std::isnan(value) ? 0 : std::clamp(value, 0.0f, 1.0f);
    return shown.transfer == Transfer::linear ? tone_map(shown, 1) : shown;
}

} // namespace volpt
