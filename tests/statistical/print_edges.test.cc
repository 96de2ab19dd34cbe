// Light spreads sideways in a print: an edge between black and white ink against a walk written for this test alone,
// and what it does to halftones.
#include "libvolpt/film/film_image.h"
#include "tests/statistical/ink_slabs.h"

#include <array>
#include <random>

namespace volpt::test {
namespace {

constexpr double kPeriod_mm = 4; // black from 0 to half of it, white beyond, and so on for ever
constexpr double kThickness_mm = 2;
constexpr int kTexels = 20;
constexpr double kIor = 1.5;

struct InkOfBand {
    double sigma_t, albedo;
};

/// Black and white stripes under a smooth surface, walked in double precision with exact crossings of the material
/// planes, no null collisions, no roulette and a random generator of its own. Nothing of the renderer's core is used.
class StripeWalk {
public:
    StripeWalk(InkOfBand black, InkOfBand white, double g, unsigned seed) : inks_{black, white}, g_(g), engine_(seed) {}

    /// Reflectance towards the normal of one path that starts at `x`: the weight with which it escapes upwards.
    double follow(double x)
    {
        if (draw() < 0.04) return 1; // (n - 1)^2 / (n + 1)^2
        std::array<double, 3> d{0, 0, -1};
        double z = kThickness_mm, weight = 1;
        double depth = -std::log(1 - draw());
        for (;;) {
            InkOfBand const& ink = inks_[is_white(x) ? 1 : 0];
            double const to_plane = find_plane(x, d[0]);
            double const to_face = d[2] > 0 ? (kThickness_mm - z) / d[2] : d[2] < 0 ? -z / d[2] : 1e30;
            double const flight = depth / ink.sigma_t;
            if (flight < std::min(to_plane, to_face)) {
                move(x, z, d, flight);
                weight *= ink.albedo;
                if (weight < 1e-7) return 0;
                scatter(d);
                depth = -std::log(1 - draw());
            } else if (to_plane < to_face) {
                move(x, z, d, to_plane);
                x = wrap(x + (d[0] > 0 ? 1e-9 : -1e-9));
                depth -= to_plane * ink.sigma_t;
            } else {
                move(x, z, d, to_face);
                depth -= to_face * ink.sigma_t;
                if (draw() >= reflect(std::abs(d[2]))) return d[2] > 0 ? weight : 0;
                z = d[2] > 0 ? kThickness_mm : 0;
                d[2] = -d[2];
            }
        }
    }

private:
    double draw() { return std::uniform_real_distribution<double>(0, 1)(engine_); }
    static double wrap(double x) { return x - kPeriod_mm * std::floor(x / kPeriod_mm); }
    static bool is_white(double x) { return wrap(x) >= kPeriod_mm / 2; }

    static double find_plane(double x, double dx)
    {
        if (dx == 0) return 1e30;
        double const cell = std::floor(x / (kPeriod_mm / 2));
        double const plane = (dx > 0 ? cell + 1 : cell) * kPeriod_mm / 2;
        return (plane - x) / dx;
    }

    static void move(double& x, double& z, std::array<double, 3> const& d, double length)
    {
        x = wrap(x + length * d[0]);
        z += length * d[2];
    }

    /// Fresnel from inside, unpolarised, by the angles of Snell's law.
    static double reflect(double cosine)
    {
        double const sine = kIor * std::sqrt(1 - cosine * cosine);
        if (sine >= 1) return 1;
        double const inside = std::acos(cosine), outside = std::asin(sine);
        if (inside < 1e-6) return 0.04;
        double const s = std::sin(inside - outside) / std::sin(inside + outside);
        double const p = std::tan(inside - outside) / std::tan(inside + outside);
        return (s * s + p * p) / 2;
    }

    void scatter(std::array<double, 3>& d)
    {
        double const term = (1 - g_ * g_) / (1 - g_ + 2 * g_ * draw());
        double const cosine = (1 + g_ * g_ - term * term) / (2 * g_);
        double const sine = std::sqrt(std::max(0.0, 1 - cosine * cosine));
        double const azimuth = 2 * 3.14159265358979 * draw();
        double const across = std::hypot(d[0], d[1]);
        std::array<double, 3> const u =
            across > 1e-9 ? std::array<double, 3>{-d[1] / across, d[0] / across, 0} : std::array<double, 3>{1, 0, 0};
        std::array<double, 3> const v{d[1] * u[2] - d[2] * u[1], d[2] * u[0] - d[0] * u[2], d[0] * u[1] - d[1] * u[0]};
        for (std::size_t i = 0; i < 3; ++i)
            d[i] = cosine * d[i] + sine * (std::cos(azimuth) * u[i] + std::sin(azimuth) * v[i]);
    }

