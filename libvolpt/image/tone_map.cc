#include "libvolpt/image/tone_map.h"

#include "libvolpt/colour/srgb.h"
#include "libvolpt/image/displayed.h"
#include "libvolpt/image/linear_rgb.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <array>
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

// Narkowicz 2016: (a x^2 + b x) / (c x^2 + d x + e), which passes 1.
constexpr double kA = 2.51, kB = 0.03, kC = 2.43, kD = 0.59, kE = 0.14;

/// The positive root of first x^2 + second x + third, which is negative at 0.
constexpr double find_root(double first, double second, double third)
{
    double const square = second * second - 4 * first * third;
    double root = 1;
    for (int i = 0; i < 60; ++i) root = 0.5 * (root + square / root); // Newton: std::sqrt is not constexpr
    return (root - second) / (2 * first);
}

/// x at which the curve has this value.
constexpr double invert_curve(double shown)
{
    return find_root(kA - shown * kC, kB - shown * kD, -shown * kE);
}

constexpr double kMiddleGrey = 0.18, kFilmicScale = invert_curve(kMiddleGrey) / kMiddleGrey;
static_assert(kFilmicScale > 0.7231 && kFilmicScale < 0.7232);

constexpr double kDesaturation = 0.15; // Khronos 2024
constexpr double kMostLight = 1e30;    // so that no infinite value meets another

double keep_light(double value)
{
    return value > 0 ? std::min(value, kMostLight) : 0;
}

/// R, G, B, or Y as all three.
std::array<double, 3> show_colours(std::array<double, 3> rgb)
{
    for (double& value : rgb) value = keep_light(value);
    double const largest = std::max({rgb[0], rgb[1], rgb[2]});
    if (!(largest > 0)) return {};
    double const shown = show_filmic(largest), factor = shown / largest;
    double const share = 1 / (kDesaturation * std::max(largest - shown, 0.0) + 1);
    for (double& value : rgb) value = shown + share * (factor * value - shown);
    return rgb;
}

} // namespace

double show_filmic(double light)
{
    if (!(light > 0)) return 0;
    double const x = kFilmicScale * std::min(light, kMostLight);
    return std::min((kA * x * x + kB * x) / (kC * x * x + kD * x + kE), 1.0);
}

Image tone_map(Image const& linear, float exposure, int threads, Tone tone)
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
    std::vector<std::string> const names =
        colour ? std::vector<std::string>{"R", "G", "B"} : std::vector<std::string>{"Y"};
    for (std::string const& name : names) mapped.add_channel(name);
    auto const width = static_cast<std::size_t>(linear.width);
    auto const visit_rows = [&](auto const& visit) {
        parallel_for_rows(threads, linear.height, kRowsPerTask, [&](RowRange rows) {
            for (std::size_t i = static_cast<std::size_t>(rows.first) * width;
                 i < static_cast<std::size_t>(rows.end) * width; ++i)
                visit(i);
        });
    };
    auto const light_at = [&](Channel const& from, std::size_t i) {
        return divide(from.values[i], i) * static_cast<double>(exposure);
    };
    if (tone == Tone::filmic) {
        std::array<Channel const*, 3> from{};
        for (std::size_t c = 0; c < 3; ++c) from[c] = linear.find(names[std::min(c, names.size() - 1)]);
        visit_rows([&](std::size_t i) {
            auto const shown = show_colours({light_at(*from[0], i), light_at(*from[1], i), light_at(*from[2], i)});
            for (std::size_t c = 0; c < names.size(); ++c) mapped.channels[c].values[i] = encode_clamped(shown[c]);
        });
    } else {
        for (std::size_t c = 0; c < names.size(); ++c) {
            Channel const& from = *linear.find(names[c]);
            visit_rows([&](std::size_t i) {
                double const light = light_at(from, i);
                mapped.channels[c].values[i] =
                    tone == Tone::srgb ? encode_clamped(light) : static_cast<float>(std::min(keep_light(light), 1.0));
            });
        }
    }
    if (alpha != nullptr) {
        Channel& to = mapped.add_channel("A");
        for (std::size_t i = 0; i < to.values.size(); ++i)
            to.values[i] = alpha->values[i] > 0 ? std::min(alpha->values[i], 1.0f) : 0.0f;
    }
    return mapped;
}

float find_exposure(Image const& linear, Tone tone)
{
    constexpr double kPercentile = 0.99, kShown = 0.9, kMost = 1e9;
    constexpr double kFilmicLight = invert_curve(kShown) / kFilmicScale;
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
    double const light = tone == Tone::filmic ? kFilmicLight : kShown;
    return static_cast<float>(std::min(light / static_cast<double>(*at), kMost));
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
