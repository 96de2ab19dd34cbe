// The noise of colours whose bands share their paths: what films of several seeds show is what each film says of
// itself.
#include "libvolpt/colour/delta_e.h"
#include "libvolpt/film/film_colour.h"
#include "tests/support/make_scene.h"

#include <cmath>
#include <gtest/gtest.h>

namespace volpt::test {
namespace {

std::vector<Triple> list_labs(Film const& film)
{
    Image image;
    image.width = static_cast<int>(film.width());
    image.height = static_cast<int>(film.height());
    add_colour_layers(image, film, Illuminant::d65);
    std::vector<Triple> labs(image.pixel_count());
    for (std::size_t i = 0; i < labs.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c) labs[i][c] = static_cast<double>(image.channels[3 + c].values[i]);
    return labs;
}

struct NoiseOfSeeds {
    NoiseSummary measured; ///< among the films
    NoiseSummary said;     ///< by the films, on average
    NoiseSummary at_most;  ///< by the films without their half
};

void add(NoiseSummary& sum, NoiseSummary const& more, double weight)
{
    sum.mean += more.mean * weight;
    sum.p95 += more.p95 * weight;
}

/// Of `count` films of different seeds: the difference of each pixel to the mean of the films.
NoiseOfSeeds compare_seeds(Scene const& scene, PackedVolume const& volume, std::uint64_t samples,
                           std::size_t films_wanted)
{
    NoiseOfSeeds noise;
    auto const count = static_cast<double>(films_wanted);
    std::vector<std::vector<Triple>> films;
    for (std::uint64_t seed = 1; seed <= films_wanted; ++seed) {
        Film film = render_scene(scene, volume, {0, samples}, {.threads = 2}, seed);
        films.push_back(list_labs(film));
        EXPECT_FALSE(ColourNoise(film, Illuminant::d65).is_bound());
        add(noise.said, summarize_noise(measure_de2000_noise(film, Illuminant::d65)), 1.0 / count);
        film.drop_half_sums();
        EXPECT_TRUE(ColourNoise(film, Illuminant::d65).is_bound());
        add(noise.at_most, summarize_noise(measure_de2000_noise(film, Illuminant::d65)), 1.0 / count);
    }
    std::vector<float> differences(films[0].size());
    double const unbiased = std::sqrt(count / (count - 1)) / count;
    for (std::size_t i = 0; i < differences.size(); ++i) {
        Triple mean{};
        for (auto const& film : films)
            for (std::size_t c = 0; c < 3; ++c) mean[c] += film[i][c] / count;
        Matrix3 const metric = differentiate_de2000(mean);
        for (auto const& film : films) {
            Triple const step{film[i][0] - mean[0], film[i][1] - mean[1], film[i][2] - mean[2]};
            Triple const turned = metric * step;
            differences[i] += static_cast<float>(
                std::sqrt(step[0] * turned[0] + step[1] * turned[1] + step[2] * turned[2]) * unbiased);
        }
    }
    noise.measured = summarize_noise(differences);
    return noise;
}

/// Starts are stratified. The halves know most of that: what is left is a tenth, in a print.
void expect_noise_of_seeds(Scene const& scene, PackedVolume const& volume, double least_share)
{
    NoiseOfSeeds const noise = compare_seeds(scene, volume, 64, 40);
    double const share = noise.measured.mean / noise.said.mean;
    EXPECT_LT(share, 1.04);
    EXPECT_GT(share, least_share);
    double const share_p95 = noise.measured.p95 / noise.said.p95;
    EXPECT_LT(share_p95, 1.08);
    EXPECT_GT(share_p95, least_share);
    EXPECT_GT(noise.at_most.mean, 2.5 * noise.measured.mean) << "a bound would do";
}

TEST(ColourNoise, OfSharedPathsIsWhatSeedsShow)
{
    for (bool const is_print : {false, true}) {
        PackedVolume const volume = is_print ? make_print() : make_colour_cloud();
        Scene scene = make_scene(volume, 48, 32);
        expect_noise_of_seeds(scene, volume, is_print ? 0.87 : 0.95);
        scene.environment.kind = EnvironmentKind::hemispheres;
        scene.environment.radiance = {1, 0.7f, 0.4f};
        scene.environment.below = {0.1f, 0.2f, 0.4f};
        expect_noise_of_seeds(scene, volume, is_print ? 0.9 : 0.93);
    }
}

} // namespace
} // namespace volpt::test
