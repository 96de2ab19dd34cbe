#include "libvolpt/film/film_colour.h"

#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/film/film_banks.h"
#include "libvolpt/film/film_stats.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace volpt {
namespace {

/// Means of a pixel's bands and their variances; variances are 0 below two samples.
struct PixelBands {
    std::vector<double> values, variances;
    std::uint64_t samples = 0;
};

/// Calls visit(pixel index, PixelBands) for every pixel of these rows; variances include those of `banks`.
template <class Visit>
void visit_bands(Film const& film, BankErrors const& banks, RowRange rows, Visit&& visit)
{
    std::vector<std::uint64_t> const samples = count_tile_samples(film);
    std::vector<BandReader> readers;
    for (std::size_t band = 0; band < film.bands(); ++band) readers.emplace_back(film, band);
    PixelBands bands;
    bands.values.resize(film.bands());
    bands.variances.resize(film.bands());
    auto const first = static_cast<std::uint32_t>(rows.first), end = static_cast<std::uint32_t>(rows.end);
    std::size_t pixel = std::size_t{first} * film.width();
    for (std::uint32_t y = first; y < end; ++y)
        for (std::uint32_t x = 0; x < film.width(); ++x, ++pixel) {
            std::size_t const tile = tile_index(film, x, y);
            bands.samples = samples[tile];
            for (std::size_t band = 0; band < film.bands(); ++band) {
                PixelSums const sums = readers[band].read(pixel, samples[tile]);
                bands.samples = sums.samples;
                bands.values[band] = bands.samples == 0 ? 0 : mean_of(sums, film.sum_log2());
                bands.variances[band] = bands.samples < 2
                                            ? 0
                                            : full_variance_of_mean(sums, film.sum_log2(), film.square_log2(),
                                                                    banks.pixel_variance(tile, band));
            }
            visit(pixel, bands);
        }
}

RowRange all_rows(Film const& film)
{
    return {0, static_cast<int>(film.height())};
}

constexpr int kRowsPerVisit = 64;

/// visit_bands for all pixels, on several threads.
template <class Visit>
void visit_bands_in_parallel(Film const& film, int threads, Visit const& visit)
{
    BankErrors const banks = measure_bank_errors(film);
    parallel_for_rows(threads, static_cast<int>(film.height()), kRowsPerVisit,
                      [&](RowRange rows) { visit_bands(film, banks, rows, visit); });
}

std::vector<Triple> make_weights(Film const& film, Illuminant illuminant)
{
    return make_band_weights(film.bands(), film.scene().wavelengths_nm, illuminant);
}

/// By band, over all pixels that have samples.
struct BandSums {
    double variance = 0; ///< of a sample
    double mean = 0;
};

struct FilmSums {
    std::vector<BandSums> bands;
    double pixels = 0;

