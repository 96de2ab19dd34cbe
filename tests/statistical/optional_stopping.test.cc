// Films that stop at their own noise have the mean that they would have anyway.
#include "libvolpt/render/render_to_noise.h"
#include "tests/statistical/ink_slabs.h"

namespace volpt::test {
namespace {

constexpr std::uint64_t kFilms = 400;

struct Stops {
    Measurement mean;              ///< over the films
    std::uint64_t black_films = 0; ///< that have seen nothing
};

/// Films of as many seeds, each stopped at the target.
Stops stop_films(PackedVolume const& volume, std::uint32_t edge, double target)
{
    Scene scene = make_probe(volume, edge, edge);
    scene.boundary.sides = Sides::periodic;
    scene.boundary.specular = Specular::excluded;
    Stops stops;
    std::vector<double> means;
    for (std::uint64_t seed = 1; seed <= kFilms / kHaste; ++seed) {
        RenderScene const built(scene, volume, nullptr, seed);
        Film film = make_film(built, seed);
        render_to_noise(built, film, {.de2000_p95 = target, .most_samples = 1 << 20}, {.threads = 1});
        means.push_back(summarize_film(film).mean[0]);
        stops.black_films += means.back() == 0;
    }
    stops.mean = measure_mean(means);
    return stops;
}

TEST(OptionalStopping, DoesNotBiasTheMeanOfAFilmOfFewTexels)
{
    Material const& black = kInks[3].material;
    PackedVolume const volume = make_slab(3, 10, {0}, {"K", {black.sigma_t[0]}, {black.one_minus_albedo[0]}, black.g});
    // Of 2^29 samples, +- 3e-6; adding-doubling gives .0504 with the specular reflection, .04.
    constexpr double kTruth = 0.010427;
    for (std::uint32_t const edge : {1u, 2u, 16u}) {
        Stops const stops = stop_films(volume, edge, 2);
        EXPECT_NEAR(stops.mean.mean, kTruth, 3 * stops.mean.standard_error) << edge;
        EXPECT_EQ(stops.black_films, 0u) << edge;
    }
}

} // namespace
} // namespace volpt::test
