// Outcomes of spheres against direct walks, collision by collision in double precision: small ones by chi-square, those
// that are composed of smaller ones by the mean over banks.
#include "libvolpt/core/make_outcome.hd.h"
#include "tests/core/random_vectors.h"
#include "tests/support/goodness_of_fit.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace volpt::test {
namespace {

constexpr float kAnisotropies[] = {-0.5f, 0.0f, 0.4f, 0.9f};

/// What tells of a walk from a sphere's centre to its surface.
struct Walk {
    double place;  ///< cosine between the first direction and where it leaves
    double normal; ///< cosine between the last direction and the normal there
    double turned; ///< cosine between the first and the last direction
    double collisions;
};

class DirectWalks {
public:
    DirectWalks(double radius, double g) : radius_(radius), g_(g), random_(77) {}

    Walk follow()
    {
        DoubleVec p{0, 0, 0}, d{0, 0, 1};
        for (double collisions = 0;; ++collisions) {
            double const depth = -std::log(1 - random_.uniform(0, 1));
            DoubleVec const target{p.x + depth * d.x, p.y + depth * d.y, p.z + depth * d.z};
            if (dot(target, target) >= radius_ * radius_) {
                double const along = dot(p, d);
                double const way = std::sqrt(along * along + radius_ * radius_ - dot(p, p)) - along;
                DoubleVec const n{(p.x + way * d.x) / radius_, (p.y + way * d.y) / radius_,
                                  (p.z + way * d.z) / radius_};
                return {n.z, dot(n, d), d.z, collisions};
            }
            p = target;
            d = scatter(d);
        }
    }

private:
    DoubleVec scatter(DoubleVec d)
    {
        double const u = random_.uniform(0, 1);
        double const fraction = (1 - g_ * g_) / (1 - g_ + 2 * g_ * u);
        double const cosine = g_ == 0 ? 2 * u - 1 : (1 + g_ * g_ - fraction * fraction) / (2 * g_);
        double const sine = std::sqrt(std::max(0.0, 1 - cosine * cosine));
        double const azimuth = random_.uniform(0, 2 * std::numbers::pi);
        // Any vector across d will do.
        DoubleVec const other = std::abs(d.z) < 0.9 ? DoubleVec{0, 0, 1} : DoubleVec{1, 0, 0};
        DoubleVec const s =
            unit({d.y * other.z - d.z * other.y, d.z * other.x - d.x * other.z, d.x * other.y - d.y * other.x});
        DoubleVec const t{d.y * s.z - d.z * s.y, d.z * s.x - d.x * s.z, d.x * s.y - d.y * s.x};
        double const a = sine * std::cos(azimuth), b = sine * std::sin(azimuth);
        return unit(
            {cosine * d.x + a * s.x + b * t.x, cosine * d.y + a * s.y + b * t.y, cosine * d.z + a * s.z + b * t.z});
    }

    static DoubleVec unit(DoubleVec v)
    {
        double const length = std::sqrt(dot(v, v));
        return {v.x / length, v.y / length, v.z / length};
    }

    double radius_, g_;
    RandomVectors random_;
};

/// As a path takes it.
Walk read_outcome(Outcome const& outcome, std::uint32_t turn)
{
    SphereExit const exit = decode_exit(outcome);
    SphereStep const step = place_exit({0, 0, 1}, exit, turn);
    return {static_cast<double>(exit.place), static_cast<double>(exit.normal), static_cast<double>(step.direction.z),
            static_cast<double>(exit.collisions)};
}

struct Histograms {
    std::vector<double> place, normal, turned, collisions;

    Histograms() : place(60), normal(60), turned(60), collisions(60) {}

    /// Collisions are in steps of `step`, whole numbers or more.
    void add(Walk const& walk, double step)
    {
        auto const count = [](std::vector<double>& cells, double from_0_to_1) {
            cells[std::min(cells.size() - 1,
                           static_cast<std::size_t>(from_0_to_1 * static_cast<double>(cells.size())))] += 1;
        };
        // The walks that never collide are all at 1: rounding must not part them.
        count(place, 0.5 + 0.5 * walk.place);
        count(normal, walk.normal);
        count(turned, std::max(0.0, 0.5 + 0.5 * walk.turned));
        collisions[std::min(collisions.size() - 1, static_cast<std::size_t>(walk.collisions / step))] += 1;
    }
};

TEST(MakeOutcome, SmallSpheresAgreeWithDirectWalks)
{
    constexpr std::uint32_t kWalks = 30000;
    for (float const g : kAnisotropies)
        for (std::int32_t const level : {0, 4, kMinComposedLevel - 1}) {
            double const radius = static_cast<double>(sphere_radius(level));
            double const step = std::ceil(radius * radius / 12);
            DirectWalks direct(radius, static_cast<double>(g));
            Histograms expected, made;
            for (std::uint32_t i = 0; i < kWalks; ++i) {
                expected.add(direct.follow(), step);
                Outcome const outcome = make_outcome({}, level, i, g, seed_rng(3, i, 0, 0));
                made.add(read_outcome(outcome, i * 0x9E3779B9u), step);
            }
            std::string const what = "g " + std::to_string(g) + ", level " + std::to_string(level);
            EXPECT_LT(compare_counts(expected.place, made.place), 4) << what;
            EXPECT_LT(compare_counts(expected.normal, made.normal), 4) << what;
            EXPECT_LT(compare_counts(expected.turned, made.turned), 4) << what;
            EXPECT_LT(compare_counts(expected.collisions, made.collisions), 4) << what;
        }
}

constexpr std::uint32_t kSmallBankLog2 = 10;

/// Outcomes of levels up to `top`, those of `top` at the end; levels that none of its steps takes stay empty.
std::vector<Outcome> make_small_bank(std::int32_t top, float g, std::uint32_t number)
{
    SceneView scene;
    scene.seed = 5;
    scene.long_steps.bank.log2_size = kSmallBankLog2;
    scene.long_steps.bank.levels = top + 1;
    scene.long_steps.g[0] = g;
    std::vector<Outcome> outcomes((static_cast<std::size_t>(top) + 1) << kSmallBankLog2);
    for (std::int32_t level = kMinComposedLevel; level <= top; ++level) {
        if (level > top - kLevelsInOctave && level < top) continue;
        for (std::uint32_t i = 0; i < 1u << kSmallBankLog2; ++i)
            outcomes[(static_cast<std::size_t>(level) << kSmallBankLog2) + i] =
                make_bank_outcome<Steps::spheres>(scene, outcomes.data(), number, 0, level, i);
    }
    return outcomes;
}

/// Sums of what is compared of a walk; the last is what an albedo of .99 leaves of it.
using Sums = std::array<double, 8>;

void add_walk(Sums& sums, Walk const& walk)
{
    double const values[] = {walk.place,  walk.place * walk.place,   walk.normal,     walk.normal * walk.normal,
                             walk.turned, walk.turned * walk.turned, walk.collisions, std::pow(0.99, walk.collisions)};
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += values[i];
}

/// Means and their standard errors by how groups of walks differ.
struct Means {
    Sums mean{}, error{};