    void add(FilmSums const& other)
    {
        for (std::size_t band = 0; band < bands.size(); ++band) {
            bands[band].variance += other.bands[band].variance;
            bands[band].mean += other.bands[band].mean;
        }
        pixels += other.pixels;
    }
};

/// By rows that do not depend on the number of threads, and added in their order.
FilmSums add_up_bands(Film const& film, int threads)
{
    FilmSums const zero{std::vector<BandSums>(film.bands())};
    std::vector<FilmSums> parts((film.height() + kRowsPerVisit - 1) / kRowsPerVisit, zero);
    parallel_for_rows(threads, static_cast<int>(film.height()), kRowsPerVisit, [&](RowRange rows) {
        FilmSums& part = parts[static_cast<std::size_t>(rows.first / kRowsPerVisit)];
        visit_bands(film, {}, rows, [&](std::size_t, PixelBands const& bands) {
            if (bands.samples == 0) return;
            for (std::size_t band = 0; band < part.bands.size(); ++band) {
                part.bands[band].variance += bands.variances[band] * static_cast<double>(bands.samples);
                part.bands[band].mean += bands.values[band];
            }
            part.pixels += 1;
        });
    });
    FilmSums all = zero;
    for (FilmSums const& part : parts) all.add(part);
    return all;
}

/// Samples that are all equal may have missed rare ones of another value, of which at most 3 in all are expected (rule
/// of three, at 95 %: Hanley & Lippman-Hand 1983).
constexpr double kUnseenSamples = 3;

/// By band, the size c of contributions that a pixel may have missed, so that its mean of n samples has a variance of
/// (c / n)^2 from them: variance of a sample over its mean, v if a few samples are v and the others 0. If all samples
/// of the film are equal, that of kUnseenSamples of the largest light.
std::vector<double> measure_contributions(Film const& film, int threads)
{
    FilmSums const sums = add_up_bands(film, threads);
    std::vector<double> contributions;
    for (std::size_t band = 0; band < sums.bands.size(); ++band) {
        BandSums const& one = sums.bands[band];
        double const unseen = sums.pixels > 0 ? std::max(0.0, largest_light(film, band) - one.mean / sums.pixels) *
                                                    std::sqrt(kUnseenSamples / sums.pixels)
                                              : 0;
        contributions.push_back(one.variance > 0 ? one.variance / one.mean : unseen);
    }
    return contributions;
}

/// Indices of three new channels, named prefix + each of names.
std::array<std::size_t, 3> add_triple(Image& image, std::string const& prefix, std::array<char const*, 3> names)
{
    std::size_t const first = image.channels.size();
    for (char const* const name : names) image.add_channel(prefix + name);
    return {first, first + 1, first + 2};
}

void store(Image& image, std::array<std::size_t, 3> const& channels, std::size_t pixel, Triple const& values)
{
    for (std::size_t i = 0; i < 3; ++i) image.channels[channels[i]].values[pixel] = static_cast<float>(values[i]);
}

constexpr double kUnknown = std::numeric_limits<double>::infinity();
constexpr Triple kUnknownErrors{kUnknown, kUnknown, kUnknown};

} // namespace

bool has_colour(Scene const& scene)
{
    return have_colour(scene.bands, scene.wavelengths_nm);
}

bool shows_material_colour(Scene const& scene)
{
    return has_colour(scene) && (scene.camera.kind == CameraKind::probe || !scene.wavelengths_nm.empty());
}

BandNoise find_band_noise(Film const& film)
{
    std::uint64_t samples = 0;
    std::vector<std::uint64_t> const counts = count_tile_samples(film);
    for (std::size_t tile = 0; tile < counts.size(); ++tile) samples += counts[tile] * count_tile_pixels(film, tile);
    return film.bands() == 1 || film.statistics.paths == samples * film.bands() ? BandNoise::independent
                                                                                : BandNoise::shared;
}

ColourNoise::ColourNoise(Film const& film, Illuminant illuminant, int threads)
    : weights_(make_weights(film, illuminant)), noise_(find_band_noise(film)), covariances_(film, threads)
{
}

NoisyColour ColourNoise::propagate(std::size_t pixel, std::span<double const> values,
                                   std::span<double const> variances) const
{
    return covariances_.are_known() ? propagate_noise(weights_, values, variances, covariances_.at(pixel))
                                    : propagate_noise(weights_, values, variances, noise_);
}

Triple ColourNoise::combine_errors(std::size_t pixel, std::span<Triple const> weights,
                                   std::span<double const> variances) const
{
    Triple errors{}; // squared, but of shared noise
    if (!covariances_.are_known()) {
        for (std::size_t band = 0; band < weights.size(); ++band)
            for (std::size_t i = 0; i < 3; ++i)
                errors[i] += is_bound() ? std::abs(weights[band][i]) * std::sqrt(variances[band])
                                        : weights[band][i] * weights[band][i] * variances[band];
        if (is_bound()) return errors;
    } else {
        Matrix3 const covariance = covariances_.at(pixel);
        for (std::size_t a = 0; a < weights.size(); ++a)
            for (std::size_t b = 0; b < weights.size(); ++b)
                for (std::size_t i = 0; i < 3; ++i)
                    errors[i] +=
                        weights[a][i] * weights[b][i] * covariance[a][b] * std::sqrt(variances[a] * variances[b]);
    }
    for (double& error : errors) error = std::sqrt(std::max(0.0, error));
    return errors;
}

