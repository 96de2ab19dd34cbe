#include "tools/volview/display.h"

#include "libvolpt/film/film_colour.h"
#include "libvolpt/film/film_image.h"
#include "libvolpt/film/film_output.h"
#include "libvolpt/film/film_stats.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/image/tone_map.h"
#include "tools/volview/denoise/film_denoiser.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

namespace volpt {
namespace {

// A PNG of so many pixels is encoded in a few milliseconds, and exact.
constexpr std::size_t kMostPixelsOfPng = 1 << 16;

/// The mean of one band, linear, as Y.
Image take_band(Film const& film, std::uint32_t band)
{
    Image image = make_image(static_cast<int>(film.width()), static_cast<int>(film.height()), Transfer::linear, {"Y"});
    visit_pixels(film, band, [&](std::size_t pixel, PixelSums const& sums, std::size_t) {
        image.channels[0].values[pixel] = sums.samples == 0 ? 0 : static_cast<float>(mean_of(sums, film.sum_log2()));
    });
    return image;
}

/// Multiplies colours by the exposure and clamps them; those with alpha are divided by it first, as tone_map does.
void clamp_linear(Image& image, float exposure)
{
    Channel const* const alpha = image.find("A");
    for (Channel& channel : image.channels) {
        if (channel.name == "A") continue;
        for (std::size_t i = 0; i < channel.values.size(); ++i) {
            float const part = alpha == nullptr ? 1 : alpha->values[i];
            float const value = part > 0 ? channel.values[i] * exposure / part : 0;
            channel.values[i] = value > 0 ? std::min(value, 1.0f) : 0; // NaN too
        }
    }
    image.transfer = Transfer::srgb;
}

/// The band that is shown alone, if one is: settings may be of a film with more bands, which this one follows or
/// precedes.
std::optional<std::uint32_t> choose_band(Scene const& scene, DisplaySettings const& settings)
{
    if (settings.band >= 0 && settings.band < static_cast<int>(scene.bands))
        return static_cast<std::uint32_t>(settings.band);
    return has_colour(scene) ? std::nullopt : std::optional(0u);
}

Image apply_tone(Image picture, DisplaySettings const& settings, int threads)
{
    if (settings.tone != DisplayTone::linear) {
        picture = tone_map(picture, settings.exposure(), threads, settings.tone);
        if (settings.tone != DisplayTone::srgb) picture.metadata.emplace_back(kToneAttribute, to_word(settings.tone));
        return picture;
    }
    clamp_linear(picture, settings.exposure());
    return picture;
}

} // namespace

float DisplaySettings::exposure() const
{
    return static_cast<float>(std::exp2(exposure_stops));
}

Image make_display_picture(Film const& film, DisplaySettings const& settings, int threads)
{
    auto const band = choose_band(film.scene(), settings);
    return apply_tone(band ? take_band(film, *band) : film_to_beauty(film, settings.illuminant, threads), settings,
                      threads);
}

Image make_display_picture(DenoisedPicture const& picture, DisplaySettings const& settings, int threads)
{
    Image linear;
    if (auto const band = choose_band(picture.scene, settings)) {
        linear = make_image(static_cast<int>(picture.scene.width), static_cast<int>(picture.scene.height),
                            Transfer::linear, {"Y"});
        linear.channels[0].values = picture.film.bands[*band].values;
    } else {
        linear = denoised_to_beauty(picture.scene, picture.film, settings.illuminant);
        if (!picture.alpha.empty()) linear.add_channel("A").values = picture.alpha;
    }
    Image shown = apply_tone(std::move(linear), settings, threads);
    shown.metadata.emplace_back(kDenoisedAttribute, "regression");
    return shown;
}

EncodedPicture encode_png(Image const& picture, int threads)
{
    return {"image/png", encode_image(picture, ".png", threads)};
}

EncodedPicture encode_for_stream(Image const& picture, int threads)
{
    if (picture.pixel_count() <= kMostPixelsOfPng || picture.find("A") != nullptr) return encode_png(picture, threads);
    return {"image/jpeg", encode_image(picture, ".jpg", threads)};
}

} // namespace volpt
