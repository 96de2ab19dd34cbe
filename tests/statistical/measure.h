// Renders that end in a number with its standard error, and the comparison of such a number with a truth.
//
// Seeds are fixed: a test that passes passes always. Bounds are 4 standard errors (1 in 16,000 by chance) plus what is
// not known of the truth itself.
#pragma once

#include "libvolpt/cpu/cpu_backend.h"
#include "libvolpt/film/film_stats.h"
#include "tests/support/make_scene.h"

#include <gtest/gtest.h>

#include <cmath>

namespace volpt::test {

/// By what number of samples are divided where they cost much more: in debug builds and under sanitizers. The bounds
/// follow from the standard errors, so every test still tests.
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
inline constexpr std::uint32_t kHaste = 1;
#else
inline constexpr std::uint32_t kHaste = 16;
#endif

struct Measurement {
    double mean = 0;
    double standard_error = 0;
};

inline void expect_truth(Measurement const& measured, double truth, double truth_tolerance, std::string const& what)
{
    EXPECT_NEAR(measured.mean, truth, 4 * measured.standard_error + truth_tolerance)
        << what << ", standard error " << measured.standard_error;
    EXPECT_GT(measured.standard_error, 0) << what << " has no spread: nothing was measured";
}

inline void expect_equal_means(Measurement const& left, Measurement const& right, std::string const& what)
{
    double const spread = std::hypot(left.standard_error, right.standard_error);
    EXPECT_NEAR(left.mean, right.mean, 4 * spread) << what;
    EXPECT_GT(spread, 0) << what << " has no spread: nothing was measured";
}

/// Mean radiance of all pixels, by band.
inline std::vector<Measurement> measure_radiance(Film const& film)
{
    FilmSummary const summary = summarize_film(film);
    std::vector<Measurement> bands;
    for (std::size_t b = 0; b < summary.mean.size(); ++b) bands.push_back({summary.mean[b], summary.standard_error[b]});
    return bands;
}

inline std::vector<Measurement> measure_radiance(Scene const& scene, PackedVolume const& volume, std::uint64_t samples,
                                                 std::uint64_t seed = 7)
{
    return measure_radiance(render_scene(scene, volume, {0, samples}, {}, seed));
}

/// Mean of values that are independent of each other.
inline Measurement measure_mean(std::vector<double> const& values)
{
    double const n = static_cast<double>(values.size());
    double sum = 0, squares = 0;
    for (double const value : values) sum += value;
    for (double const value : values) squares += (value - sum / n) * (value - sum / n);
    return {sum / n, std::sqrt(squares / (n * (n - 1)))};
}

/// Mean radiance of the film, by band, by renders of different seeds: for pixels that are not independent of each
/// other, as where particles add to any.
inline std::vector<Measurement> measure_by_seeds(Scene const& scene, PackedVolume const& volume, std::uint32_t samples)
{
    constexpr std::uint32_t kSeeds = 24;
    std::vector<std::vector<double>> means(scene.bands);
    for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
        auto const bands = measure_radiance(scene, volume, std::max(1u, samples / kSeeds), 100 + seed);
        for (std::size_t b = 0; b < bands.size(); ++b) means[b].push_back(bands[b].mean);
    }
    std::vector<Measurement> measured;
    for (std::vector<double> const& of_band : means) measured.push_back(measure_mean(of_band));
    return measured;
}

/// Counts of the whole picture, one set for each of `batches` batches of `samples` samples.
inline std::vector<PathCounts> count_batches(Scene const& scene, PackedVolume const& volume, std::uint32_t batches,
                                             std::uint32_t samples)
{
    RenderScene const built(scene, volume, nullptr, 7);
    CpuKernel const backend = list_cpu_kernels().front();
    TileSums sums(std::size_t{scene.width} * scene.height * scene.bands);
    std::vector<PathCounts> counts(batches);
    for (std::uint32_t batch = 0; batch < batches; ++batch)
        backend.render(built.view(), {0, 0, scene.width, scene.height, batch * samples, samples}, sums.view(),
                       counts[batch], {});
    return counts;
}

/// What `pick` tells of each batch, a path.
template <class Pick>
Measurement measure_per_path(std::vector<PathCounts> const& batches, Pick&& pick)
{
    std::vector<double> values;
    for (PathCounts const& counts : batches)
        values.push_back(static_cast<double>(pick(counts)) / static_cast<double>(counts.paths));
    return measure_mean(values);
}

/// A view straight down (-z) at the middle of the box's top, `width_mm` wide, `edge` x `edge` pixels.
inline Scene look_down(PackedVolume const& volume, double width_mm, std::uint32_t edge = 64)
{
    Scene scene = make_scene(volume, edge, edge);
    VolumeMeta const& meta = volume.meta();
    Vec3d centre{};
    for (std::size_t i = 0; i < 3; ++i) centre[i] = 0.5 * static_cast<double>(meta.pitch_mm[i]) * meta.dims[i];
    scene.camera = {};
    scene.camera.kind = CameraKind::orthographic;
    scene.camera.ortho_width_mm = width_mm;
    scene.camera.target_world = centre;
    scene.camera.origin_world = {centre[0], centre[1], 2 * centre[2] + 1};
    return scene;
}

/// Light of radiance 1 from above (+z) alone: by reciprocity, the radiance seen from above is the reflectance. From
/// below alone, it is the transmittance.
inline void light_from_above(Scene& scene)
{
    scene.environment = {EnvironmentKind::hemispheres, {1.0f}, {0.0f}, {}, 4, 0};
}
inline void light_from_below(Scene& scene)
{
    scene.environment = {EnvironmentKind::hemispheres, {0.0f}, {1.0f}, {}, 4, 0};
}

} // namespace volpt::test
