#include "libvolpt/image/displayed.h"

#include "libvolpt/colour/srgb.h"
#include "libvolpt/image/linear_rgb.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace volpt {
namespace {

constexpr int kRowsPerComposite = 16;

using Attribute = std::pair<std::string, std::string>;
constexpr char kAlphaAttribute[] = "volpt.alpha", kStraight[] = "straight", kPremultiplied[] = "premultiplied";

AlphaForm usual_form(Transfer transfer)
{
    return transfer == Transfer::linear ? AlphaForm::premultiplied : AlphaForm::straight;
}

/// Of "#rrggbb".
std::optional<Colour> parse_hex_background(std::string_view text)
{
    std::uint32_t codes = 0;
    auto const* const end = text.data() + text.size();
    if (text.size() != 7 || text[0] != '#' || std::from_chars(text.data() + 1, end, codes, 16).ptr != end)
        return std::nullopt;
    Colour colour;
    for (std::size_t i = 0; i < 3; ++i)
        colour[i] = static_cast<float>(decode_srgb(static_cast<double>(codes >> (16 - 8 * i) & 0xffu) / 255));
    return colour;
}

/// `x - x` keeps NaN, and makes one of infinity.
[[gnu::always_inline]] inline float clamp_opacity(float alpha)
{
    return (alpha < 0 ? 0.0f : alpha > 1 ? 1.0f : alpha) + (alpha - alpha);
}

VOLPT_VECTOR_CLONES void composite_row(float const* alpha, AlphaForm form, float background, std::size_t count,
                                       float* row)
{
    for (std::size_t i = 0; i < count; ++i) {
        float const opacity = clamp_opacity(alpha[i]);
        float const colour = form == AlphaForm::straight ? opacity * row[i] : row[i];
        row[i] = colour + (1 - opacity) * background;
    }
}

} // namespace

DisplayBackground parse_background(std::string_view option, std::string const& text)
{
    for (DisplayBackground& background : list_default_backgrounds())
        if (background.name == text) return std::move(background);
    auto const colour = parse_hex_background(text);
    if (!colour)
        fail_usage(fmt::format("{} '{}' is no colour", option, text), "write black, white or #rrggbb, such as #808080");
    return {text, *colour};
}

std::vector<DisplayBackground> list_default_backgrounds()
{
    return {{"black", {0, 0, 0}}, {"white", {1, 1, 1}}};
}

AlphaForm find_alpha_form(Image const& image)
{
    auto const stated = std::ranges::find(image.metadata, kAlphaAttribute, &Attribute::first);
    if (stated != image.metadata.end() && stated->second == kStraight) return AlphaForm::straight;
    if (stated != image.metadata.end() && stated->second == kPremultiplied) return AlphaForm::premultiplied;
    return usual_form(image.transfer);
}

void set_alpha_form(Image& image, AlphaForm form)
{
    std::erase_if(image.metadata, [](Attribute const& attribute) { return attribute.first == kAlphaAttribute; });
    if (form != usual_form(image.transfer))
        image.metadata.emplace_back(kAlphaAttribute, form == AlphaForm::straight ? kStraight : kPremultiplied);
}

bool is_opaque(Image const& image)
{
    Channel const* const alpha = image.find("A");
    return alpha == nullptr || std::ranges::none_of(alpha->values, [](float value) { return value < 1; });
}

Image display_over(Image const& image, Colour background, int threads)
{
    bool const is_grey = image.find("R") == nullptr && background[0] == background[1] && background[1] == background[2];
    Image shown = make_image(image.width, image.height, Transfer::linear,
                             is_grey ? std::vector<std::string>{"Y"} : std::vector<std::string>{"R", "G", "B"});
    Channel const* const alpha = image.find("A");
    AlphaForm const form = find_alpha_form(image);
    auto const width = static_cast<std::size_t>(image.width);
    parallel_for_rows(threads, image.height, kRowsPerComposite, [&](RowRange rows) {
        std::vector<float> other(2 * width); // green and blue of a grey picture
        for (int y = rows.first; y < rows.end; ++y) {
            std::size_t const first = static_cast<std::size_t>(y) * width;
            std::array<float*, 3> to{other.data(), other.data(), other.data() + width};
            for (std::size_t c = 0; c < shown.channels.size(); ++c) to[c] = shown.channels[c].values.data() + first;
            load_linear_rgb(image, y, 0, image.width, {to[0], to[1], to[2]});
            for (std::size_t c = 0; alpha != nullptr && c < shown.channels.size(); ++c)
                composite_row(alpha->values.data() + first, form, background[c], width, to[c]);
        }
    });
    return shown;
}

void premultiply(Image& image)
{
    Channel const* const alpha = image.find("A");
    if (alpha != nullptr && find_alpha_form(image) == AlphaForm::straight)
        for (Channel& channel : image.channels)
            if (channel.name == "R" || channel.name == "G" || channel.name == "B" || channel.name == "Y")
                composite_row(alpha->values.data(), AlphaForm::straight, 0, channel.values.size(),
                              channel.values.data());
    set_alpha_form(image, AlphaForm::premultiplied);
}

} // namespace volpt
