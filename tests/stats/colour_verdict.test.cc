// Verdicts over colours: how much of Delta E is noise, illuminants, pictures of another coding or size.
#include "libvolpt/film/film_colour.h"
#include "libvolpt/image/tone_map.h"
#include "libvolpt/stats/verdict/verdict.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace volpt::test {
namespace {

constexpr std::uint32_t kWidth = 40, kHeight = 30;
constexpr int kScale = 24;

/// Samples are 0 or 1, drawn with the probability `mean` of each band.
Film make_noisy_film(std::array<double, 3> mean, std::uint64_t samples, std::uint64_t seed)
{
    Scene scene;
    scene.width = kWidth;
    scene.height = kHeight;
    scene.bands = 3;
    Film film(scene, seed, kScale);
    film.tile_ranges[0] = {{0, samples}};
    film.statistics.paths = samples * kWidth * kHeight * 3;
    std::mt19937_64 random(seed);
    for (std::size_t band = 0; band < 3; ++band) {
        std::binomial_distribution<std::uint64_t> hits(samples, mean[band]);
        for (std::size_t i = band * kWidth * kHeight; i < (band + 1) * kWidth * kHeight; ++i) {
            film.sums[i] = hits(random) << kScale;
            film.squares[i] = Wide{film.sums[i]} << kScale;
        }
    }
    return film;
}

Subject make_even_picture(std::array<double, 3> rgb, Transfer transfer = Transfer::linear)
{
    Image image = make_image(kWidth, kHeight, Transfer::linear, {"R", "G", "B"});
    for (std::size_t band = 0; band < 3; ++band)
        image.channels[band].values.assign(image.pixel_count(), static_cast<float>(rgb[band]));
    if (transfer == Transfer::srgb) image = tone_map(image, 1);
    return {.name = "target", .film = {}, .image = std::move(image)};
}

double value_of(Verdict const& verdict, std::string_view name)
{
    auto const found = std::ranges::find(verdict.image.values, name, &MetricValue::name);
    return found == verdict.image.values.end() ? NAN : found->value;
}

Criteria with_de2000(KeepMap keep = KeepMap::no, Illuminant illuminant = Illuminant::d65)
{
    return {.metrics = {"de2000"},
            .threshold = {},
            .expectation = {},
            .settings = {.illuminant = illuminant, .keep_map = keep}};
}

constexpr std::array<double, 3> kBrown{0.45, 0.3, 0.15};

TEST(ColourVerdict, AgainstItsExpectationAFilmShowsTheNoiseThatIsForetold)
{
    for (std::uint64_t const samples : {400u, 4000u}) {
        Verdict const verdict =
            judge(make_subject("film", make_noisy_film(kBrown, samples, 1)), make_even_picture(kBrown), with_de2000());
        // 1200 pixels: the means are known to 1.5 %.
        EXPECT_NEAR(value_of(verdict, "de2000.mean") / value_of(verdict, "de2000.noise_mean"), 1, 0.06) << samples;
        EXPECT_GT(value_of(verdict, "de2000.noise_share"), 0.7);
        EXPECT_LE(value_of(verdict, "de2000.noise_share"), 1);
    }
}

TEST(ColourVerdict, FarFromTheTargetLittleIsNoise)
{
    Verdict const verdict = judge(make_subject("film", make_noisy_film(kBrown, 4000, 1)),
                                  make_even_picture({0.45, 0.45, 0.15}), with_de2000(KeepMap::yes));
    EXPECT_GT(value_of(verdict, "de2000.mean"), 10);
    EXPECT_LT(value_of(verdict, "de2000.noise_share"), 0.1);
    EXPECT_NEAR(value_of(verdict, "de2000.noise_share"),
                value_of(verdict, "de2000.noise_mean") / value_of(verdict, "de2000.mean"), 0.005);
    ASSERT_EQ(verdict.image.maps.size(), 3u);
    EXPECT_EQ(verdict.image.maps[1].metric, "de2000_noise");
    EXPECT_EQ(verdict.image.maps[2].values.size(), std::size_t{kWidth} * kHeight);
    EXPECT_NEAR(verdict.image.maps[2].values[7], verdict.image.maps[1].values[7] / verdict.image.maps[0].values[7],
                1e-6);
}

TEST(ColourVerdict, NoiseOfBothSidesAddsUpInSquares)
{
    Subject const test = make_subject("a", make_noisy_film(kBrown, 400, 1)),
                  other = make_subject("b", make_noisy_film(kBrown, 400, 2));
    double const one = value_of(judge(test, make_even_picture(kBrown), with_de2000()), "de2000.noise_mean");
    Verdict const both = judge(test, other, with_de2000());
    EXPECT_NEAR(value_of(both, "de2000.noise_mean") / one, std::sqrt(2.0), 0.02);
    EXPECT_NEAR(value_of(both, "de2000.mean") / value_of(both, "de2000.noise_mean"), 1, 0.08);
}

TEST(ColourVerdict, PicturesAloneAndChosenLayersSayNothingOfNoise)
{
    EXPECT_TRUE(std::isnan(
        value_of(judge(make_even_picture(kBrown), make_even_picture(kBrown), with_de2000()), "de2000.noise_mean")));
    Subject film = make_subject("film", make_noisy_film(kBrown, 40, 1));
    prepare_subject(film, {}, {"standard_error.R", "standard_error.G", "standard_error.B"});
    EXPECT_TRUE(std::isnan(value_of(judge(film, make_even_picture(kBrown), with_de2000()), "de2000.noise_mean")));
}

TEST(ColourVerdict, NoiseMayBeAThreshold)
{
    Criteria criteria = with_de2000();
    criteria.metrics = {"rmse"};
    criteria.threshold = parse_threshold("de2000.noise_p95<0.2");
    EXPECT_TRUE(
        judge(make_subject("film", make_noisy_film(kBrown, 1000000, 1)), make_even_picture(kBrown), criteria).positive);
    EXPECT_FALSE(
        judge(make_subject("film", make_noisy_film(kBrown, 100, 1)), make_even_picture(kBrown), criteria).positive);
}

TEST(ColourVerdict, WhiteFilmIsTheWhiteOfAPictureUnderEveryIlluminant)
{
    Film film = make_noisy_film({1, 1, 1}, 4, 1);
    for (Illuminant const illuminant : {Illuminant::d50, Illuminant::d65})
        for (Transfer const transfer : {Transfer::linear, Transfer::srgb}) {
            Verdict const verdict = judge(make_subject("film", film, illuminant),
                                          make_even_picture({1, 1, 1}, transfer), with_de2000(KeepMap::no, illuminant));
            EXPECT_LT(value_of(verdict, "de2000.max"), 1e-3);
            EXPECT_EQ(value_of(verdict, "de2000.noise_p95"), 0);
        }
}

TEST(ColourVerdict, ColoursBeyondAPicturesReachAreNotClamped)
{
    Subject const bright = make_even_picture({1.5, 1.5, 1.5}), white = make_even_picture({1, 1, 1}, Transfer::srgb);
    Criteria criteria = with_de2000();
    criteria.metrics = {"de2000", "max"};
    Verdict const verdict = judge(bright, white, criteria);
    EXPECT_GT(value_of(verdict, "de2000.mean"), 5);
    EXPECT_EQ(value_of(verdict, "max"), 0) << "other metrics compare what is displayed";
}

TEST(ColourVerdict, IlluminantChangesTheDifferenceOfColoursButNotOfGreys)
{
    auto const measure = [](std::array<double, 3> a, std::array<double, 3> b, Illuminant illuminant) {
        return value_of(judge(make_even_picture(a), make_even_picture(b), with_de2000(KeepMap::no, illuminant)),
                        "de2000.mean");
    };
    EXPECT_NEAR(measure({0.2, 0.2, 0.2}, {0.5, 0.5, 0.5}, Illuminant::d50),
                measure({0.2, 0.2, 0.2}, {0.5, 0.5, 0.5}, Illuminant::d65), 1e-3);
    EXPECT_GT(
        std::abs(measure({0.1, 0.2, 0.8}, kBrown, Illuminant::d50) - measure({0.1, 0.2, 0.8}, kBrown, Illuminant::d65)),
        0.05);
}

TEST(ColourVerdict, AveragedTargetHasTheTestsSizeAndAFilmIsNotAveraged)
{
    Subject target = make_even_picture(kBrown, Transfer::srgb);
    resample_subject(target, 10, 60);
    EXPECT_EQ(target.image.width, 10);
    EXPECT_EQ(target.image.height, 60);
    EXPECT_EQ(target.notices.size(), 1u);
    EXPECT_NEAR(target.image.channels[0].values[3],
                make_even_picture(kBrown, Transfer::srgb).image.channels[0].values[3], 1e-6);
    Subject film = make_subject("film", make_noisy_film(kBrown, 4, 1));
    resample_subject(film, kWidth, kHeight);
    EXPECT_THROW(resample_subject(film, 10, 10), Error);
}

} // namespace
} // namespace volpt::test
