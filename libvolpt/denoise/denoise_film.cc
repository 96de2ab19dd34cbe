#include "libvolpt/denoise/denoise_film.h"

#include "libvolpt/film/film_stats.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

/// Of the values around a pixel, itself among them.
float estimate_variance(NoisyPlane const& plane, std::size_t pixel)
{
    constexpr std::size_t kReach = 2;
    std::size_t const x = pixel % plane.width, y = pixel / plane.width;
    double sum = 0, squares = 0, count = 0;
    for (std::size_t row = y - std::min(y, kReach); row <= std::min(y + kReach, plane.height - 1); ++row)
        for (std::size_t column = x - std::min(x, kReach); column <= std::min(x + kReach, plane.width - 1); ++column) {
            double const value = static_cast<double>(plane.values[row * plane.width + column]);
            sum += value;
            squares += value * value;
            ++count;
        }
    return count < 2 ? 0 : static_cast<float>(std::max(0.0, (squares - sum * sum / count) / (count - 1)));
}

/// Below two samples a pixel has no variance of its own: with one, it gets that of the values around it; without, the
/// largest of the film, or a mean's square.
NoisyPlane read_band(Film const& film, std::uint32_t band)
{
    std::size_t const pixels = std::size_t{film.width()} * film.height();
    NoisyPlane plane{film.width(), film.height(), std::vector<float>(pixels), std::vector<float>(pixels)};
    std::vector<std::size_t> unknown, single;
    float largest = 0;
    visit_pixels(film, band, [&](std::size_t pixel, PixelSums const& sums, std::size_t) {
        if (sums.samples > 0) plane.values[pixel] = static_cast<float>(mean_of(sums, film.sum_log2()));
        if (sums.samples == 1) {
            single.push_back(pixel);
            return;
        }
        if (sums.samples < 2) {
            unknown.push_back(pixel);
            largest = std::max(largest, plane.values[pixel] * plane.values[pixel]);
            return;
        }
        plane.variances[pixel] = static_cast<float>(variance_of_mean(sums, film.sum_log2(), film.square_log2()));
        largest = std::max(largest, plane.variances[pixel]);
    });
    for (std::size_t const pixel : single) {
        plane.variances[pixel] = estimate_variance(plane, pixel);
        largest = std::max(largest, plane.variances[pixel]);
    }
    for (std::size_t const pixel : unknown) plane.variances[pixel] = largest;
    return plane;
}

/// Where the rays meet nothing and no sample met anything else than the others, the film is exact.
void keep_background(NoisyPlane const& noisy, Guides const& guides, DenoisedPlane& denoised)
{
    for (std::size_t i = 0; i < noisy.values.size(); ++i)
        if (guides.coverage[i] <= 0 && noisy.variances[i] <= 0) {
            denoised.values[i] = noisy.values[i];
            denoised.errors[i] = 0;
        }
}

} // namespace

DenoisedFilm denoise_film(Film const& film, Guides const& guides, int threads)
{
    return denoise_film(film, guides, threads, {});
}

DenoisedFilm denoise_film(Film const& film, Guides const& guides, int threads, GoesOn const& goes_on)
{
    if (guides.width != film.width() || guides.height != film.height() || guides.bands != film.bands())
        fail_usage(fmt::format("the guides are {}x{} pixels of {} bands, the film {}x{} of {}", guides.width,
                               guides.height, guides.bands, film.width(), film.height(), film.bands()),
                   "cast them for the film's scene");
    DenoisedFilm denoised;
    FeatureMaker const features(guides, threads);
    for (std::uint32_t band = 0; band < film.bands(); ++band) {
        check_interruption(goes_on);
        NoisyPlane const noisy = read_band(film, band);
        DenoisedPlane plane = denoise_plane(noisy, features.make(band), threads, goes_on);
        keep_background(noisy, guides, plane);
        denoised.bands.push_back(std::move(plane));
    }
    return denoised;
}

} // namespace volpt
