// Outcomes in eight bytes, the levels of spheres, and where an outcome takes a path.
#include "libvolpt/core/outcome.hd.h"
#include "tests/core/random_vectors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace volpt::test {
namespace {

SphereExit store(SphereExit const& exit)
{
    return decode_exit(encode_exit(exit));
}

TEST(Outcome, CosinesAreKeptToHalfAStepAndStayInRange)
{
    for (int i = 0; i <= 100000; ++i) {
        float const cosine = static_cast<float>(i) / 50000 - 1;
        SphereExit const kept = store({cosine, std::abs(cosine), 0, 0});
        ASSERT_NEAR(kept.place, cosine, i == 0 ? 0x1p-15 : 0x1.01p-16) << cosine;
        ASSERT_LE(std::abs(kept.place), 1.0f);
        ASSERT_NEAR(kept.normal, std::abs(cosine), cosine == 0 ? 0x1p-16 : 0x1.01p-17) << cosine;
        ASSERT_GT(kept.normal, 0.0f) << "a walk that leaves moves outwards";
        ASSERT_LE(kept.normal, 1.0f);
    }
    EXPECT_EQ(store({1, 1, 0, 0}).place, 1.0f) << "straight through stays straight";
    EXPECT_EQ(store({1, 1, 0, 0}).normal, 1.0f);
}

TEST(Outcome, RoundedCosinesAreRightOnAverage)
{
    double place = 0, normal = 0;
    constexpr int kSteps = 1 << 20;
    for (int i = 0; i < kSteps; ++i) {
        float const cosine = (static_cast<float>(i) + 0.5f) / kSteps;
        SphereExit const kept = store({cosine, cosine, 0, 0});
        place += static_cast<double>(kept.place) - static_cast<double>(cosine);
        normal += static_cast<double>(kept.normal) - static_cast<double>(cosine);
    }
    EXPECT_NEAR(place / kSteps, 0, 1e-8);
    EXPECT_NEAR(normal / kSteps, 0, 1e-8);
}

TEST(Outcome, AzimuthsAreTheMiddlesOfTheirSteps)
{
    for (std::uint32_t step = 0; step < 4096; ++step)
        for (std::uint32_t const within : {0u, 1u << 19, (1u << 20) - 1u})
            ASSERT_EQ(store({0, 0.5f, (step << 20) + within, 7}).azimuth, (step << 20) + (1u << 19));
}

TEST(Outcome, CollisionsAreExactBelowTwoToTheSixteenAndCutAbove)
{
    for (std::uint32_t n = 0; n < 65536; ++n)
        ASSERT_EQ(store({0.5f, 0.5f, 0xffffffffu, static_cast<float>(static_cast<std::int32_t>(n))}).collisions,
                  static_cast<float>(static_cast<std::int32_t>(n)));
    for (float n = 65536; n < 0x1p31f; n *= 1.0001f) {
        float const whole = std::floor(n);
        float const kept = store({-0.5f, 0.5f, 0, whole}).collisions;
        ASSERT_LE(kept, whole);
        ASSERT_GT(kept, whole * (1 - 0x1p-15f));
    }
}

TEST(Outcome, FieldsDoNotTouchOneAnother)
{
    Rng rng = seed_rng(5, 0, 0, 0);
    for (int i = 0; i < 100000; ++i) {
        std::uint32_t const places = rng.draw();
        std::uint32_t const azimuth = rng.draw() >> 20;
        std::uint32_t const size = rng.draw() % (20u << 15); // up to 2^20 collisions
        Outcome const whole{places, azimuth | size << 12};
        Outcome const again = encode_exit(decode_exit(whole));
        ASSERT_EQ(again.places, whole.places);
        ASSERT_EQ(again.collisions, whole.collisions);
    }
}

TEST(SphereLevels, LevelAndRadiusAreInverseAndConservative)
{
    EXPECT_EQ(sphere_radius(0), 1.0f);
    EXPECT_EQ(sphere_radius(1), 1.25f);
    EXPECT_EQ(sphere_radius(kLevelsInOctave), 2.0f);
    EXPECT_EQ(sphere_radius(kMaxLevels - 1), 1024.0f);
    for (std::int32_t level = 0; level < kMaxLevels; ++level) {
        float const radius = sphere_radius(level);
        EXPECT_EQ(find_level(radius, kMaxLevels), level);
        EXPECT_EQ(find_level(std::nextafter(radius, 0.0f), kMaxLevels), level - 1)
            << "a sphere that is an ulp too large does not fit";
        EXPECT_LE(sphere_radius(level + 1) / radius, 1.25f);
    }
    for (float radius = 1; radius < 1000; radius *= 1.001f) {
        std::int32_t const level = find_level(radius, kMaxLevels);
        ASSERT_LE(sphere_radius(level), radius);
        ASSERT_GT(sphere_radius(level + 1), radius);
    }
}

TEST(SphereLevels, NothingFitsBelowTheFirstAndNoneIsAboveTheMost)
{
    for (float const radius : {0.0f, 1e-30f, 0.1f, 0.5f, std::nextafter(1.0f, 0.0f)})
        EXPECT_LT(find_level(radius, 44), 0) << radius;
    for (float const radius : {64.0f, 1e6f, 3e38f}) EXPECT_EQ(find_level(radius, 24), 24) << radius;
    EXPECT_EQ(find_level(100.0f, -1), -1) << "no levels";
}

TEST(PlaceExit, GivesUnitVectorsAtTheAnglesAskedFor)
{
    Rng rng = seed_rng(9, 0, 0, 0);
    for (int i = 0; i < 200000; ++i) {
        std::uint32_t const cosine = rng.draw();
        std::uint32_t const azimuth = rng.draw();
        Vec3 const direction = sample_isotropic(cosine, azimuth);
        std::uint32_t const places = rng.draw();
        std::uint32_t const collisions = rng.draw();
        SphereExit const exit = decode_exit({places, collisions});
        std::uint32_t const turn = rng.draw();
        SphereStep const step = place_exit(direction, exit, turn);
        ASSERT_NEAR(dot_double(step.offset, step.offset), 1, 3e-6);
        ASSERT_NEAR(dot_double(step.direction, step.direction), 1, 3e-6);
        ASSERT_NEAR(dot_double(step.offset, direction), exit.place, 2e-6);
        ASSERT_NEAR(dot_double(step.direction, step.offset), exit.normal, 2e-6);
        // About the normal, from the meridian away from the start.
        double const place = static_cast<double>(exit.place), normal = static_cast<double>(exit.normal);
        double const angle = 2 * std::numbers::pi * std::ldexp(static_cast<double>(exit.azimuth), -32);
        double const sines = std::sqrt((1 - place * place) * (1 - normal * normal));
        ASSERT_NEAR(dot_double(step.direction, direction), place * normal - sines * std::cos(angle), 3e-6);
    }
}

TEST(PlaceExit, TheTurnIsTheMeridiansAzimuth)
{
    Vec3 const direction{0, 0, 1};
    Frame const frame = make_frame(direction);
    SphereExit const exit{0.25f, 0.5f, 0x20000000u, 3};
    for (std::uint32_t turn = 0; turn < 0xf0000000u; turn += 0x01234567u) {
        Vec3 const offset = place_exit(direction, exit, turn).offset;
        double const angle = std::atan2(dot_double(offset, frame.bitangent), dot_double(offset, frame.tangent));
        double const expected = 2 * std::numbers::pi * std::ldexp(static_cast<double>(turn), -32);
        EXPECT_NEAR(std::remainder(angle - expected, 2 * std::numbers::pi), 0, 1e-6);
    }
}

TEST(Banks, SamplesShareABankByGroups)
{
    EXPECT_EQ(bank_of_sample(0), 0u);
    EXPECT_EQ(bank_of_sample(kBankSamples - 1), 0u);
    EXPECT_EQ(bank_of_sample(kBankSamples), 1u);
    EXPECT_EQ(bank_of_sample((std::uint64_t{1} << 32) - 1), (std::uint64_t{1} << 32) / kBankSamples - 1);
}

TEST(Banks, ChoicesGoRoundALevel)
{
    BankView bank;
    bank.log2_size = 3;
    for (std::uint32_t choice = 0; choice < 8; ++choice) {
        EXPECT_EQ(find_outcome(bank, 2, choice), 16 + choice);
        EXPECT_EQ(find_outcome(bank, 2, choice + 8), 16 + choice);
    }
    EXPECT_EQ(find_outcome(bank, 0, 0xffffffffu), 7u);
}

} // namespace
} // namespace volpt::test
