// Box filter of exact pixel areas, one axis after the other.
#include "libvolpt/image/resample_area.h"

#include "libvolpt/colour/srgb.h"
#include "libvolpt/image/displayed.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace volpt {
namespace {

/// A line of values `stride` apart.
template <class Value>
struct Line {
    Value* first;
    std::size_t size;
    std::size_t stride;
    Value& operator[](std::size_t i) const { return first[i * stride]; }
};

void average_line(Line<double const> from, Line<double> to)
{
    double const scale = static_cast<double>(from.size) / static_cast<double>(to.size);
    for (std::size_t i = 0; i < to.size; ++i) {
        double const begin = static_cast<double>(i) * scale,
                     end = std::min(static_cast<double>(i + 1) * scale, static_cast<double>(from.size));
        double sum = 0;
        for (auto k = static_cast<std::size_t>(begin); static_cast<double>(k) < end; ++k)
            sum += from[k] * (std::min(end, static_cast<double>(k + 1)) - std::max(begin, static_cast<double>(k)));
        to[i] = sum / (end - begin);
    }
}

struct Extent {
    std::size_t width, height;
};

std::vector<double> average_plane(std::vector<double> const& plane, Extent from, Extent to)
{
    std::vector<double> narrow(to.width * from.height), result(to.width * to.height);
    for (std::size_t y = 0; y < from.height; ++y)
        average_line({plane.data() + y * from.width, from.width, 1}, {narrow.data() + y * to.width, to.width, 1});
    for (std::size_t x = 0; x < to.width; ++x)
        average_line({narrow.data() + x, from.height, to.width}, {result.data() + x, to.height, to.width});
    return result;
}

} // namespace

Image resample_area(Image const& image, int width, int height)
{
    if (width < 1 || height < 1) fail_usage(fmt::format("a picture cannot have {} x {} pixels", width, height));
    constexpr std::array<std::string_view, 5> kKept{"R", "G", "B", "Y", "A"};
    Extent const from{static_cast<std::size_t>(image.width), static_cast<std::size_t>(image.height)};
    Extent const to{static_cast<std::size_t>(width), static_cast<std::size_t>(height)};
    Image result = make_image(width, height, image.transfer, {});
    result.transfer_source = image.transfer_source;
    set_alpha_form(result, find_alpha_form(image));
    // What is transparent has no part in a mean colour: straight colours are averaged by the weight of their alpha.
    bool const is_weighted = find_alpha_form(image) == AlphaForm::straight && !is_opaque(image);
    std::vector<double> opacity, mean_opacity;
    if (is_weighted) {
        for (float const alpha : image.find("A")->values)
            opacity.push_back(std::clamp(static_cast<double>(alpha), 0.0, 1.0));
        mean_opacity = average_plane(opacity, from, to);
    }
    for (Channel const& channel : image.channels) {
        if (std::ranges::find(kKept, channel.name) == kKept.end()) continue;
        bool const coded = image.transfer == Transfer::srgb && channel.name != "A";
        std::vector<double> plane(channel.values.begin(), channel.values.end());
        if (coded) std::ranges::transform(plane, plane.begin(), decode_srgb);
        bool const is_colour = is_weighted && channel.name != "A";
        if (is_colour) std::ranges::transform(plane, opacity, plane.begin(), std::multiplies<>());
        plane = average_plane(plane, from, to);
        if (is_colour)
            std::ranges::transform(plane, mean_opacity, plane.begin(),
                                   [](double sum, double weight) { return weight > 0 ? sum / weight : 0; });
        if (coded) std::ranges::transform(plane, plane.begin(), encode_srgb);
        std::ranges::transform(plane, result.add_channel(channel.name).values.begin(),
                               [](double value) { return static_cast<float>(value); });
    }
    if (result.channels.empty())
        fail_usage("only pictures with channels R, G, B or Y can be averaged", "name others with --channels");
    return result;
}

} // namespace volpt
