#include "libvolpt/film/values/film_values.h"

#include "libvolpt/film/film_banks.h"
#include "libvolpt/film/film_colour.h"
#include "libvolpt/film/film_stats.h"
#include "libvolpt/image/image.h"

#include <cmath>
#include <limits>

namespace volpt {
namespace {

/// Of the number that find(PixelSums, tile, band) gives.
template <class Find>
std::vector<float> list_numbers(Film const& film, Find const& find)
{
    std::size_t const bands = film.bands();
    std::vector<float> values(std::size_t{film.width()} * film.height() * bands);
    for (std::uint32_t band = 0; band < bands; ++band)
        visit_pixels(film, band, [&](std::size_t i, PixelSums const& pixel, std::size_t tile) {
            values[i * bands + band] = static_cast<float>(find(pixel, tile, band));
        });
    return values;
}

} // namespace

std::vector<float> list_means(Film const& film)
{
    return list_numbers(film, [&](PixelSums const& pixel, std::size_t, std::size_t) {
        return pixel.samples == 0 ? 0 : mean_of(pixel, film.sum_log2());
    });
}

std::vector<float> list_standard_errors(Film const& film)
{
    BankErrors const banks = measure_bank_errors(film);
    return list_numbers(film, [&](PixelSums const& pixel, std::size_t tile, std::size_t band) {
        if (pixel.samples < 2) return std::numeric_limits<double>::infinity();
        return std::sqrt(
            full_variance_of_mean(pixel, film.sum_log2(), film.square_log2(), banks.pixel_variance(tile, band)));
    });
}

std::vector<std::uint64_t> list_samples(Film const& film)
{
    std::vector<std::uint64_t> samples;
    samples.reserve(std::size_t{film.width()} * film.height());
    std::vector<std::uint64_t> const by_tile = count_tile_samples(film);
    for (std::uint32_t y = 0; y < film.height(); ++y)
        for (std::uint32_t x = 0; x < film.width(); ++x) samples.push_back(by_tile[tile_index(film, x, y)]);
    return samples;
}

std::vector<float> list_lab(Film const& film, Illuminant illuminant, int threads)
{
    Image image;
    image.width = static_cast<int>(film.width());
    image.height = static_cast<int>(film.height());
    add_colour_layers(image, film, illuminant, threads);
    std::vector<float> values(3 * image.pixel_count());
    std::size_t channel = 0;
    for (char const* const name : {"Lab.L", "Lab.a", "Lab.b"}) {
        std::vector<float> const& layer = image.find(name)->values;
        for (std::size_t i = 0; i < layer.size(); ++i) values[3 * i + channel] = layer[i];
        ++channel;
    }
    return values;
}

} // namespace volpt
