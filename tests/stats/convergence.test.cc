// Convergence of pictures with known noise: slopes, their standard errors, floors, shared samples.
#include "libvolpt/stats/convergence/convergence.h"

#include "libvolpt/colour/srgb.h"
#include "libvolpt/image/displayed.h"
#include "libvolpt/stats/report/convergence_report.h"
#include "tests/support/expect_error.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

namespace volpt::test {
namespace {

constexpr int kPictureEdge = 48;
constexpr double kNoiseDeviation = 0.5; ///< of one sample, relative to the pixel's value

/// Draws renderings of one view: each pixel has its value, and noise of a standard deviation in proportion.
class Renderer {
public:
    explicit Renderer(unsigned seed) : random_(seed) {}

    /// Of samples that no other rendering has.
    Rendering render(double samples, double bias = 1)
    {
        sums_.clear();
        return go_on(samples, bias);
    }
    /// Of the samples of the rendering before, and further ones.
    Rendering go_on(double samples, double bias = 1)
    {
        if (sums_.empty()) {
            sums_.assign(std::size_t{kPictureEdge} * kPictureEdge, 0.0);
            done_ = 0;
        }
        double const more = samples - done_;
        for (std::size_t i = 0; i < sums_.size(); ++i)
            sums_[i] += truth(i) * (more * bias + std::sqrt(more) * kNoiseDeviation * normal_(random_));
        done_ = samples;
        std::vector<float> values;
        for (double const sum : sums_) values.push_back(static_cast<float>(sum / samples));
        return wrap(std::move(values), samples);
    }
    static Rendering render_truth()
    {
        std::vector<float> values;
        for (std::size_t i = 0; i < std::size_t{kPictureEdge} * kPictureEdge; ++i)
            values.push_back(static_cast<float>(truth(i)));
        return wrap(std::move(values), std::numeric_limits<double>::quiet_NaN());
    }

private:
    static double truth(std::size_t pixel)
    {
        auto const x = static_cast<double>(pixel % kPictureEdge), y = static_cast<double>(pixel / kPictureEdge);
        return 0.4 + 0.3 * std::sin(x / 9) * std::cos(y / 7);
    }
    static Rendering wrap(std::vector<float> values, double samples)
    {
        Rendering rendering;
        rendering.subject.name = std::isnan(samples) ? "truth.exr" : std::to_string(static_cast<int>(samples)) + ".exr";
        rendering.subject.image = make_image(kPictureEdge, kPictureEdge, Transfer::linear, {"Y"});
        rendering.subject.image.channels[0].values = std::move(values);
        rendering.record.samples = samples;
        rendering.record.source = SampleSource::statement;
        return rendering;
    }

