// Rough faces: GGX's visible normals, and Walter's reflectance and transmittance by quadrature.
#include "tests/core/boundary_samples.h"
#include "tests/support/goodness_of_fit.h"

#include <gtest/gtest.h>

#include <numbers>

namespace volpt::test {
namespace {

TEST(Boundary, MaskingIsWaltersEquation34)
{
    for (double const alpha : {0.01, 0.1, 0.5, 1.0})
        for (double const cosine : {1.0, 0.7, 0.2, 0.01}) {
            double const tangent = std::sqrt(1 - cosine * cosine) / cosine;
            double const expected = 2 / (1 + std::sqrt(1 + alpha * alpha * tangent * tangent));
            Vec3 const v = make_incident(2, -1, cosine, 0.4);
            EXPECT_NEAR(mask_ggx(v, static_cast<float>(alpha)), expected, 2e-5) << alpha << ' ' << cosine;
        }
    EXPECT_LT(mask_ggx({1, 0, 0}, 0.1f), 1e-9f);
    EXPECT_GE(mask_ggx({1, 0, 0}, 0.1f), 0.0f);
}

/// Normals sorted by slope and azimuth. The slope's coordinate s = 1 - alpha / sqrt(alpha^2 + tan^2) makes the visible
/// normals' density smooth up to the horizon.
struct NormalCells {
    static constexpr std::size_t kSlopes = 12, kAzimuths = 16;
    double alpha;

    std::size_t find(DoubleVec m) const
    {
        double const s = 1 - alpha / std::sqrt(alpha * alpha + (m.x * m.x + m.y * m.y) / (m.z * m.z));
        double const turn = std::atan2(m.y, m.x) / (2 * std::numbers::pi);
        auto const cell = [](double x, std::size_t count) {
            return std::min(count - 1, static_cast<std::size_t>(x * static_cast<double>(count)));
        };
        return cell(s, kSlopes) * kAzimuths + cell(turn < 0 ? turn + 1 : turn, kAzimuths);
    }

    /// Probability of each cell by quadrature of mask D max(0, v.m) / v.z, where D m.z = 2 (1 - s) ds / (2 pi).
    std::vector<double> integrate_visible(DoubleVec v) const
    {
        constexpr std::size_t kSteps = 24;
        double const mask = 2 / (1 + std::sqrt(1 + alpha * alpha * (1 - v.z * v.z) / (v.z * v.z)));
        std::vector<double> cells(kSlopes * kAzimuths);
        for (std::size_t i = 0; i < kSlopes * kSteps; ++i)
            for (std::size_t k = 0; k < kAzimuths * kSteps; ++k) {
                double const s = (static_cast<double>(i) + 0.5) / static_cast<double>(kSlopes * kSteps);
                double const turn = (static_cast<double>(k) + 0.5) / static_cast<double>(kAzimuths * kSteps);
                double const azimuth = 2 * std::numbers::pi * turn;
                double const tangent = alpha * std::sqrt(1 - (1 - s) * (1 - s)) / (1 - s);
                double const facing = v.x * tangent * std::cos(azimuth) + v.y * tangent * std::sin(azimuth) + v.z;
                cells[i / kSteps * kAzimuths + k / kSteps] += mask * 2 * (1 - s) * std::max(0.0, facing) / v.z /
                                                              static_cast<double>(cells.size() * kSteps * kSteps);
            }
        return cells;
    }
};

TEST(Boundary, VisibleNormalsFollowGgx)
{
    for (float const alpha : {0.05f, 0.3f, 1.0f})
        for (double const cosine : {1.0, 0.7, 0.25}) {
            Vec3 const v = make_incident(2, -1, cosine, 0.7);
            NormalCells const cells{static_cast<double>(alpha)};
            std::vector<double> expected = cells.integrate_visible(to_double(v));
            double total = 0;
            for (double const p : expected) total += p;
            EXPECT_NEAR(total, 1, 1e-3) << "masking does not normalise the visible normals";
            for (double& p : expected) p /= total;
            std::vector<double> counts(expected.size());
            Rng rng = seed_rng(37, 0, 0, 0);
            for (int i = 0; i < 100000; ++i) {
                std::uint32_t const radius_bits = rng.draw();
                std::uint32_t const azimuth_bits = rng.draw();
                Vec3 const m = sample_visible_normal(v, alpha, to_unit(radius_bits), azimuth_bits);
                counts[cells.find(to_double(m))] += 1;
            }
            EXPECT_LT(std::abs(chi_square_deviate(counts, expected)), 4) << alpha << ' ' << cosine;
        }
}

/// Whether what the facets hide from the one direction and from the other is independent (Walter 2007) or follows from
/// the height of the facet (Heitz 2016, Smith).
enum class Masking { separable, by_height };

/// Share of the facets that both directions see, for cosines from the mean normal.
double mask_both(Masking masking, bool reflects, double alpha, double cosine_in, double cosine_out)
{
    auto const lambda = [&](double cosine) {
        return (std::sqrt(1 + alpha * alpha * (1 - cosine * cosine) / (cosine * cosine)) - 1) / 2;
    };
    double const in = lambda(std::abs(cosine_in)), out = lambda(std::abs(cosine_out));
    if (masking == Masking::separable) return 1 / ((1 + in) * (1 + out));
    return reflects ? 1 / (1 + in + out) : std::beta(1 + in, 1 + out);
}

/// Walter's BSDF times the outgoing cosine (his equations 20 and 21), incident `i` and outgoing `o` in the facet frame,
/// `eta` = IOR behind / IOR in front.
double evaluate_walter(Masking masking, DoubleVec i, DoubleVec o, double alpha, double eta)
{
    bool const reflects = o.z > 0;
    double const weight = reflects ? 1 : eta;
    DoubleVec h{i.x + weight * o.x, i.y + weight * o.y, i.z + weight * o.z};
    double const size = std::sqrt(dot(h, h)) * (h.z > 0 ? 1 : -1);
    h = {h.x / size, h.y / size, h.z / size};
    double const ih = dot(i, h), oh = dot(o, h);
    if (ih <= 0 || oh * o.z <= 0) return 0;
    double const root = 1 + (alpha * alpha - 1) * h.z * h.z;
    double const d = alpha * alpha / (std::numbers::pi * root * root);
    double const f = fresnel(ih, eta);
    double const shadowed = mask_both(masking, reflects, alpha, i.z, o.z) * d;
    if (reflects) return f * shadowed / (4 * i.z);
    double const bend = ih + eta * oh;
    return ih * std::abs(oh) / i.z * eta * eta * (1 - f) * shadowed / (bend * bend);
}

/// What goes to either side, and the same weighted with the outgoing cosine.
struct Shares {
    double reflected = 0, reflected_cosine = 0, refracted = 0, refracted_cosine = 0;