double largest_light(Film const& film, std::size_t band)
{
    EnvironmentSpec const& light = film.scene().environment;
    bool const is_probe = film.scene().camera.kind == CameraKind::probe;
    if (is_probe && !has_emitters(film.scene())) return 1;
    if (connects_emitters(film.scene()) || light.kind == EnvironmentKind::image)
        return std::ldexp(1.0, find_sample_log2(film.scene()) - film.sum_log2());
    auto const find = [&](std::vector<float> const& values) {
        return values.empty() ? 0.0 : static_cast<double>(values.size() == 1 ? values[0] : values.at(band));
    };
    return std::max(find(light.radiance), find(light.below));
}

std::vector<BandEvidence> measure_evidence(Film const& film, Illuminant illuminant)
{
    std::vector<Triple> const weights = make_weights(film, illuminant);
    FilmSummary const summary = summarize_film(film);
    std::vector<std::uint64_t> const samples = count_tile_samples(film);
    double film_samples = 0;
    for (std::size_t tile = 0; tile < samples.size(); ++tile)
        film_samples += static_cast<double>(samples[tile] * count_tile_pixels(film, tile));
    std::vector<BandEvidence> evidence;
    for (std::size_t band = 0; band < film.bands(); ++band) {
        double const mean = summary.mean[band], error = summary.standard_error[band];
        // Three standard errors, or as much as may have been missed where there is no error to tell.
        double const most =
            error > 0 ? mean + 3 * error : mean + kUnseenSamples * (largest_light(film, band) - mean) / film_samples;
        std::vector<double> variances(film.bands());
        variances[band] = most * most;
        evidence.push_back({error > 0  ? error / mean
                            : mean > 0 ? 0
                                       : kUnknown,
                            propagate_noise(weights, summary.mean, variances, BandNoise::independent).de2000});
    }
    return evidence;
}

std::vector<float> measure_de2000_noise(Film const& film, Illuminant illuminant, int threads)
{
    return measure_de2000_noise(film, ColourNoise(film, illuminant, threads), threads);
}

std::vector<float> measure_de2000_noise(Film const& film, ColourNoise const& noise, int threads)
{
    std::vector<double> const unseen = measure_contributions(film, threads);
    std::vector<float> result(std::size_t{film.width()} * film.height());
    visit_bands_in_parallel(film, threads, [&](std::size_t pixel, PixelBands const& bands) {
        double const n = static_cast<double>(bands.samples);
        std::vector<double> variances(bands.variances.size());
        for (std::size_t band = 0; band < variances.size(); ++band)
            variances[band] = bands.variances[band] + unseen[band] * unseen[band] / (n * n);
        result[pixel] =
            static_cast<float>(bands.samples < 2 ? kUnknown : noise.propagate(pixel, bands.values, variances).de2000);
    });
    return result;
}

std::vector<float> measure_pooled_noise(Film const& film, Illuminant illuminant)
{
    return measure_pooled_noise(film, ColourNoise(film, illuminant));
}