    explicit Means(std::vector<Sums> const& groups)
    {
        auto const n = static_cast<double>(groups.size());
        for (std::size_t i = 0; i < mean.size(); ++i) {
            for (Sums const& group : groups) mean[i] += group[i] / n;
            for (Sums const& group : groups) error[i] += (group[i] - mean[i]) * (group[i] - mean[i]) / (n * (n - 1));
            error[i] = std::sqrt(error[i]);
        }
    }
};

TEST(MakeOutcome, SpheresMadeOfSmallerOnesAgreeWithDirectWalks)
{
    constexpr std::int32_t kTop =
        kMinComposedLevel + 3 * kLevelsInOctave; // 32 mean free paths: three compositions deep
    constexpr std::uint32_t kGroups = 10, kSize = 1u << kSmallBankLog2;
    for (float const g : kAnisotropies) {
        DirectWalks direct(static_cast<double>(sphere_radius(kTop)), static_cast<double>(g));
        std::vector<Sums> expected(kGroups), made(kGroups);
        for (std::uint32_t group = 0; group < kGroups; ++group) {
            std::vector<Outcome> const bank = make_small_bank(kTop, g, group);
            for (std::uint32_t i = 0; i < kSize; ++i) {
                add_walk(made[group], read_outcome(bank[(std::size_t{kTop} << kSmallBankLog2) + i], i * 0x9E3779B9u));
                add_walk(expected[group], direct.follow());
            }
            for (double& sum : made[group]) sum /= kSize;
            for (double& sum : expected[group]) sum /= kSize;
        }
        Means const of_made(made), of_expected(expected);
        for (std::size_t i = 0; i < of_made.mean.size(); ++i) {
            double const error = std::hypot(of_made.error[i], of_expected.error[i]);
            EXPECT_NEAR(of_made.mean[i], of_expected.mean[i], 4.5 * error) << "g " << g << ", number " << i;
            EXPECT_GT(error, 0);
        }
    }
}

TEST(MakeOutcome, FirstStepsTakeEachOutcomeOfTheLevelBelowOnce)
{
    // Outcomes below that go straight on, each with a number of collisions of its own: the sphere above is two of them,
    // of half its radius, and then all walks leave.
    constexpr std::int32_t kLevel = kMinComposedLevel + kLevelsInOctave;
    constexpr std::uint32_t kSize = 1u << kSmallBankLog2;
    std::vector<Outcome> outcomes((static_cast<std::size_t>(kMinComposedLevel) + 1) << kSmallBankLog2);
    for (std::uint32_t i = 0; i < kSize; ++i)
        outcomes[(std::size_t{kMinComposedLevel} << kSmallBankLog2) + i] =
            encode_exit({1, 1, 0, static_cast<float>(static_cast<std::int32_t>(1000 * (i + 1)))});
    BankView bank;
    bank.outcomes = outcomes.data();
    bank.log2_size = kSmallBankLog2;
    bank.levels = kLevel + 1;
    double sum = 0;
    for (std::uint32_t i = 0; i < kSize; ++i)
        sum +=
            static_cast<double>(decode_exit(make_outcome(bank, kLevel, i, 0.999f, seed_rng(1, i, 0, 0))).collisions) /
            1000;
    EXPECT_NEAR(sum / (0.5 * kSize * (kSize + 1)), 2, 1e-3) << "each once at the first step and once at the second";
}

TEST(MakeOutcome, BanksDifferAndAreAFunctionOfTheirNumber)
{
    std::vector<Outcome> const first = make_small_bank(kMinComposedLevel, 0.4f, 0);
    std::vector<Outcome> const again = make_small_bank(kMinComposedLevel, 0.4f, 0);
    std::vector<Outcome> const second = make_small_bank(kMinComposedLevel, 0.4f, 1);
    std::size_t equal = 0;
    for (std::size_t i = std::size_t{kMinComposedLevel} << kSmallBankLog2; i < first.size(); ++i) {
        ASSERT_EQ(first[i].places, again[i].places);
        ASSERT_EQ(first[i].collisions, again[i].collisions);
        equal += first[i].places == second[i].places ? 1u : 0u;
    }
    EXPECT_LT(equal, first.size() / 100);
}

} // namespace
} // namespace volpt::test
