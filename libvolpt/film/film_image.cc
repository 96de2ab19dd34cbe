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

constexpr int kRowsPerFill = 64;

/// Sets each pixel to the number that find(PixelSums, tile) gives.
template <class Find>
void fill_channel(Channel& channel, Film const& film, std::uint32_t band, int threads, Find const& find)
{
    std::vector<float>& values = channel.values;
    parallel_for_rows(threads, static_cast<int>(film.height()), kRowsPerFill, [&](RowRange rows) {
        visit_pixels(film, band, rows, [&](std::size_t i, PixelSums const& pixel, std::size_t tile) {
            values[i] = static_cast<float>(find(pixel, tile));
        });
    });
}

void fill_coverage(Channel& channel, Film const& film)
{
    std::vector<std::uint64_t> const samples = count_tile_samples(film);
    for (std::size_t i = 0; i < film.coverage.size(); ++i) {
        auto const x = static_cast<std::uint32_t>(i % film.width()), y = static_cast<std::uint32_t>(i / film.width());
        std::uint64_t const count = samples[tile_index(film, x, y)];
        channel.values[i] =
            count == 0 ? 0.0f : static_cast<float>(static_cast<double>(film.coverage[i]) / static_cast<double>(count));
    }
}

/// Without a background, the sums are those of the samples that hit something: colours times alpha.
bool has_alpha(Film const& film)
{
    return film.counts_coverage() && film.scene().environment.background == Background::hidden;
}

Image make_empty_image(Film const& film)
{
    return make_image(static_cast<int>(film.width()), static_cast<int>(film.height()), Transfer::linear, {});
}

void add_bands(Image& image, Film const& film, int threads)
{
    std::vector<std::string> const names = name_bands(film.scene());
    for (std::uint32_t band = 0; band < film.bands(); ++band)
        fill_channel(image.add_channel(names[band]), film, band, threads, [&](PixelSums const& pixel, std::size_t) {
            return pixel.samples == 0 ? 0 : mean_of(pixel, film.sum_log2());
        });
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

Image film_to_image(Film const& film, Illuminant illuminant, int threads)
{
    Image image = make_empty_image(film);
    if (!film.scene().wavelengths_nm.empty()) add_rgb_channels(image, film, illuminant, threads);
    add_bands(image, film, threads);
    if (has_alpha(film)) fill_coverage(image.add_channel("A"), film);
    std::vector<std::string> const names = name_bands(film.scene());
    BankErrors const banks = measure_bank_errors(film);
    for (std::uint32_t band = 0; band < film.bands(); ++band)
        fill_channel(image.add_channel("standard_error." + names[band]), film, band, threads,
                     [&](PixelSums const& pixel, std::size_t tile) {
                         return pixel.samples < 2
                                    ? std::numeric_limits<double>::infinity()
                                    : std::sqrt(full_variance_of_mean(pixel, film.sum_log2(), film.square_log2(),
                                                                      banks.pixel_variance(tile, band)));
                     });
    if (shows_material_colour(film.scene())) add_colour_layers(image, film, illuminant, threads);
    if (film.counts_coverage()) fill_coverage(image.add_channel(kCoverageLayer), film);
    fill_channel(image.add_channel("sample_count"), film, 0, threads,
                 [](PixelSums const& pixel, std::size_t) { return static_cast<double>(pixel.samples); });
    return image;
}

Image film_to_beauty(Film const& film, Illuminant illuminant, int threads)
{
    Image image = make_empty_image(film);
    if (film.scene().wavelengths_nm.empty()) {
        add_bands(image, film, threads);
    } else {
        add_rgb_channels(image, film, illuminant, threads);
        image.channels.resize(3);
    }
    if (has_alpha(film)) fill_coverage(image.add_channel("A"), film);
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
