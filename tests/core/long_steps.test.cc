// Long steps of single paths: where they are taken, what they draw, what they leave of the throughput.
#include "libvolpt/core/extend_path.hd.h"
#include "tests/core/random_vectors.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

namespace volpt::test {
namespace {

using Bare = Medium<1, Extinction::bare, MajorantGrid::global, Steps::spheres>;

struct Step {
    std::uint32_t taken; ///< 0 or 1
    float collisions;
};

/// A box of 40 x 40 x 40 mm, sigma_t 1/mm, one voxel a mm, with a bank of made-up outcomes, which are told apart by
/// their collisions: 1, 2, ..
struct SteppedBox {
    SceneView scene;
    StepBrick<1> brick;
    StepBox box;
    std::vector<Outcome> outcomes;

    explicit SteppedBox(float one_minus_albedo, std::uint32_t log2_size = 8)
    {
        MediumView& medium = scene.medium;
        set_size(medium, {40, 40, 40});
        medium.inv_pitch = {1, 1, 1};
        medium.band[0].majorant = 1;
        medium.band[0].mean_free_path_voxels = medium.inv_pitch;
        medium.band[0].constant_one_minus_albedo = one_minus_albedo;
        LongStepsView& steps = scene.long_steps;
        steps.kind = Steps::spheres;
        steps.pitch_mm = {1, 1, 1};
        brick = {1.0f, 0.0f, 0, {exact::neg_log1m(one_minus_albedo)}};
        box = {{0, 0, 0}, {40, 40, 40}};
        steps.boxes = &box;
        steps.bricks_of_band = &brick;
        steps.brick_count = 1;
        steps.g_count = 1;
        steps.bank.log2_size = log2_size;
        steps.bank.levels = find_level(20, kMaxLevels) + 1;
        outcomes.resize(count_outcomes(steps));
        Rng rng = seed_rng(1, 0, 0, 0);
        for (std::size_t i = 0; i < outcomes.size(); ++i) {
            std::uint32_t const places = rng.draw();
            SphereExit exit = decode_exit({places, 0});
            exit.collisions = static_cast<float>(i + 1);
            outcomes[i] = encode_exit(exit);
        }
        steps.bank.outcomes = outcomes.data();
    }

    SteppedBox(SteppedBox const&) = delete; // points into itself