std::vector<float> measure_pooled_noise(Film const& film, ColourNoise const& noise)
{
    constexpr std::size_t kEdge = 8; // divides a file tile: all pixels of a square have the same samples
    static_assert(kFileTileEdge % kEdge == 0);
    std::size_t const columns = (film.width() + kEdge - 1) / kEdge, rows = (film.height() + kEdge - 1) / kEdge;
    std::vector<PixelBands> squares(columns * rows);
    std::vector<double> pixels(squares.size());
    visit_bands(film, measure_bank_errors(film), all_rows(film), [&](std::size_t pixel, PixelBands const& bands) {
        std::size_t const square = pixel / film.width() / kEdge * columns + pixel % film.width() / kEdge;
        PixelBands& sum = squares[square];
        sum.samples = bands.samples;
        sum.values.resize(film.bands());
        sum.variances.resize(film.bands());
        for (std::size_t band = 0; band < film.bands(); ++band) {
            sum.values[band] += bands.values[band];
            sum.variances[band] += bands.variances[band];
        }
        pixels[square] += 1;
    });
    std::vector<float> result;
    for (std::size_t square = 0; square < squares.size(); ++square) {
        PixelBands& bands = squares[square];
        for (std::size_t band = 0; band < film.bands(); ++band) {
            bands.values[band] /= pixels[square];
            bands.variances[band] /= pixels[square];
        }
        std::size_t const first_pixel = square / columns * kEdge * film.width() + square % columns * kEdge;
        double const de2000 = noise.propagate(first_pixel, bands.values, bands.variances).de2000;
        result.push_back(static_cast<float>(bands.samples < 2 ? kUnknown : de2000));
    }
    return result;
}

NoiseSummary summarize_noise(std::vector<float> noise)
{
    NoiseSummary summary;
    for (float const value : noise) summary.mean += static_cast<double>(value) / static_cast<double>(noise.size());
    auto const rank = static_cast<std::ptrdiff_t>((noise.size() * 95 + 99) / 100 - 1);
    std::nth_element(noise.begin(), noise.begin() + rank, noise.end());
    summary.p95 = static_cast<double>(noise[static_cast<std::size_t>(rank)]);
    return summary;
}

void add_rgb_channels(Image& image, Film const& film, Illuminant illuminant, int threads)
{
    ColourNoise const noise(film, illuminant, threads);
    std::vector<Triple> weights(noise.weights().begin(), noise.weights().end());
    Matrix3 const to_rgb = kRelativeXyzToRgb * adapt_to_d65(illuminant);
    for (Triple& weight : weights) weight = to_rgb * weight;
    auto const rgb = add_triple(image, "", {"R", "G", "B"}),
               errors = add_triple(image, "standard_error.", {"R", "G", "B"});
    visit_bands_in_parallel(film, threads, [&](std::size_t pixel, PixelBands const& bands) {
        Triple colour{};
        for (std::size_t band = 0; band < weights.size(); ++band)
            for (std::size_t i = 0; i < 3; ++i) colour[i] += weights[band][i] * bands.values[band];
        store(image, rgb, pixel, colour);
        store(image, errors, pixel,
              bands.samples < 2 ? kUnknownErrors : noise.combine_errors(pixel, weights, bands.variances));
    });
}

void add_colour_layers(Image& image, Film const& film, Illuminant illuminant, int threads)
{
    ColourNoise const noise(film, illuminant, threads);
    Triple const white = white_xyz(illuminant);
    auto const xyz = add_triple(image, "XYZ.", {"X", "Y", "Z"}), lab = add_triple(image, "Lab.", {"L", "a", "b"});
    auto const errors = add_triple(image, "standard_error.Lab.", {"L", "a", "b"});
    visit_bands_in_parallel(film, threads, [&](std::size_t pixel, PixelBands const& bands) {
        NoisyColour const colour = noise.propagate(pixel, bands.values, bands.variances);
        store(image, xyz, pixel, {colour.xyz[0] * white[0], colour.xyz[1] * white[1], colour.xyz[2] * white[2]});
        store(image, lab, pixel, colour.lab);
        store(image, errors, pixel, bands.samples < 2 ? kUnknownErrors : colour.lab_error);
    });
    image.add_channel("noise.de2000").values = measure_de2000_noise(film, noise, threads);
}

} // namespace volpt