    void add(bool through, double weight, Vec3 direction)
    {
        (through ? refracted : reflected) += weight;
        (through ? refracted_cosine : reflected_cosine) += weight * std::abs(static_cast<double>(direction.z));
    }
};

Shares integrate_walter(Masking masking, DoubleVec i, double alpha, double eta)
{
    constexpr int kSteps = 500;
    Shares shares;
    for (int row = 0; row < kSteps; ++row)
        for (int column = 0; column < kSteps; ++column) {
            double const cosine = (row + 0.5) / kSteps;
            double const sine = std::sqrt(1 - cosine * cosine);
            double const azimuth = 2 * std::numbers::pi * (column + 0.5) / kSteps;
            double const area = 2 * std::numbers::pi / (kSteps * kSteps);
            double const r =
                area *
                evaluate_walter(masking, i, {sine * std::cos(azimuth), sine * std::sin(azimuth), cosine}, alpha, eta);
            double const t =
                area *
                evaluate_walter(masking, i, {sine * std::cos(azimuth), sine * std::sin(azimuth), -cosine}, alpha, eta);
            shares.reflected += r;
            shares.reflected_cosine += r * cosine;
            shares.refracted += t;
            shares.refracted_cosine += t * cosine;
        }
    return shares;
}

void expect_shares(Shares const& got, Shares const& expected, double paths)
{
    double const tolerance = 4 * 0.5 / std::sqrt(paths) + 1e-3;
    EXPECT_NEAR(got.reflected, expected.reflected, tolerance);
    EXPECT_NEAR(got.reflected_cosine, expected.reflected_cosine, tolerance);
    EXPECT_NEAR(got.refracted, expected.refracted, tolerance);
    EXPECT_NEAR(got.refracted_cosine, expected.refracted_cosine, tolerance);
}

TEST(Boundary, RoughFacesReflectAndRefractWaltersShares)
{
    constexpr std::uint32_t kPaths = 100000;
    for (float const alpha : {0.2f, 0.7f})
        for (float const eta : {1.5f, 1 / 1.5f})
            for (double const cosine : {0.9, 0.5, 0.15}) {
                Vec3 const in = make_incident(2, 1, cosine, 0.7);
                Shares single, once;
                for (std::uint32_t i = 0; i < kPaths; ++i) {
                    PathState<1> path = make_path(in, i);
                    bool const through = interact_with_surface<Surface::single_facet>(alpha, 2, 1, eta, path);
                    single.add(through, static_cast<double>(path.throughput[0]) / kPaths, path.direction);
                    path = make_path(in, i);
                    std::uint32_t refracted = 0;
                    if (interact_once<Surface::many_facets>(alpha, 2, 1, eta, path, refracted) != 0u)
                        once.add(refracted != 0u, 1.0 / kPaths, path.direction);
                }
                DoubleVec const v = to_double(-in);
                auto const a = static_cast<double>(alpha), n = static_cast<double>(eta);
                SCOPED_TRACE(testing::Message() << "alpha " << alpha << ", eta " << eta << ", cosine " << cosine);
                expect_shares(single, integrate_walter(Masking::separable, v, a, n), kPaths);
                expect_shares(once, integrate_walter(Masking::by_height, v, a, n), kPaths);
            }
}

TEST(Boundary, RoughWeightsNeverExceedOneAndDirectionsAreUnit)
{
    BoundaryView boundary;
    boundary.kind = BoundaryKindView::rough;
    RandomVectors random(5);
    int ended = 0;
    for (std::uint32_t i = 0; i < 100000; ++i) {
        boundary.alpha = random.uniform_float(0.001, 1);
        float const eta = random.uniform_float(0.4, 2.5);
        int const axis = static_cast<int>(i % 3);
        float const sign = (i & 8u) != 0 ? 1.0f : -1.0f;
        double const cosine = random.uniform(1e-4, 1);
        Vec3 const in = make_incident(axis, sign, cosine, random.uniform(0, 6.3));
        PathState<1> path = make_path(in, i);
        std::uint32_t const drawn = path.rng.counter;
        bool const through = interact_with_face(boundary, axis, sign, eta, path);
        ASSERT_EQ(path.rng.counter - drawn, 3u);
        ASSERT_GE(path.throughput[0], 0.0f);
        ASSERT_LE(path.throughput[0], 1.0f);
        ASSERT_EQ(path.stage == Stage::ended, path.throughput[0] == 0.0f);
        if (path.stage == Stage::ended) {
            ++ended;
            continue;
        }
        ASSERT_NEAR(length(path.direction), 1, 5e-7);
        ASSERT_EQ(get_axis(path.direction, axis) * sign > 0, !through) << "on the wrong side";
    }
    EXPECT_GT(ended, 0);
}

TEST(Boundary, AlmostNoRoughnessIsSmooth)
{
    BoundaryView rough;
    rough.kind = BoundaryKindView::rough;
    rough.alpha = 1e-4f;
    constexpr std::uint32_t kPaths = 50000;
    for (double const cosine : {0.95, 0.4}) {
        Vec3 const in = make_incident(2, 1, cosine, 0.9);
        int reflected = 0;
        for (std::uint32_t i = 0; i < kPaths; ++i) {
            PathState<1> path = make_path(in, i);
            bool const through = interact_with_face(rough, 2, 1, 1.5f, path);
            ASSERT_GT(path.throughput[0], 0.9999f);
            float const scale = through ? 1 / 1.5f : 1;
            // GGX has long tails: 1e-4 is the median slope, one in a million is beyond 0.1.
            ASSERT_NEAR(path.direction.x, scale * in.x, 0.1);
            ASSERT_NEAR(path.direction.y, scale * in.y, 0.1);
            if (!through) ++reflected;
        }
        double const expected = fresnel(cosine, 1.5);
        EXPECT_NEAR(static_cast<double>(reflected) / kPaths, expected, 4 * std::sqrt(expected / kPaths));
    }
}

TEST(Boundary, RoughWithoutAlphaIsSmoothToTheBit)
{
    BoundaryView smooth, rough;
    smooth.kind = BoundaryKindView::smooth;
    rough.kind = BoundaryKindView::rough;
    for (std::uint32_t i = 0; i < 100; ++i) {
        PathState<1> a = make_path(make_incident(1, 1, 0.6, i), i);
        PathState<1> b = a;
        EXPECT_EQ(interact_with_face(smooth, 1, 1, 1.5f, a), interact_with_face(rough, 1, 1, 1.5f, b));
        EXPECT_EQ(a.direction.x, b.direction.x);
        EXPECT_EQ(a.direction.y, b.direction.y);
        EXPECT_EQ(a.direction.z, b.direction.z);
        EXPECT_EQ(a.rng.counter, b.rng.counter);
    }
}

} // namespace
} // namespace volpt::test
