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