    InkOfBand inks_[2];
    double g_;
    std::mt19937_64 engine_;
};

/// Stripes of black and white ink (W, green) across x, as labels, in the upper `depth_layers` of `layers` of 2 mm;
/// white below.
PackedVolume make_stripes(double period_mm, float black_sigma_t, int layers, int depth_layers)
{
    VolumeMeta meta;
    meta.dims = {16, 1, layers};
    meta.pitch_mm = {static_cast<float>(period_mm / 16), 1.0f, static_cast<float>(kThickness_mm / layers)};
    meta.filter = Filter::nearest;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    std::vector<Material> const inks{{"K", {black_sigma_t}, {0.65f}, 0.4f}, {"W", {9.0f}, {0.0003f}, 0.4f}};
    return make_volume(meta, {.label = [&](int x, int, int z) { return x >= 8 || z < layers - depth_layers ? 1 : 0; }},
                       inks);
}

Scene probe_stripes(PackedVolume const& volume, std::uint32_t width)
{
    Scene scene = make_probe(volume, width, 1);
    scene.boundary.sides = Sides::periodic;
    return scene;
}

TEST(PrintEdges, ReflectanceAcrossAnEdgeIsThatOfAnIndependentWalk)
{
    PackedVolume const volume = make_stripes(kPeriod_mm, 5.5f, 16, 16);
    Image const image = film_to_image(render_scene(probe_stripes(volume, kTexels), volume, {0, 40000 / kHaste}));
    int const paths = static_cast<int>(16000 / kHaste);
    StripeWalk walk({5.5, 0.35}, {9.0, 0.9997}, 0.4, 5);
    double chi_squared = 0, black = 0, beside = 0;
    for (int texel = 0; texel < kTexels; ++texel) {
        std::vector<double> values;
        for (int i = 0; i < paths; ++i)
            values.push_back(walk.follow((texel + (i + 0.5) / paths) * kPeriod_mm / kTexels));
        Measurement const walked = measure_mean(values);
        auto const at = static_cast<std::size_t>(texel);
        auto const measured = static_cast<double>(image.find("Y")->values[at]);
        auto const error = static_cast<double>(image.find("standard_error.Y")->values[at]);
        double const spread = std::hypot(walked.standard_error, error);
        EXPECT_NEAR(measured, walked.mean, 4.5 * spread) << "texel " << texel;
        chi_squared += (measured - walked.mean) * (measured - walked.mean) / (spread * spread);
        if (texel == kTexels / 4) black = measured;
        if (texel == kTexels / 2 - 1) beside = measured;
    }
    EXPECT_LT(chi_squared, kTexels + 4 * std::sqrt(2.0 * kTexels));
    EXPECT_GT(chi_squared, kTexels - 4 * std::sqrt(2.0 * kTexels)) << "the errors are overstated";
    EXPECT_GT(beside, black + 0.005) << "light from the white side leaves through the black one";
}

/// A halftone of half black ink, 12.5 um of a dense dye, as on paper: no boundary, whose inner reflections Yule and
/// Nielsen's model does not know.
PackedVolume make_halftone(double period_mm)
{
    return make_stripes(period_mm, 110.0f, 160, 1);
}

double measure_halftone(double period_mm)
{
    PackedVolume const volume = make_halftone(period_mm);
    Scene scene = probe_stripes(volume, 64);
    scene.boundary.kind = BoundaryKind::none;
    return measure_radiance(scene, volume, 6000 / kHaste)[0].mean;
}

TEST(PrintEdges, FinerHalftonesAreDarkerThanTheirAreasSayAsYuleAndNielsenFound)
{
    // J. Yule & W. Nielsen 1951: R^(1/n) = a K^(1/n) + (1 - a) W^(1/n), n from 1 (no spread) to 2 (all light spreads).
    PackedVolume const black = make_halftone(400); // stripes so wide that texels in their middle see one ink
    Scene scene = probe_stripes(black, 8);
    scene.boundary.kind = BoundaryKind::none;
    Image const solids = film_to_image(render_scene(scene, black, {0, 60000 / kHaste}));
    double const solid_black = static_cast<double>(solids.find("Y")->values[2]);
    double const solid_white = static_cast<double>(solids.find("Y")->values[6]);
    auto const find_n = [&](double reflectance) {
        double low = 0.5, high = 20;
        for (int i = 0; i < 60; ++i) {
            double const n = (low + high) / 2;
            double const predicted = std::pow((std::pow(solid_black, 1 / n) + std::pow(solid_white, 1 / n)) / 2, n);
            (predicted > reflectance ? low : high) = n;
        }
        return low;
    };
    double const coarse = find_n(measure_halftone(40));
    double const middle = find_n(measure_halftone(4));
    double const fine = find_n(measure_halftone(0.4));
    EXPECT_NEAR(coarse, 1, 0.25) << "Murray and Davies: areas add up";
    EXPECT_GT(middle, coarse + 0.05);
    EXPECT_GT(fine, middle + 0.05);
    EXPECT_LT(fine, 2.5);
    EXPECT_GT(fine, 1.6) << "at a tenth of the spread nearly all light mixes";
}

} // namespace
} // namespace volpt::test
