// What a film says: mean and standard error over all pixels, and the picture.
#include "libvolpt/film/bank_error.h"
#include "libvolpt/film/film_colour.h"
#include "libvolpt/film/pixel_moments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace volpt {
namespace {

/// Calls visit(pixel index in the plane, PixelSums, tile) for every pixel of a band.
template <class Visit>
void visit_pixels(Film const& film, std::uint32_t band, Visit&& visit)
{
    std::vector<std::uint64_t> const samples = count_tile_samples(film);
    std::size_t const pixel_count = std::size_t{film.width()} * film.height();
    std::uint64_t const* const sums = film.sums.data() + band * pixel_count;
    std::uint64_t const* const squares = film.squares.data() + band * pixel_count;
    std::size_t pixel = 0;
    for (std::uint32_t y = 0; y < film.height(); ++y)
        for (std::uint32_t x = 0; x < film.width(); ++x, ++pixel)
            visit(pixel, PixelSums{sums[pixel], squares[pixel], samples[tile_index(film, x, y)]},
                  tile_index(film, x, y));
}

/// Mean and standard error of one band; `bank_variance` of the mean, relative to its square.
std::pair<double, double> summarize_band(Film const& film, std::uint32_t band, double bank_variance)
{
    double mean_sum = 0;
    double variance_sum = 0;
    double pixels = 0;
    double single_sample_pixels = 0;
    visit_pixels(film, band, [&](std::size_t, PixelSums const& pixel, std::size_t) {
        if (pixel.samples == 0) return;
        pixels += 1;
        mean_sum += mean_of(pixel, film.sum_log2());
        if (pixel.samples == 1)
            single_sample_pixels += 1;
        else
            variance_sum += variance_of_mean(pixel, film.sum_log2(), film.square_log2());
    });
    double const unknown = std::numeric_limits<double>::quiet_NaN();
    if (pixels == 0) return {unknown, unknown};
    double const mean = mean_sum / pixels;
    // Banks err in all pixels at once: their part does not fall with the number of pixels.
    double const bank_sum = bank_variance * mean_sum * mean_sum;
    if (single_sample_pixels == 0) return {mean, std::sqrt(variance_sum + bank_sum) / pixels};
    if (pixels == 1) return {mean, unknown};

    visit_pixels(film, band, [&](std::size_t, PixelSums const& pixel, std::size_t) {
        if (pixel.samples != 1) return;
        double const distance = mean_of(pixel, film.sum_log2()) - mean;
        variance_sum += distance * distance * pixels / (pixels - 1);
    });
    return {mean, std::sqrt(variance_sum + bank_sum) / pixels};
}

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

FilmSummary summarize_film(Film const& film)
{
    FilmSummary summary;
    BankErrors const banks = measure_bank_errors(film);
    for (std::uint32_t band = 0; band < film.bands(); ++band) {
        auto const [mean, standard_error] = summarize_band(film, band, banks.film_variance(band));
        summary.mean.push_back(mean);
        summary.standard_error.push_back(standard_error);
    }
    std::vector<std::uint64_t> const samples = count_tile_samples(film);
    summary.samples_min = std::ranges::min(samples);
    summary.samples_max = std::ranges::max(samples);
    return summary;
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

} // namespace volpt