    std::mt19937 random_;
    std::normal_distribution<double> normal_;
    std::vector<double> sums_;
    double done_ = 0;
};

std::vector<Rendering> render_all(Renderer& renderer, double bias = 1)
{
    std::vector<Rendering> tests;
    for (double const samples : {16, 64, 256, 1024}) tests.push_back(renderer.render(samples, bias));
    return tests;
}

bool has_notice(Convergence const& convergence, std::string_view text)
{
    return std::ranges::any_of(convergence.notices,
                               [&](std::string const& notice) { return notice.find(text) != std::string::npos; });
}

void add_standard_error(Rendering& rendering)
{
    std::vector<float> errors;
    for (float const value : rendering.subject.image.channels[0].values)
        errors.push_back(value * static_cast<float>(kNoiseDeviation / std::sqrt(rendering.record.samples)));
    rendering.subject.image.channels.push_back({"standard_error.Y", std::move(errors)});
}

void round_to_8_bits(Image& image)
{
    image.transfer = Transfer::srgb;
    for (float& value : image.channels[0].values) {
        double const clamped = std::clamp(static_cast<double>(value), 0.0, 1.0);
        value = static_cast<float>(std::round(255 * encode_srgb(clamped))) / 255.0f;
    }
}

/// Its colours are premultiplied by an alpha of 0.5, or, if straight, divided by it.
Rendering add_alpha(Rendering rendering, AlphaForm form)
{
    Image& image = rendering.subject.image;
    if (form == AlphaForm::straight)
        for (float& value : image.channels[0].values) value *= 2;
    image.add_channel("A").values.assign(image.pixel_count(), 0.5f);
    set_alpha_form(image, form);
    return rendering;
}

TEST(Convergence, StraightAndPremultipliedRenderingsHaveTheErrorsOfColoursOverBlack)
{
    Renderer renderer(1);
    std::vector<Rendering> const tests = render_all(renderer);
    auto const measure = [&](AlphaForm form) {
        std::vector<Rendering> transparent;
        for (Rendering const& test : tests) transparent.push_back(add_alpha(test, form));
        return measure_convergence(transparent, add_alpha(Renderer::render_truth(), AlphaForm::premultiplied));
    };
    Convergence const opaque = measure_convergence(tests, Renderer::render_truth());
    EXPECT_FALSE(has_notice(opaque, "not opaque"));
    for (AlphaForm const form : {AlphaForm::straight, AlphaForm::premultiplied}) {
        Convergence const convergence = measure(form);
        for (std::size_t i = 0; i < tests.size(); ++i) EXPECT_EQ(convergence.points[i].error, opaque.points[i].error);
        EXPECT_TRUE(has_notice(convergence, "not opaque: errors are those of colours over black"));
    }
}

TEST(Convergence, ErrorFallsWithTheRootOfSamples)
{
    Renderer renderer(1);
    Convergence const convergence = measure_convergence(render_all(renderer), Renderer::render_truth());
    EXPECT_TRUE(convergence.as_expected);
    EXPECT_NEAR(convergence.slope_samples.value, -0.5, 4 * convergence.slope_samples.standard_error);
    ASSERT_EQ(convergence.points.size(), 4u);
    double const deviation = kNoiseDeviation * std::sqrt(0.4 * 0.4 + 0.3 * 0.3 / 4); // nearly: of the mean square value
    EXPECT_NEAR(convergence.points[0].error, deviation / 4, 0.05 * deviation);
    EXPECT_TRUE(std::isnan(convergence.points[0].slope.value));
    EXPECT_NEAR(convergence.points[3].slope.value, -0.5, 0.05);
    EXPECT_FALSE(has_notice(convergence, "does not fall"));
    EXPECT_TRUE(has_notice(convergence, "counts as exact"));
}

TEST(Convergence, SlopesSpreadByTheirStandardError)
{
    constexpr int kRepeats = 60;
    double sum = 0, squares = 0, errors = 0;
    for (unsigned seed = 0; seed < kRepeats; ++seed) {
        Renderer renderer(100 + seed);
        Estimate const slope = measure_convergence(render_all(renderer), Renderer::render_truth()).slope_samples;
        sum += slope.value / kRepeats;
        squares += slope.value * slope.value / kRepeats;
        errors += slope.standard_error / kRepeats;
    }
    double const spread = std::sqrt(squares - sum * sum);
    EXPECT_NEAR(sum, -0.5, 4 * spread / std::sqrt(double{kRepeats}));
    EXPECT_NEAR(spread / errors, 1, 0.3); // 60 slopes tell their spread within 9 %
}

TEST(Convergence, BiasShowsAsAFloor)
{
    Renderer renderer(2);
    Convergence const convergence = measure_convergence(render_all(renderer, 0.97), Renderer::render_truth());
    EXPECT_FALSE(convergence.as_expected);
    EXPECT_TRUE(has_notice(convergence, "does not fall with the samples"));
    EXPECT_NEAR(convergence.floor, 0.03 * std::sqrt(0.4 * 0.4 + 0.3 * 0.3 / 4), 0.002);
    EXPECT_GT(convergence.points.back().slope.value, -0.3);
}

TEST(Convergence, RangeHoldsTheSlopeWhetherSamplesAreSharedOrNot)
{
    Renderer renderer(3);
    std::vector<Rendering> const apart = render_all(renderer);
    Convergence const independent = measure_convergence(apart, renderer.render(4096));
    std::vector<Rendering> nested{renderer.render(16)};
    for (double const samples : {64, 256, 1024}) nested.push_back(renderer.go_on(samples));
    Convergence const part = measure_convergence(nested, renderer.go_on(4096));
    // Uncorrected, the reference's noise flattens the slope of independent renderings, and steepens the other.
    EXPECT_GT(independent.slope_samples.value, -0.49);
    EXPECT_LT(part.slope_samples.value, -0.51);
    ASSERT_TRUE(independent.slope_range && part.slope_range);
    EXPECT_NEAR(independent.slope_range->low, -0.5, 0.015);
    EXPECT_NEAR(part.slope_range->high, -0.5, 0.015);
    EXPECT_TRUE(has_notice(independent, "share samples with the reference"));
    EXPECT_FALSE(has_notice(independent, "does not fall"));
}

TEST(Convergence, NoiseOfTheReferenceIsSubtractedWhereItIsKnown)
{
    Renderer renderer(4);
    std::vector<Rendering> const tests = render_all(renderer);
    Rendering reference = renderer.render(4096);
    add_standard_error(reference);
    Convergence const convergence = measure_convergence(tests, reference);
    EXPECT_NEAR(convergence.slope_samples.value, -0.5, 0.015);
    EXPECT_NEAR(convergence.points[3].error / convergence.points[2].error, 0.5, 0.02);
}

TEST(Convergence, ImagesOfOneFilmSceneAndSeedArePartsOfEachOther)
{
    Renderer renderer(5);
    std::vector<Rendering> tests{renderer.render(16)};
    for (double const samples : {64, 256, 1024}) tests.push_back(renderer.go_on(samples));
    Rendering reference = renderer.go_on(4096);
    for (Rendering& test : tests) test.subject.image.metadata = {{"scene_hash", "aa"}, {"seed", "1"}};
    reference.subject.image.metadata = tests[0].subject.image.metadata;
    Convergence const convergence = measure_convergence(tests, reference);
    EXPECT_NEAR(convergence.slope_samples.value, -0.5, 0.015);
    EXPECT_FALSE(convergence.slope_range);
    EXPECT_TRUE(has_notice(convergence, "part of the reference's"));
}

TEST(Convergence, RoundingTo8BitsIsTold)
{
    Renderer renderer(6);
    std::vector<Rendering> tests = render_all(renderer);
    tests.push_back(renderer.render(65536));
    for (Rendering& test : tests) round_to_8_bits(test.subject.image);
    Convergence const convergence = measure_convergence(tests, Renderer::render_truth());
    EXPECT_TRUE(has_notice(convergence, "is rounding to 8 bits"));
    EXPECT_FALSE(has_notice(convergence, "does not fall")); // the rounding explains it
    EXPECT_FALSE(convergence.as_expected);
    tests.pop_back();
    EXPECT_NEAR(measure_convergence(tests, Renderer::render_truth()).slope_samples.value, -0.5, 0.03);
}

TEST(Convergence, PixelsThatAreNotFiniteAreLeftOutAndMakeItNegative)
{
    Renderer renderer(7);
    std::vector<Rendering> tests = render_all(renderer);
    double const slope = measure_convergence(tests, Renderer::render_truth()).slope_samples.value;
    tests[1].subject.image.channels[0].values[kPictureEdge + 2] = std::numeric_limits<float>::infinity();
    Convergence const convergence = measure_convergence(tests, Renderer::render_truth());
    EXPECT_NEAR(convergence.slope_samples.value, slope, 0.001);
    EXPECT_FALSE(convergence.as_expected);
    EXPECT_TRUE(has_notice(convergence, "64.exr: 1 values are NaN or infinite, the first in pixel 2,1"));
}

TEST(Convergence, RenderingsThatCannotBeComparedAreRefused)
{
    Renderer renderer(8);
    std::vector<Rendering> const tests = render_all(renderer);
    Rendering const truth = Renderer::render_truth();
    auto const refuse = [&](std::string_view message, auto const& change) {
        std::vector<Rendering> changed = tests;
        Rendering reference = truth;
        change(changed, reference);
        expect_error(ExitStatus::input, {message}, [&] { measure_convergence(changed, reference); });
    };
    refuse("does not tell its number of samples", [](auto& changed, auto&) { changed[2].record = {}; });
    refuse("has 1 x 1 pixels",
           [](auto& changed, auto&) { changed[0].subject.image = make_image(1, 1, Transfer::linear, {"Y"}); });
    refuse("has the channels R", [](auto& changed, auto&) { changed[0].subject.image.channels[0].name = "R"; });
    refuse("is equal to the reference",
           [](auto& changed, auto& reference) { changed[3].subject.image = reference.subject.image; });
    refuse("the noise of the reference is not known", [](auto&, auto& reference) { reference.record.samples = 1024; });
    refuse("the same number of samples", [](auto& changed, auto&) {
        for (Rendering& test : changed) test.record.samples = 16;
    });
}

TEST(Convergence, ReportHasSlopesByPointAndPlotHasLines)
{
    Renderer renderer(9);
    std::vector<Rendering> tests = render_all(renderer);
    for (Rendering& test : tests) test.record.seconds = test.record.samples / 100;
    Convergence const convergence = measure_convergence(tests, renderer.render(65536));
    auto const report = report_convergence(convergence);
    EXPECT_EQ(report["points"][1]["samples_source"], "statement");
    EXPECT_NEAR(report["points"][1]["slope"].get<double>(), -0.5, 0.05);
    EXPECT_TRUE(report["slope_range"].is_array());
    EXPECT_EQ(report["reference_samples"], 65536);
    EXPECT_NEAR(report["slope_time"].get<double>(), report["slope_samples"].get<double>(), 1e-9);
    expect_contains(plot_convergence(convergence), {"over seconds", "<circle"});
    expect_contains(format_convergence(convergence), {"65536 samples", "seconds", "over time, as expected"});
    tests[0].record.seconds = std::numeric_limits<double>::quiet_NaN();
    Convergence const untimed = measure_convergence(tests, renderer.render(65536));
    EXPECT_EQ(plot_convergence(untimed).find("over seconds"), std::string::npos);
    EXPECT_EQ(format_convergence(untimed).find("nan"), std::string::npos);
}

} // namespace
} // namespace volpt::test
