// Walks from facet to facet, against walks in double precision over an explicit distribution of heights.
#include "tests/core/boundary_samples.h"
#include "tests/support/goodness_of_fit.h"

#include <gtest/gtest.h>

#include <numbers>

namespace volpt::test {
namespace {

DoubleVec mirror(DoubleVec v)
{
    return {v.x, v.y, -v.z};
}

/// Smith's microsurface with normally distributed heights: flights march through them, visible facets are those of an
/// ellipsoid (whose normals GGX's are) that a beam of parallel rays hits.
class MarchedSurface {
public:
    MarchedSurface(double alpha, double eta, unsigned seed) : alpha_(alpha), eta_(eta), random_(seed)
    {
        for (int i = 0; i < kCells; ++i) {
            double const h = kLowest + (i + 0.5) * kStep;
            double const density = std::exp(-h * h / 2) / std::sqrt(2 * std::numbers::pi);
            rate_.push_back(density / (0.5 * std::erfc(-h / std::numbers::sqrt2)));
        }
    }

    struct Exit {
        DoubleVec direction;
        bool through;
    };

    /// The way of a path along -v, whose normal's side is above.
    Exit walk(DoubleVec v)
    {
        // Below the surface everything is mirrored, heights too.
        DoubleVec w{-v.x, -v.y, -v.z};
        double height = -kLowest;
        bool through = false;
        while (fly(w, height)) {
            DoubleVec const m = find_visible_normal({-w.x, -w.y, -w.z});
            double const cosine = -dot(w, m);
            double const eta = through ? 1 / eta_ : eta_;
            if (random_.uniform(0, 1) < fresnel(cosine, eta)) {
                w = {w.x + 2 * cosine * m.x, w.y + 2 * cosine * m.y, w.z + 2 * cosine * m.z};
            } else {
                double const behind = std::sqrt(1 - (1 - cosine * cosine) / (eta * eta));
                auto const bend = [&](double d, double n) { return (d + cosine * n) / eta - behind * n; };
                w = mirror({bend(w.x, m.x), bend(w.y, m.y), bend(w.z, m.z)});
                height = -height;
                through = !through;
            }
        }
        return {through ? mirror(w) : w, through};
    }

private:
    static constexpr double kLowest = -5, kStep = 0.02;
    static constexpr int kCells = 500;

    /// Moves `height` to the next facet; false if there is none above.
    bool fly(DoubleVec w, double& height)
    {
        bool const rises = w.z > 0;
        double const root = std::sqrt(1 + alpha_ * alpha_ * (1 - w.z * w.z) / (w.z * w.z));
        double const lambda = rises ? (root - 1) / 2 : (root + 1) / 2;
        double left = -std::log(1 - random_.uniform(0, 1)) / lambda;
        for (;;) {
            double const cell = (height - kLowest) / kStep;
            int const i = rises ? static_cast<int>(std::floor(cell)) : static_cast<int>(std::ceil(cell)) - 1;
            if (i >= kCells) return false;
            if (i < 0) return true; // 3e-7 of the facets are lower
            double const edge = kLowest + (rises ? i + 1 : i) * kStep;
            double const depth = std::abs(edge - height) * rate_[static_cast<std::size_t>(i)];
            if (depth > left) {
                height += (edge - height) * left / depth;
                return true;
            }
            left -= depth;
            height = edge + (rises ? 1e-12 : -1e-12);
        }
    }

    DoubleVec find_visible_normal(DoubleVec v)
    {
        double const across = std::hypot(v.x, v.y);
        DoubleVec const t = across > 0 ? DoubleVec{-v.y / across, v.x / across, 0} : DoubleVec{1, 0, 0};
        DoubleVec const s{v.y * t.z - v.z * t.y, v.z * t.x - v.x * t.z, v.x * t.y - v.y * t.x};
        for (;;) {
            double const a = random_.uniform(-1, 1), b = random_.uniform(-1, 1);
            DoubleVec const o{a * t.x + b * s.x, a * t.y + b * s.y, (a * t.z + b * s.z) / alpha_};
            DoubleVec const d{v.x, v.y, v.z / alpha_};
            double const half = dot(o, d) / dot(d, d);
            double const inside = half * half - (dot(o, o) - 1) / dot(d, d);
            if (inside < 0) continue;
            double const far = std::sqrt(inside) - half; // what v sees lies farthest towards it
            DoubleVec const n{o.x + far * d.x, o.y + far * d.y, (o.z + far * d.z) / alpha_};
            if (n.z <= 0) continue;
            double const size = std::sqrt(dot(n, n));
            return {n.x / size, n.y / size, n.z / size};
        }
    }

