// Markov chains on targets whose integrals are known, and the numbers that they propose and add to the film.
#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/core/metropolis/markov_chain.hd.h"
#include "libvolpt/core/metropolis/primary_numbers.hd.h"
#include "tests/core/random_vectors.h"
#include "tests/support/goodness_of_fit.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace volpt::test {
namespace {

constexpr std::uint32_t kBins = 20, kOtherGroup = kFirstVertexGroup + 40;

/// Numbers of one evaluation: three of each group in [0, 1), and a fourth that is drawn anew each time.
using ReadGroup = std::function<std::array<double, 4>(std::uint32_t group)>;

struct ToySample {
    double importance = 0;
    std::uint32_t bin = 0;
};

/// An importance of numbers, and its integral over each bin.
struct ToyTarget {
    std::function<ToySample(ReadGroup const&)> evaluate;
    std::array<double, kBins> integral{};
};

/// What a chain adds to each bin per step, and the mean of its candidates.
struct ToyResult {
    std::array<double, kBins> bin{};
    double candidate_mean = 0;
};

/// A chain as run_chain.hd.h has it, with a toy in place of paths.
class ToyChain {
public:
    ToyChain(ToyTarget const& target, std::uint32_t number) : target_(target)
    {
        id_.chain = number;
        id_.key[0] = 11;
    }

    ToyResult run(std::uint32_t bootstrap, std::uint32_t mutations)
    {
        for (; evaluation_ < bootstrap; ++evaluation_) {
            ChainSample<1> const sample = propose(Proposal::large);
            offer_candidate(sample, decision_bits_, chain_);
        }
        result_.candidate_mean = static_cast<double>(chain_.candidate_total) / bootstrap;
        if (!(chain_.state.importance > 0)) return result_;
        if (mutations == 0) add({chain_.state, 1}, 1);
        for (std::uint32_t i = 0; i < mutations; ++i, ++evaluation_) {
            bool const is_large = to_unit(draw_fresh(id_, evaluation_, kNoGroup).word[0]) < 0.15f;
            ChainSample<1> const sample = propose(is_large ? Proposal::large : Proposal::small);
            add(take_step(sample, decision_bits_, chain_), mutations);
        }
        if (mutations > 0) add({chain_.state, chain_.weight}, mutations);
        return result_;
    }

private:
    ChainSample<1> propose(Proposal proposal)
    {
        clear_proposal(numbers_, chain_.state_set);
        auto const read = [&](std::uint32_t group) {
            Words4 const words = propose_numbers(id_, evaluation_, proposal, chain_.state_set, group, numbers_);
            std::array<double, 4> values;
            for (std::size_t i = 0; i < 4; ++i) values[i] = (words.word[i] + 0.5) * 0x1p-32;
            return values;
        };
        decision_bits_ =
            propose_numbers(id_, evaluation_, proposal, chain_.state_set, kStrategyGroup, numbers_).word[3];
        ToySample const toy = target_.evaluate(read);
        ChainSample<1> sample;
        sample.slot = toy.bin;
        sample.importance = sample.value[0] = static_cast<float>(toy.importance);
        return sample;
    }

    void add(WeightedSample<1> const& left, std::uint32_t steps)
    {
        if (!(left.sample.importance > 0)) return;
        result_.bin[left.sample.slot] += static_cast<double>(left.weight) * result_.candidate_mean / steps;
    }

