// The banks' error: recovered from films of banks with a known one, and in every figure of a film's noise.
#include "tests/film/film_samples.h"

#include "libvolpt/film/film_banks.h"
#include "libvolpt/film/film_colour.h"
#include "libvolpt/film/film_image.h"
#include "libvolpt/film/film_stats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace volpt {
namespace {

constexpr double kPrior = kPriorBankError * kPriorBankError;

struct BankedFilm {
    Film film;
    double spread; ///< variance of the errors that were drawn, relative
};

/// Pixels of different brightness, 64 samples a bank that scatter evenly by +-`noise`, and each bank off by a normal
/// `error`; all relative to the pixel.
BankedFilm make_banked_film(int banks, double error, double noise, unsigned seed = 1)
{
    Film film = make_stepped_film(16, 16, 1);
    film.long_steps.steps = 1;
    film.statistics.paths = 256 * 64 * static_cast<std::uint64_t>(banks);
    std::mt19937 random(seed);
    std::normal_distribution<double> draw_error(0, error);
    std::uniform_real_distribution<double> draw_noise(-noise, noise);
    std::vector<double> errors;
    for (int bank = 0; bank < banks; ++bank) {
        errors.push_back(error > 0 ? draw_error(random) : 0);
        insert_range(film.tile_ranges[0], {static_cast<std::uint64_t>(bank) * kBankSamples, kBankSamples});
        std::vector<Wide>& sum = film.long_steps.bank_sums[static_cast<std::uint32_t>(bank)];
        sum.resize(1);
        for (std::size_t pixel = 0; pixel < film.sums.size(); ++pixel)
            for (std::uint32_t sample = 0; sample < kBankSamples; ++sample) {
                double const bright = 0.2 + 0.5 * static_cast<double>(pixel) / 256;
                auto const value =
                    static_cast<std::uint64_t>(std::ldexp(bright * (1 + errors.back()) * (1 + draw_noise(random)), 31));
                film.sums[pixel] += value;
                film.squares[pixel] += square_value(film, value);
                sum[0] += value;
            }
    }
    double mean = 0, spread = 0;
    for (double const e : errors) mean += e / banks;
    for (double const e : errors) spread += (e - mean) * (e - mean) / (banks - 1);
    return {std::move(film), spread};
}

TEST(BankError, KnownSpreadIsRecovered)
{
    // The noise of a bank's sum is 0.3 / sqrt(3 * 256 * 64), 1.4e-3 relative.
    for (double const error : {1e-3, 4e-3, 2e-2}) {
        BankedFilm const made = make_banked_film(100, error, 0.3);
        double const noise = 0.09 / (3 * 256 * 64);
        double const uncertainty = std::sqrt(2.0 / 99) * noise + 2 * std::sqrt(made.spread * noise / 99);
        EXPECT_NEAR(measure_bank_errors(made.film).one_bank[0], made.spread, 4 * uncertainty + 0.03 * made.spread)
            << error;
    }
}

TEST(BankError, NoSpreadIsAboutNone)
{
    // One bank's noise is far below the prior's error, and the prior gives way.
    EXPECT_LT(measure_bank_errors(make_banked_film(40, 0, 0.02).film).one_bank[0], 0.05 * kPrior);
    EXPECT_LT(measure_bank_errors(make_banked_film(40, 0, 0).film).one_bank[0], 1e-4 * kPrior);
}

TEST(BankError, NoiseOfThePathsIsNotTakenForThatOfBanks)
{
    // 1.4e-3 and 4.6e-3 a bank, where the prior's error is 5e-4: nothing can be seen, and the prior stands.
    for (double const noise : {0.3, 0.999})
        for (int const banks : {2, 3, 10}) {
            double const measured = measure_bank_errors(make_banked_film(banks, 0, noise).film).one_bank[0];
            EXPECT_GT(measured, 0.3 * kPrior) << noise << " " << banks;
            EXPECT_LT(measured, 2 * kPrior) << noise << " " << banks;
        }
}

TEST(BankError, LoneBankAndSingleSamplesLeaveThePrior)
{
    BankErrors const lone = measure_bank_errors(make_banked_film(1, 0, 0.3).film);
    EXPECT_DOUBLE_EQ(lone.film_variance(0), kPrior);
    EXPECT_DOUBLE_EQ(lone.pixel_variance(0, 0), kPrior);
    Film single = make_stepped_film(70, 3, 1);
    add_samples(single, 0, {0, 1});
    add_samples(single, 1, {64, 20});
    EXPECT_DOUBLE_EQ(measure_bank_errors(single).one_bank[0], kPrior);
    Film black = make_stepped_film(2, 2, 1);
    add_samples(black, {0, 100});
    black.sums.assign(black.sums.size(), 0);
    set_squares_of_zeros_and_ones(black);
    for (auto& [number, sums] : black.long_steps.bank_sums) sums = {0};
    EXPECT_DOUBLE_EQ(measure_bank_errors(black).one_bank[0], kPrior);
}

TEST(BankError, FewBanksLieBetweenPriorAndMeasurement)
{
    for (int const banks : {2, 4, 32}) {
        BankedFilm const made = make_banked_film(banks, 10 * kPriorBankError, 0.01);
        double const measured = measure_bank_errors(made.film).one_bank[0];
        EXPECT_GT(measured, 2 * kPrior) << banks;
        EXPECT_LT(measured, 1.1 * made.spread) << banks;
        if (banks == 32) {
            EXPECT_GT(measured, 0.8 * made.spread);
        }
    }
}

TEST(BankError, TilesWithOtherBanksAreNotMistakenForASpread)
{
    // The bright tile has banks that the dark one lacks.
    Film film = make_stepped_film(128, 4, 1);
    film.long_steps.steps = 1;
    for (std::uint32_t bank = 0; bank < 12; ++bank) {
        std::vector<Wide>& sum = film.long_steps.bank_sums[bank];
        sum.resize(1);
        for (std::size_t tile = 0; tile < (bank < 6 ? 2u : 1u); ++tile) {
            insert_range(film.tile_ranges[tile], {bank * std::uint64_t{kBankSamples}, kBankSamples});
            for (std::size_t pixel = 0; pixel < film.sums.size(); ++pixel) {
                if (pixel % 128 / 64 != tile) continue;
                std::uint64_t const value = (tile == 0 ? 7u : 1u) * (std::uint64_t{1} << 28);
                film.sums[pixel] += value * kBankSamples;
                film.squares[pixel] += square_value(film, value) * kBankSamples;
                sum[0] += Wide{value} * kBankSamples;
            }
        }
    }
    BankErrors const errors = measure_bank_errors(film);
    EXPECT_LT(errors.one_bank[0], 1e-2 * kPrior);
    EXPECT_DOUBLE_EQ(errors.tile_shares[0], 1.0 / 12);
    EXPECT_DOUBLE_EQ(errors.tile_shares[1], 1.0 / 6);
    // Shares of the light: 8 : 7 in the first and last six.
    EXPECT_NEAR(errors.film_shares[0], 6 * (64.0 + 49.0) / (90.0 * 90.0), 1e-12);
}

TEST(BankError, PartsOfBanksWeighByTheirSamples)
{
    Film film = make_stepped_film(2, 2, 1);
    add_samples(film, {32, 64});
    EXPECT_DOUBLE_EQ(measure_bank_errors(film).tile_shares[0], 0.5);
    add_samples(film, {96, 32});
    EXPECT_DOUBLE_EQ(measure_bank_errors(film).tile_shares[0], (1.0 + 4.0) / 9);
}

TEST(BankError, IsInEveryFigureOfNoiseAndPixelsShareIt)
{
    Film const film = make_banked_film(8, 3e-2, 0.3).film;
    BankErrors const errors = measure_bank_errors(film);
    Film none = film;
    none.long_steps.steps = 0;
    EXPECT_TRUE(measure_bank_errors(none).one_bank.empty());
    FilmSummary const with = summarize_film(film), without = summarize_film(none);
    EXPECT_EQ(with.mean, without.mean);
    double const added = with.mean[0] * std::sqrt(errors.film_variance(0));
    EXPECT_NEAR(with.standard_error[0], std::hypot(without.standard_error[0], added), 1e-12);
    EXPECT_GT(with.standard_error[0], 3 * without.standard_error[0]);

    Image const noisy = film_to_image(film), plain = film_to_image(none);
    for (std::size_t const pixel : {0u, 255u}) {
        float const own = plain.find("standard_error.Y")->values[pixel], value = plain.find("Y")->values[pixel];
        float const bank = value * static_cast<float>(std::sqrt(errors.pixel_variance(0, 0)));
        EXPECT_FLOAT_EQ(noisy.find("standard_error.Y")->values[pixel], std::hypot(own, bank));
    }
    EXPECT_GT(measure_de2000_noise(film, Illuminant::d65)[7], 1.1f * measure_de2000_noise(none, Illuminant::d65)[7]);
    EXPECT_GT(measure_pooled_noise(film, Illuminant::d65)[0], 1.1f * measure_pooled_noise(none, Illuminant::d65)[0]);
}

} // namespace
} // namespace volpt
