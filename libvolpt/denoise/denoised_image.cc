#include "libvolpt/denoise/denoised_image.h"

#include "libvolpt/film/film_image.h"

#include <algorithm>

namespace volpt {
namespace {

constexpr char kErrorLayer[] = "denoised_error.";

/// R, G, B of bands with wavelengths.
void add_colours(Scene const& scene, DenoisedFilm const& denoised, Illuminant illuminant, Image& image)
{
    auto const weights = make_band_weights(scene.bands, scene.wavelengths_nm, illuminant);
    Matrix3 const to_rgb = kRelativeXyzToRgb * adapt_to_d65(illuminant);
    for (std::size_t component = 0; component < 3; ++component) {
        std::vector<float>& values = image.add_channel(std::string(1, "RGB"[component])).values;
        for (std::size_t band = 0; band < weights.size(); ++band) {
            auto const weight = static_cast<float>((to_rgb * weights[band])[component]);
            std::vector<float> const& plane = denoised.bands[band].values;
            for (std::size_t i = 0; i < values.size(); ++i) values[i] += weight * plane[i];
        }
    }
}

} // namespace

Image denoised_to_beauty(Scene const& scene, DenoisedFilm const& denoised, Illuminant illuminant)
{
    Image image = make_image(static_cast<int>(scene.width), static_cast<int>(scene.height), Transfer::linear, {});
    if (!scene.wavelengths_nm.empty()) {
        add_colours(scene, denoised, illuminant, image);
        return image;
    }
    std::vector<std::string> const names = name_bands(scene);
    for (std::size_t band = 0; band < names.size(); ++band)
        image.add_channel(names[band]).values = denoised.bands[band].values;
    return image;
}

Image denoised_to_image(Film const& film, DenoisedFilm const& denoised, Illuminant illuminant)
{
    Image image = denoised_to_beauty(film.scene(), denoised, illuminant);
    std::vector<std::string> const names = name_bands(film.scene());
    if (!film.scene().wavelengths_nm.empty())
        for (std::size_t band = 0; band < names.size(); ++band)
            image.add_channel(names[band]).values = denoised.bands[band].values;
    Image const layers = film_to_image(film, illuminant);
    if (Channel const* const alpha = layers.find("A")) image.add_channel("A").values = alpha->values;
    for (std::size_t band = 0; band < names.size(); ++band)
        image.add_channel(kErrorLayer + names[band]).values = denoised.bands[band].errors;
    for (char const* const name : {kCoverageLayer, "sample_count"})
        if (Channel const* const layer = layers.find(name)) image.add_channel(name).values = layer->values;
    return image;
}

} // namespace volpt