    ToyTarget const& target_;
    ChainId id_;
    MarkovChain<1> chain_;
    PrimaryNumbers numbers_{};
    std::uint32_t evaluation_ = 0, decision_bits_ = 0;
    ToyResult result_;
};

/// Whatever the number of candidates and steps, chains add the integral to each bin: by 4.5 standard errors of
/// independent chains, and by their squares together (30 bins or fewer: 1 in 10,000).
void expect_integrals(ToyTarget const& target, std::uint32_t chains, std::uint32_t bootstrap, std::uint32_t mutations)
{
    std::array<double, kBins> sums{}, squares{};
    double candidates = 0, candidate_squares = 0;
    for (std::uint32_t i = 0; i < chains; ++i) {
        ToyResult const result = ToyChain(target, i).run(bootstrap, mutations);
        candidates += result.candidate_mean;
        candidate_squares += result.candidate_mean * result.candidate_mean;
        for (std::size_t b = 0; b < kBins; ++b) {
            sums[b] += result.bin[b];
            squares[b] += result.bin[b] * result.bin[b];
        }
    }
    auto const find_error = [&](double sum, double square) {
        double const mean = sum / chains;
        return std::sqrt((square / chains - mean * mean) / (chains - 1));
    };
    double chi2 = 0, freedom = 0, integral = 0;
    for (std::size_t b = 0; b < kBins; ++b) {
        integral += target.integral[b];
        if (target.integral[b] == 0) {
            EXPECT_EQ(sums[b], 0) << "bin " << b << " has no importance";
            continue;
        }
        double const deviate = (sums[b] / chains - target.integral[b]) / find_error(sums[b], squares[b]);
        EXPECT_LT(std::abs(deviate), 4.5) << "bin " << b << ", " << bootstrap << " candidates, " << mutations;
        chi2 += deviate * deviate;
        freedom += 1;
    }
    EXPECT_LT((std::cbrt(chi2 / freedom) - (1 - 2 / (9 * freedom))) / std::sqrt(2 / (9 * freedom)), 3.7)
        << bootstrap << " candidates, " << mutations << " steps: chi-square " << chi2 << " of " << freedom;
    EXPECT_NEAR(candidates / chains, integral, 4 * find_error(candidates, candidate_squares));
}

/// Of two numbers of one group: nothing below 0.3, then 1 or 8 times the first number. Bins: tenths and halves.
ToyTarget make_step_target(std::uint32_t group)
{
    ToyTarget target;
    target.evaluate = [group](ReadGroup const& read) -> ToySample {
        auto const [x, y, z, fresh] = read(group);
        auto const tenth = static_cast<std::uint32_t>(x * 10);
        return {x < 0.3 ? 0 : (y < 0.5 ? 1 : 8) * x, 2 * tenth + (y < 0.5 ? 0 : 1)};
    };
    for (std::size_t b = 6; b < kBins; ++b)
        target.integral[b] = 0.5 * (b % 2 == 0 ? 1 : 8) * (0.1 * static_cast<double>(b / 2) + 0.05) * 0.1;
    return target;
}

/// The second group is read where the first number is in the upper half, or in the lower tenth and then changes
/// nothing.
ToyTarget make_two_group_target()
{
    ToyTarget target;
    target.evaluate = [](ReadGroup const& read) -> ToySample {
        double const x = read(kFilmGroup)[0];
        if (x < 0.1) read(kOtherGroup);
        if (x < 0.5) return {1, static_cast<std::uint32_t>(x * 20)};
        double const z = read(kOtherGroup)[2];
        return {12 * z * z, 10 + static_cast<std::uint32_t>(z * 10)};
    };
    for (std::size_t b = 0; b < 10; ++b) {
        target.integral[b] = 0.05;
        double const low = 0.1 * static_cast<double>(b), high = low + 0.1;
        target.integral[10 + b] = 2 * (high * high * high - low * low * low);
    }
    return target;
}

/// The importance has a random factor of mean 1 that belongs to no group.
ToyTarget make_noisy_target()
{
    ToyTarget target;
    target.evaluate = [](ReadGroup const& read) -> ToySample {
        auto const [x, y, z, fresh] = read(kOtherGroup);
        return {x * (fresh < 0.25 ? 32 * fresh : 0), static_cast<std::uint32_t>(x * 20)};
    };
    for (std::size_t b = 0; b < kBins; ++b) target.integral[b] = 0.05 * (0.05 * static_cast<double>(b) + 0.025);
    return target;
}

TEST(Metropolis, ChainsAddTheIntegralOfTheirTargetWhateverTheirLength)
{
    for (std::uint32_t const group : {kFilmGroup, kOtherGroup})
        for (auto const& [bootstrap, mutations] : {std::pair{1u, 10u}, {8u, 10u}, {2u, 300u}})
            expect_integrals(make_step_target(group), mutations > 100 ? 3000 : 50000, bootstrap, mutations);
}

TEST(Metropolis, GroupsThatOnlySomeStatesReadChangeNoMean)
{
    expect_integrals(make_two_group_target(), 50000, 4, 12);
    expect_integrals(make_two_group_target(), 3000, 4, 300);
}

TEST(Metropolis, NumbersDrawnAnewAreKeptWithTheState)
{
    expect_integrals(make_noisy_target(), 50000, 4, 12);
    expect_integrals(make_noisy_target(), 3000, 4, 300);
}

/// Before any step: a state is chosen in proportion to importance, and counts by the mean of its candidates.
TEST(Metropolis, FirstStatesCountByTheMeanOfTheirOwnCandidates)
{
    expect_integrals(make_step_target(kOtherGroup), 100000, 1, 0);
    expect_integrals(make_step_target(kOtherGroup), 100000, 7, 0);
}

TEST(Metropolis, CandidatesWithoutImportanceStartNoChain)
{
    ToyTarget target;
    target.evaluate = [](ReadGroup const& read) -> ToySample { return {0, read(kFilmGroup)[0] < 0.5 ? 0u : 1u}; };
    ToyResult const result = ToyChain(target, 1).run(5, 10);
    EXPECT_EQ(result.candidate_mean, 0);
    for (double const sum : result.bin) EXPECT_EQ(sum, 0);
}

TEST(Metropolis, StateAndProposalShareEachStepByTheAcceptance)
{
    RandomVectors random(3);
    MarkovChain<1> chain;
    chain.state.importance = 1;
    chain.state.slot = 0;
    double given = 0;
    for (int i = 1; i <= 1000; ++i) {
        ChainSample<1> proposed;
        proposed.importance = i % 7 == 0 ? 0.0f : random.uniform_float(0, 3);
        proposed.slot = static_cast<std::uint32_t>(i);
        float const before = chain.state.importance;
        std::uint32_t const slot = chain.state.slot, set = chain.state_set;
        WeightedSample<1> const left = take_step(proposed, random.bits(), chain);
        given += static_cast<double>(left.weight);
        EXPECT_NEAR(given + static_cast<double>(chain.weight), i, 1e-3) << "each step counts once in all";
        bool const is_accepted = chain.state.slot == proposed.slot;
        EXPECT_EQ(left.sample.slot, is_accepted ? slot : proposed.slot);
        EXPECT_EQ(chain.state_set, is_accepted ? set ^ 1u : set) << "the numbers of the state are kept with it";
        if (proposed.importance >= before) {
            EXPECT_TRUE(is_accepted);
        }
        if (proposed.importance == 0) {
            EXPECT_FALSE(is_accepted);
        }
    }
}

TEST(Metropolis, ImportanceIsTheMeanOfAllBandsWithinBounds)
{
    float const value[] = {1, 2, 6};
    EXPECT_EQ(find_importance(value, 4), 12);
    float const dark[] = {0, 0, 0}, dim[] = {0x1p-40f, 0, 0}, bright[] = {1e30f, 1e30f, 1e30f};
    EXPECT_EQ(find_importance(dark, 1), 0);
    EXPECT_EQ(find_importance(dim, 1), 0);
    EXPECT_EQ(find_importance(bright, 1e8f), 0x1p37f) << "also where the sum is infinite";
    float const unknown[] = {std::numeric_limits<float>::quiet_NaN()};
    EXPECT_EQ(find_importance(unknown, 1), 0);
}

TEST(PrimaryNumbers, PerturbationsStayWithinTheirRange)
{
    RandomVectors random(5);
    for (auto const& [group, least_log2, most_log2] :
         {std::tuple{kFilmGroup, 19, 29}, {kLensGroup, 22, 26}, {kOtherGroup, 22, 26}}) {
        double least = 1e30, most = 0;
        for (int i = 0; i < 200000; ++i) {
            std::uint32_t const bits = random.bits(), number = random.bits();
            std::uint32_t const up = perturb(number, group, bits) - number;
            double const distance = std::min(up, 0u - up);
            least = std::min(least, distance);
            most = std::max(most, distance);
        }
        EXPECT_NEAR(std::log2(least), least_log2, 1e-3);
        EXPECT_NEAR(std::log2(most), most_log2, 1e-3);
    }
}

TEST(PrimaryNumbers, PerturbationsAreSymmetricAndModuloOne)
{
    RandomVectors random(6);
    for (std::uint32_t const group : {kFilmGroup, kOtherGroup})
        for (int i = 0; i < 10000; ++i) {
            std::uint32_t const bits = random.bits(), number = i < 10 ? 0u : random.bits();
            std::uint32_t const there = perturb(number, group, bits),
                                opposite = perturb(number, group, ~bits >> 31 << 31 | bits << 1 >> 1);
            EXPECT_EQ(there + opposite, 2 * number) << "as far up as down";
            EXPECT_EQ(perturb(0, group, bits), there - number) << "wherever it begins";
        }
}

/// The logarithm of the distance is uniform.
TEST(PrimaryNumbers, PerturbationsFallAsOneByTheDistance)
{
    RandomVectors random(7);
    std::vector<double> counts(2 * 16);
    for (int i = 0; i < 400000; ++i) {
        std::uint32_t const moved = perturb(0, kOtherGroup, random.bits());
        bool const is_up = moved < 0x80000000u;
        double const place = (std::log2(is_up ? moved : 0u - moved) - 22) / 4;
        counts[static_cast<std::size_t>(std::clamp(place * 16, 0.0, 15.0)) + (is_up ? 16 : 0)] += 1;
    }
    EXPECT_LT(chi_square_deviate(counts), 4);
}

TEST(PrimaryNumbers, SmallStepsChangeWhatTheStateHasReadAndDrawTheRestAnew)
{
    PrimaryNumbers numbers{};
    ChainId const id{3, 1, 0, {9, 9}};
    propose_numbers(id, 0, Proposal::large, 0, kOtherGroup, numbers); // as the proposal, set 1
    EXPECT_TRUE(is_group_read(numbers, 1, kOtherGroup));
    EXPECT_FALSE(is_group_read(numbers, 1, kOtherGroup + 1));
    EXPECT_FALSE(is_group_read(numbers, 0, kOtherGroup));
    for (std::uint32_t const group : {kOtherGroup, kOtherGroup + 1}) {
        Words4 const fresh = draw_fresh(id, 1, group);
        Words4 const words = propose_numbers(id, 1, Proposal::small, 1, group, numbers); // set 1 is the state
        for (int i = 0; i < 3; ++i) {
            std::uint32_t const before = numbers.number[1][group][i];
            EXPECT_EQ(words.word[i], group == kOtherGroup ? perturb(before, group, fresh.word[i]) : fresh.word[i]);
            EXPECT_EQ(numbers.number[0][group][i], words.word[i]);
        }
        EXPECT_EQ(words.word[3], fresh.word[3]);
    }
    clear_proposal(numbers, 1);
    EXPECT_FALSE(is_group_read(numbers, 0, kOtherGroup));
    EXPECT_TRUE(is_group_read(numbers, 1, kOtherGroup)) << "the state keeps its own";
    Words4 const large = propose_numbers(id, 2, Proposal::large, 1, kOtherGroup, numbers);
    EXPECT_EQ(large.word[0], draw_fresh(id, 2, kOtherGroup).word[0]);
}

std::uint64_t deposit(float value, float scale, std::uint32_t sample = 0)
{
    PathState<1> path{};
    path.rng = seed_rng(1, 2, sample, 0);
    path.throughput[0] = value;
    return round_deposit(path, scale).value[0];
}

TEST(FixedDeposit, RoundingIsUnbiasedAndKeepsIntegers)
{
    for (float const integer : {0.0f, 1.0f, 4097.0f, 0x1p31f, 0x1p39f + 0x1p16f, 0x1p40f})
        EXPECT_EQ(static_cast<double>(deposit(integer, 1)), static_cast<double>(integer));
    EXPECT_EQ(deposit(0.5f, 0x1p20f), std::uint64_t{1} << 19);
    for (float const value : {1e-3f, 0.3f, 1.5f, 77.25f, 4096.125f}) {
        constexpr std::uint32_t kDraws = 200000;
        double const low = std::floor(static_cast<double>(value)), rest = static_cast<double>(value) - low;
        double ups = 0;
        for (std::uint32_t i = 0; i < kDraws; ++i) ups += static_cast<double>(deposit(value, 1, i)) - low;
        EXPECT_NEAR(ups / kDraws, rest, 4.5 * std::sqrt(rest * (1 - rest) / kDraws)) << value;
    }
}

TEST(FixedDeposit, WhatIsOutOfRangeIsBounded)
{
    EXPECT_EQ(deposit(1.0001f, 0x1p40f), std::uint64_t{1} << kPassLog2);
    EXPECT_EQ(deposit(std::numeric_limits<float>::infinity(), 1), std::uint64_t{1} << kPassLog2);
    EXPECT_EQ(deposit(-1.0f, 1), 0u);
    EXPECT_EQ(deposit(std::numeric_limits<float>::quiet_NaN(), 1), 0u);
}

TEST(FixedDeposit, MostSumsOfPassesFitTheFilm)
{
    constexpr std::uint64_t kPasses = std::uint64_t{1} << 24;
    std::uint64_t const most = bound_to_pass(~std::uint64_t{0});
    EXPECT_LE(most, std::uint64_t{1} << kPassLog2);
    EXPECT_LE(most, std::numeric_limits<std::uint64_t>::max() / kPasses);
    EXPECT_EQ(bound_to_pass(12345), 12345u);
    EXPECT_EQ(bound_to_pass(std::uint64_t{1} << 39), std::uint64_t{1} << 39);
    EXPECT_LE(square_of_sum(most).high, std::numeric_limits<std::uint64_t>::max() >> 16) << "2^16 of them fit 64 bits";
}

TEST(FixedDeposit, HalvesOfSquaresOfSumsAreExact)
{
    __extension__ using Square = unsigned __int128;
    RandomVectors random(8);
    std::vector<std::uint64_t> sums{0, 1, 0xffffffffu, std::uint64_t{1} << 32, std::uint64_t{1} << kPassLog2};
    for (int i = 0; i < 100000; ++i) {
        std::uint64_t const bits = std::uint64_t{random.bits()} << 32;
        sums.push_back((bits | random.bits()) >> (24 + i % 40));
    }
    for (std::uint64_t const sum : sums) {
        FixedSumSquare const square = square_of_sum(sum);
        EXPECT_TRUE((Square{square.high} << kSquareHalfLog2) + square.low == Square{sum} * sum) << sum;
        EXPECT_LE(square.low, 0xffffffffu);
    }
}

} // namespace
} // namespace volpt::test