    Step step(PathState<1>& path, std::uint32_t active_mask = 0xffffffffu) const
    {
        StepRegion<Steps::spheres, 1> const sphere = find_step_region<Bare>(scene.medium, scene.long_steps, path);
        std::uint32_t const mask = mask_if_fits(sphere.level) & active_mask;
        float const collisions = take_step(scene.medium, scene.long_steps, sphere, path, mask);
        return {mask & 1u, collisions};
    }
};

PathState<1> start_at(Vec3 position, std::uint32_t number)
{
    PathState<1> path{};
    path.position = position;
    path.direction = {0, 0, 1};
    path.throughput[0] = 1;
    path.rng = seed_rng(3, number, 0, 0);
    path.stage = Stage::inside;
    return path;
}

bool is_same(PathState<1> const& a, PathState<1> const& b)
{
    return std::memcmp(&a, &b, sizeof a) == 0;
}

TEST(LongStep, TakesTheLargestSphereThatFitsAndDrawsOneNumber)
{
    SteppedBox const box(0);
    RandomVectors random(4);
    for (std::uint32_t i = 0; i < 20000; ++i) {
        PathState<1> const before = start_at(random.point_in({40, 40, 40}), i);
        PathState<1> after = before;
        Step const step = box.step(after);
        double clearance = 40;
        for (int axis = 0; axis < 3; ++axis) {
            double const p = static_cast<double>(get_axis(before.position, axis));
            clearance = std::min({clearance, p, 40 - p});
        }
        std::int32_t const level = find_level(static_cast<float>(clearance), kMaxLevels);
        ASSERT_EQ(step.taken, level >= 0 ? 1u : 0u);
        Rng drawn = before.rng;
        if (step.taken != 0) drawn.draw();
        ASSERT_EQ(after.rng.counter, drawn.counter);
        ASSERT_EQ(after.rng.c, drawn.c);
        if (step.taken == 0) {
            ASSERT_TRUE(is_same(before, after)) << "nothing happened";
            continue;
        }
        ASSERT_NEAR(length(after.position - before.position), sphere_radius(level), 1e-5 * sphere_radius(level) + 4e-6);
        for (int axis = 0; axis < 3; ++axis) {
            ASSERT_GE(get_axis(after.position, axis), 0.0f);
            ASSERT_LE(get_axis(after.position, axis), 40.0f);
        }
        ASSERT_NEAR(length(after.direction), 1, 1e-6);
        ASSERT_EQ(after.throughput[0], 1.0f) << "albedo 1 loses nothing";
    }
}

TEST(LongStep, LeavesTheAlbedoToThePowerOfTheCollisions)
{
    for (float const loss : {1e-4f, 0.01f, 0.3f, 0.5f}) {
        SteppedBox const box(loss);
        for (std::uint32_t i = 0; i < 500; ++i) {
            PathState<1> path = start_at({20, 20, 20}, i);
            Step const step = box.step(path);
            ASSERT_EQ(step.taken, 1u);
            double const expected = std::pow(1 - static_cast<double>(loss), static_cast<double>(step.collisions));
            double const got = static_cast<double>(path.throughput[0]);
            if (expected > 1e-37) {
                ASSERT_NEAR(got / expected, 1, 1e-6 - 2e-6 * std::log(expected));
            } else {
                ASSERT_LT(got, 2e-37);
            }
        }
    }
}

TEST(LongStep, IsNotTakenInBricksWithoutNorByPathsThatAreMaskedOut)
{
    SteppedBox none(0.01f);
    none.brick = {};
    PathState<1> path = start_at({20, 20, 20}, 1);
    PathState<1> const before = path;
    EXPECT_EQ(none.step(path).taken, 0u);
    EXPECT_TRUE(is_same(before, path));
    SteppedBox const white(0);
    EXPECT_EQ(white.step(path, 0).taken, 0u);
    EXPECT_TRUE(is_same(before, path));
}

TEST(LongStep, NoPathTakesAnOutcomeTwiceBeforeItHasDrawnAsManyNumbersAsALevelHolds)
{
    constexpr std::uint32_t kSize = 1u << 8;
    SteppedBox const box(0, 8);
    for (std::uint32_t number = 0; number < 200; ++number) {
        PathState<1> path = start_at({20, 20, 20}, number);
        std::set<float> taken;
        std::uint32_t const first = path.rng.counter;
        std::uint32_t steps = 0;
        while (path.rng.counter - first < kSize) {
            Step const step = box.step(path);
            if (step.taken != 0) {
                ASSERT_TRUE(taken.insert(step.collisions).second) << "taken before";
                ++steps;
            }
            Flight const flight = advance<Bare>(box.scene.medium, path);
            if (flight.event == FlightEvent::leave) path.position = {20, 20, 20};
        }
        EXPECT_GT(steps, 20u);
    }
}

TEST(LongStep, PassesSeamsAndComesBackAtTheOtherSide)
{
    SteppedBox box(0);
    LongStepsView& steps = box.scene.long_steps;
    steps.inv_period = {1.0f / 40, 1.0f / 40, 0};
    box.box = {{-1e30f, -1e30f, 0}, {1e30f, 1e30f, 40}};
    RandomVectors random(8);
    bool passed = false;
    for (std::uint32_t i = 0; i < 20000; ++i) {
        float const x = random.uniform_float(0, 40), y = random.uniform_float(0, 40);
        PathState<1> const before = start_at({x, y, 20}, i);
        PathState<1> after = before;
        ASSERT_EQ(box.step(after).taken, 1u);
        double distance2 = 0;
        for (int axis = 0; axis < 3; ++axis) {
            double const p = static_cast<double>(get_axis(after.position, axis));
            ASSERT_GE(p, 0);
            ASSERT_LE(p, 40);
            double const moved = p - static_cast<double>(get_axis(before.position, axis));
            double const nearest = axis < 2 ? std::remainder(moved, 40) : moved;
            passed = passed || std::abs(nearest - moved) > 1;
            distance2 += nearest * nearest;
        }
        ASSERT_NEAR(std::sqrt(distance2), sphere_radius(steps.bank.levels - 1), 1e-4) << "20 mm, half the period";
    }
    EXPECT_TRUE(passed);
}

TEST(LongStep, WrapsByTheCorrectlyRoundedNumberOfPeriods)
{
    auto const wrap = [](float p, float size) {
        float const whole = std::floor(p / size);
        return exact::max(0.0f, exact::min(std::fma(-whole, size, p), size));
    };
    RandomVectors random(9);
    for (int i = 0; i < 200000; ++i) {
        float const size = random.uniform_float(0.5f, 3000);
        float p = random.uniform_float(-40, 40) * size;
        // Every second one is next to a multiple, where a quotient that is off by a bit counts one period too many.
        if (i % 2 != 0) p = std::round(p / size) * size + random.uniform_float(-2e-7f, 2e-7f) * p;
        ASSERT_EQ(wrap_or_clamp(p, size, 1.0f / size), wrap(p, size)) << p << " of " << size;
        ASSERT_EQ(wrap_or_clamp(p, size, 0), exact::max(0.0f, exact::min(p, size)));
    }
    EXPECT_EQ(wrap_or_clamp(0.0f, 3, 1.0f / 3), 0);
    EXPECT_EQ(wrap_or_clamp(-0.0f, 3, 1.0f / 3), 0);
    EXPECT_EQ(wrap_or_clamp(3, 3, 1.0f / 3), 0);
    EXPECT_EQ(wrap_or_clamp(-1e-30f, 3, 1.0f / 3), 3);
}

/// So a GPU may leave out the division for them.
TEST(LongStep, LeavesPointsInsideWhereTheyAre)
{
    RandomVectors random(10);
    for (int i = 0; i < 200000; ++i) {
        float const size = random.uniform_float(0.5f, 3000);
        float const inside =
            i % 2 != 0 ? std::nextafter(size, 0.0f) : random.uniform_float(0, 1) * std::nextafter(size, 0.0f);
        ASSERT_EQ(wrap_or_clamp(inside, size, 1.0f / size), inside) << size;
        ASSERT_EQ(wrap_or_clamp(inside, size, 0), inside) << size;
    }
}

} // namespace
} // namespace volpt::test
