#include "libvolpt/film/film_image.h"

#include "libvolpt/film/film_banks.h"
#include "libvolpt/film/film_colour.h"
#include "libvolpt/film/film_stats.h"

#include <fmt/format.h>

#include <limits>

namespace volpt {
namespace {

/// "bands.437,5nm": a point would begin another layer.
std::string name_wavelength(float wavelength_nm)
{
    std::string name = fmt::format("bands.{}nm", wavelength_nm);
    std::ranges::replace(name.begin() + 6, name.end(), '.', ',');
    return name;
}

} // namespace

std::vector<std::string> name_bands(Scene const& scene)
{
    std::vector<std::string> names;
    for (float const wavelength_nm : scene.wavelengths_nm) names.push_back(name_wavelength(wavelength_nm));
    if (!names.empty()) return names;
    if (scene.bands == 1) return {"Y"};
    if (scene.bands == 3) return {"R", "G", "B"};
    for (std::uint32_t band = 0; band < scene.bands; ++band) names.push_back(fmt::format("band{}", band));
    return names;
}

Image film_to_image(Film const& film, Illuminant illuminant)
{
    Image image;
    image.width = static_cast<int>(film.width());
    image.height = static_cast<int>(film.height());
    if (!film.scene().wavelengths_nm.empty()) add_rgb_channels(image, film, illuminant);
    std::vector<std::string> const names = name_bands(film.scene());
    for (std::uint32_t band = 0; band < film.bands(); ++band) {
        std::vector<float>& values = image.add_channel(names[band]).values;
        visit_pixels(film, band, [&](std::size_t i, PixelSums const& pixel, std::size_t) {
            if (pixel.samples != 0) values[i] = static_cast<float>(mean_of(pixel, film.sum_log2()));
        });
    }
    BankErrors const banks = measure_bank_errors(film);
    for (std::uint32_t band = 0; band < film.bands(); ++band) {
        std::vector<float>& values = image.add_channel("standard_error." + names[band]).values;
        visit_pixels(film, band, [&](std::size_t i, PixelSums const& pixel, std::size_t tile) {
            values[i] = pixel.samples < 2
                            ? std::numeric_limits<float>::infinity()
                            : static_cast<float>(std::sqrt(full_variance_of_mean(
                                  pixel, film.sum_log2(), film.square_log2(), banks.pixel_variance(tile, band))));
        });
    }
    if (shows_material_colour(film.scene())) add_colour_layers(image, film, illuminant);
    std::vector<float>& counts = image.add_channel("sample_count").values;
    visit_pixels(film, 0, [&](std::size_t i, PixelSums const& pixel, std::size_t) {
        counts[i] = static_cast<float>(pixel.samples);
    });
    return image;
}

std::map<std::string, double> list_shared_variances(Film const& film)
{
    BankErrors const errors = measure_bank_errors(film);
    std::map<std::string, double> variances;
    if (errors.one_bank.empty()) return variances;
    std::vector<std::string> const names = name_bands(film.scene());
    for (std::size_t band = 0; band < names.size(); ++band) {
        double const variance = variances[names[band]] = errors.film_variance(band);
        if (!film.scene().wavelengths_nm.empty())
            for (char const* const name : {"R", "G", "B"})
                variances[name] += variance / static_cast<double>(names.size());
    }
    return variances;
}

} // namespace volpt