    double alpha_, eta_;
    RandomVectors random_;
    std::vector<double> rate_; ///< density of heights over the share below
};

/// Outgoing directions by side, cosine and azimuth.
std::size_t find_direction_cell(DoubleVec d)
{
    double const turn = 0.5 + std::atan2(d.y, d.x) / (2 * std::numbers::pi);
    auto const cell = [](double x, std::size_t count) {
        return std::min(count - 1, static_cast<std::size_t>(x * static_cast<double>(count)));
    };
    return ((d.z < 0 ? 10u : 0u) + cell(std::abs(d.z), 10)) * 12u + cell(turn, 12);
}
constexpr std::size_t kDirectionCells = 2 * 10 * 12;

BoundaryView make_rough_boundary(double alpha)
{
    BoundaryView boundary;
    boundary.kind = BoundaryKindView::rough;
    boundary.alpha = static_cast<float>(alpha);
    boundary.microfacets = MicrofacetsView::multiple;
    return boundary;
}

TEST(Microsurface, LobesAreThoseOfAMarchedWalk)
{
    constexpr std::uint32_t kPaths = 20000;
    for (double const alpha : {0.1, 0.4, 1.0})
        for (double const eta : {1.5, 1 / 1.5, 1 / 2.4})
            for (double const cosine : {0.9, 0.1}) {
                BoundaryView const boundary = make_rough_boundary(alpha);
                Vec3 const in = make_incident(2, 1, cosine, 0.2);
                MarchedSurface surface(static_cast<double>(boundary.alpha), eta, 3);
                std::vector<double> ours(kDirectionCells), marched(kDirectionCells);
                for (std::uint32_t i = 0; i < kPaths; ++i) {
                    PathState<1> path = make_path(in, i);
                    interact_with_face(boundary, 2, 1, static_cast<float>(eta), path);
                    ours[find_direction_cell(to_double(path.direction))] += 1;
                    marched[find_direction_cell(surface.walk(to_double(-in)).direction)] += 1;
                }
                EXPECT_LT(compare_counts(ours, marched), 4)
                    << "alpha " << alpha << ", eta " << eta << ", cosine " << cosine;
            }
}

TEST(Microsurface, EveryWalkLeavesWholeAndSoon)
{
    RandomVectors random(11);
    std::uint32_t most = 0;
    for (std::uint32_t i = 0; i < 400000; ++i) {
        BoundaryView const boundary = make_rough_boundary(i % 4 == 0 ? 1 : std::pow(10, -random.uniform(0, 25)));
        float const eta = random.uniform_float(0.1, 10);
        int const axis = static_cast<int>(i % 3);
        float const sign = (i & 8u) != 0 ? 1.0f : -1.0f;
        Vec3 const in = make_incident(axis, sign, std::pow(10, -random.uniform(0, 9)), random.uniform(0, 6.3));
        PathState<1> path = make_path(in, i);
        std::uint32_t const drawn = path.rng.counter;
        bool const through = interact_with_face(boundary, axis, sign, eta, path);
        std::uint32_t const draws = path.rng.counter - drawn;
        ASSERT_EQ(draws % 4, 1u) << "four a facet and one for the way out";
        most = std::max(most, draws / 4);
        ASSERT_EQ(path.throughput[0], 1.0f);
        ASSERT_EQ(path.stage, Stage::inside);
        ASSERT_NEAR(length(path.direction), 1, 5e-7) << boundary.alpha << ' ' << eta;
        ASSERT_EQ(get_axis(path.direction, axis) * sign > 0, !through) << "on the wrong side";
    }
    EXPECT_GT(most, 5u);
    EXPECT_LT(most, 10000u);
}

TEST(Microsurface, EtendueIsKept)
{
    // Reciprocity: cosine-weighted light from outside gets in n^2 times as easily as from inside out.
    constexpr std::uint32_t kPaths = 100000;
    for (double const alpha : {0.1, 0.5, 1.0})
        for (double const n : {1.05, 1.5, 2.4}) {
            BoundaryView const boundary = make_rough_boundary(alpha);
            double inward = 0, outward = 0;
            for (std::uint32_t i = 0; i < kPaths; ++i) {
                double const cosine = std::sqrt((i + 0.5) / kPaths);
                PathState<1> path = make_path(make_incident(2, 1, cosine, 0), i);
                if (interact_with_face(boundary, 2, 1, static_cast<float>(n), path)) inward += 1.0 / kPaths;
                path = make_path(make_incident(2, 1, cosine, 0), i + kPaths);
                if (interact_with_face(boundary, 2, 1, static_cast<float>(1 / n), path)) outward += 1.0 / kPaths;
            }
            EXPECT_NEAR(inward, n * n * outward, 4 * 0.5 * std::hypot(1, n * n) / std::sqrt(kPaths))
                << alpha << ' ' << n;
        }
}

TEST(Microsurface, APassWithoutLoopsIsTheWalkOfOneFacet)
{
    for (double const alpha : {0.1, 1.0})
        for (std::uint32_t i = 0; i < 20000; ++i) {
            Vec3 const in = make_incident(1, -1, 0.3, i);
            PathState<1> once = make_path(in, i), walked = make_path(in, i);
            std::uint32_t through = 0;
            auto const a = static_cast<float>(alpha);
            std::uint32_t const done = interact_once<Surface::many_facets>(a, 1, -1, 1.5f, once, through);
            bool const crossed = interact_with_surface<Surface::many_facets>(a, 1, -1, 1.5f, walked);
            ASSERT_EQ(done != 0u, walked.rng.counter == once.rng.counter);
            if (done == 0u) continue;
            ASSERT_EQ(through != 0u, crossed);
            ASSERT_EQ(once.direction.x, walked.direction.x);
            ASSERT_EQ(once.direction.y, walked.direction.y);
            ASSERT_EQ(once.direction.z, walked.direction.z);
            ASSERT_EQ(once.bounces, walked.bounces);
        }
}

} // namespace
} // namespace volpt::test
