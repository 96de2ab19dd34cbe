// The statistical verdict on films of different integrators: they have one expectation, however few particles reach a
// pixel.
#include "libvolpt/stats/verdict/verdict.h"
#include "tests/statistical/lit_scenes.h"

namespace volpt::test {
namespace {

TEST(ParticleVerdicts, IntegratorsAgreePixelByPixel)
{
    // At the level .01, one of 20 pairs or none has an alarm with a probability of 98 %; the seeds are fixed.
    struct Case {
        Integrator integrator;
        std::uint32_t samples, pairs;
    };
    PackedVolume const volume = make_milk_cube();
    Scene scene = look_down(volume, 3, 48);
    add_emitter(scene, make_sized(EmitterKind::sphere, {2.5, 2.2, 4}, 0.3, 10));
    Criteria criteria;
    criteria.metrics = {"rmse"};
    criteria.expectation = ExpectationSettings{.alpha = 0.01};
    int failed = 0;
    std::uint64_t seed = 100;
    for (Case const& tried : {Case{Integrator::light, 128, 10}, {Integrator::bdpt, 16, 5}, {Integrator::mlt, 16, 5}})
        for (std::uint32_t pair = 0; pair < (tried.pairs + kHaste - 1) / kHaste; ++pair) {
            Scene other = scene;
            other.integrator = tried.integrator;
            Subject const path = make_subject("path", render_scene(scene, volume, {0, 64}, {}, ++seed));
            Subject const rest = make_subject("other", render_scene(other, volume, {0, tried.samples}, {}, ++seed));
            Verdict const verdict = judge(path, rest, criteria);
            EXPECT_FALSE(verdict.undecided) << verdict.reasons.front();
            EXPECT_GT(verdict.expectation->judged_light, 0.9);
            failed += verdict.positive ? 0 : 1;
        }
    EXPECT_LE(failed, 1);
}

/// The 95 % interval of the mean, by Student's t for 15 degrees of freedom.
TEST(ParticleVerdicts, IntervalOfTheMeanOfChainsHolds)
{
    constexpr int kSeeds = 60 / static_cast<int>(kHaste) + 4;
    PackedVolume const volume = make_milk_cube();
    Scene scene = look_down(volume, 3, 8);
    add_emitter(scene, make_sized(EmitterKind::sphere, {2.5, 2.2, 4}, 0.3, 10));
    Measurement const truth = measure_radiance(scene, volume, 20000 / kHaste)[0];
    scene.integrator = Integrator::mlt;
    int hold = 0;
    double squares = 0, predicted = 0;
    for (int seed = 1; seed <= kSeeds; ++seed) {
        Measurement const found = measure_radiance(scene, volume, 16, static_cast<std::uint64_t>(seed))[0];
        double const off = found.mean - truth.mean;
        hold += std::abs(off) <= 2.131 * std::hypot(found.standard_error, truth.standard_error) ? 1 : 0;
        squares += off * off;
        predicted += found.standard_error * found.standard_error + truth.standard_error * truth.standard_error;
    }
    EXPECT_GE(hold, kSeeds * 85 / 100);
    EXPECT_NEAR(std::sqrt(squares / predicted), 1, kHaste == 1 ? 0.3 : 0.6); // of pixels as if independent: 1.5
}

} // namespace
} // namespace volpt::test
