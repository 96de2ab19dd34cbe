// Which kernel the automatic tuning takes.
#include "libvolpt/render/workers/kernel_tuning.h"

#include <gtest/gtest.h>
#include <random>

namespace volpt::test {
namespace {

std::vector<RendererOptions> const kCandidates{{"standard"}, {"near"}, {"slow"}, {"fast"}};

struct Tuning {
    std::string chosen;
    int measurements = 0;
    std::vector<TuningEntry> entries;
};

/// Rates of the candidates, each measurement with a relative error of at most `scatter`.
Tuning tune(std::map<std::string, double> const& rates, double scatter = 0, unsigned seed = 1)
{
    Tuning tuning;
    std::mt19937 random(seed);
    tuning.entries = tune_kernel(kCandidates, [&](RendererOptions const& options) {
        ++tuning.measurements;
        return rates.at(options.kernel) * (1 + std::uniform_real_distribution(-scatter, scatter)(random));
    });
    tuning.chosen = tuning.entries.front().options.kernel;
    return tuning;
}

TEST(KernelTuning, AClearlyFasterKernelIsTaken)
{
    for (unsigned seed = 0; seed < 1000; ++seed) {
        Tuning const tuning = tune({{"standard", 100}, {"near", 101}, {"slow", 60}, {"fast", 108}}, 0.02, seed);
        ASSERT_EQ(tuning.chosen, "fast") << seed;
    }
}

/// Of a kernel that renders `rate` paths a second, and takes `tail_s` longer for the last ones of a launch.
auto make_kernel(double rate, double tail_s)
{
    return
        [=](std::uint64_t paths) { return static_cast<double>(paths) / (static_cast<double>(paths) / rate + tail_s); };
}

TEST(KernelTuning, LaunchesAreSoLongThatTheirLastPathsMatterLittle)
{
    TuningLaunch const streaming = find_tuning_launch(100'000, make_kernel(88e6, 0.1));
    TuningLaunch const persistent = find_tuning_launch(100'000, make_kernel(45e6, 0.01));
    EXPECT_GT(streaming.paths_per_second, persistent.paths_per_second);
    EXPECT_GT(streaming.paths_per_second, make_kernel(45e6, 0.01)(streaming.paths));
    EXPECT_LE(static_cast<double>(streaming.paths), 2 * 0.3 * streaming.paths_per_second);
}

TEST(KernelTuning, LaunchesThatSaturateTheDeviceGrowNoFurther)
{
    int launches = 0;
    TuningLaunch const launch = find_tuning_launch(4'000'000, [&](std::uint64_t paths) {
        ++launches;
        return make_kernel(88e6, 1e-3)(paths);
    });
    EXPECT_EQ(launches, 2);
    EXPECT_EQ(launch.paths, 8'000'000u);
}

TEST(KernelTuning, LaunchesEndWithTheSamples)
{
    TuningLaunch const launch = find_tuning_launch(
        1000, [](std::uint64_t paths) { return paths < 4000 ? 1e6 * static_cast<double>(paths) : 0.0; });
    EXPECT_EQ(launch.paths, 4000u);
    EXPECT_EQ(launch.paths_per_second, 2e9);
    EXPECT_EQ(find_tuning_launch(0, [](std::uint64_t) { return 0.0; }).paths_per_second, 0);
}

TEST(KernelTuning, WithinTheNoiseTheStandardStays)
{
    for (unsigned seed = 0; seed < 1000; ++seed) {
        Tuning const tuning = tune({{"standard", 100}, {"near", 101}, {"slow", 60}, {"fast", 98}}, 0.01, seed);
        ASSERT_EQ(tuning.chosen, "standard") << seed;
    }
}

TEST(KernelTuning, TheChoiceIsNeverFarBelowTheBest)
{
    for (unsigned seed = 0; seed < 1000; ++seed) {
        std::map<std::string, double> const rates{{"standard", 100}, {"near", 104}, {"slow", 97}, {"fast", 104.5}};
        ASSERT_GE(rates.at(tune(rates, 0.02, seed).chosen), 0.95 * 104.5) << seed;
    }
}

TEST(KernelTuning, AKernelThatIsNotFasterIsMeasuredOnce)
{
    EXPECT_EQ(tune({{"standard", 100}, {"near", 101}, {"slow", 60}, {"fast", 99}}).measurements, 4);
    EXPECT_EQ(tune({{"standard", 100}, {"near", 101}, {"slow", 60}, {"fast", 200}}).measurements, 4 + 2 + 2);
}

TEST(KernelTuning, TheChosenComesFirstThenTheFastest)
{
    Tuning const tuning = tune({{"standard", 100}, {"near", 102}, {"slow", 60}, {"fast", 99}});
    std::vector<std::string> names;
    for (TuningEntry const& entry : tuning.entries) names.push_back(entry.options.kernel);
    EXPECT_EQ(names, (std::vector<std::string>{"standard", "near", "fast", "slow"}));
}

TEST(KernelTuning, WithoutSamplesTheStandardStays)
{
    std::vector<TuningEntry> const entries = tune_kernel(kCandidates, [](RendererOptions const&) { return 0.0; });
    EXPECT_EQ(entries.front().options.kernel, "standard");
    int left = 2;
    std::vector<TuningEntry> const some =
        tune_kernel(kCandidates, [&](RendererOptions const&) { return left-- > 0 ? 100.0 : 0.0; });
    EXPECT_EQ(some.front().options.kernel, "standard");
}

} // namespace
} // namespace volpt::test
