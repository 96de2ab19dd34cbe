// An isotropic point source in an endless isotropic medium: the fluence of transport theory (K. M. Case, P. F. Zweifel,
// Linear Transport Theory, 1967), which diffusion misses.
//
// With mean free path 1 and albedo c, the fluence is that of the discrete mode, nu_0, and of the continuum:
//     phi(r) = kappa^2 exp(-kappa r) / (2 pi r c^2 (1 / (1 - kappa^2) - 1 / c))
//              + 1 / (4 pi r) int_0^1 exp(-r / nu) / (nu^2 ((1 - c nu atanh nu)^2 + (pi c nu / 2)^2)) dnu
// where kappa = 1 / nu_0 solves c atanh(kappa) = kappa.
#include "tests/statistical/lit_scenes.h"

#include "libvolpt/scene/light/tally_sums.h"

namespace volpt::test {
namespace {

constexpr double kAlbedo = 0.9;
constexpr double kDecay = 1.9032;          ///< nu_0
constexpr double kDiffusionDecay = 1.8257; ///< 1 / sqrt(3 (1 - c))
constexpr int kCells = 41;
constexpr double kCell_mm = 1; ///< boundaries are 20 mean free paths away

double find_exact_fluence(double r)
{
    double const kappa = 1 / kDecay, c = kAlbedo;
    double sum = kappa * kappa * std::exp(-kappa * r) / (2 * kPi * r * c * c * (1 / (1 - kappa * kappa) - 1 / c));
    // nu = 1 / (1 + s); s = end t^3, since the logarithm is steep at s = 0.
    int const steps = 1000;
    double const end = 40 / r;
    for (int i = 0; i < steps; ++i) {
        double const t = (i + 0.5) / steps, s = end * t * t * t, nu = 1 / (1 + s);
        double const real = 1 - c * nu * std::atanh(nu), imaginary = 0.5 * kPi * c * nu;
        double const density = std::exp(-r * (1 + s)) / (real * real + imaginary * imaginary);
        sum += density * 3 * end * t * t / steps / (4 * kPi * r);
    }
    return sum;
}

double find_uncollided_fluence(double r)
{
    return std::exp(-r) / (4 * kPi * r * r);
}

/// A fluence at distances up to 14 mean free paths, read from a table.
class FluenceTable {
public:
    template <class Fluence>
    explicit FluenceTable(Fluence&& fluence)
    {
        for (int i = 1; i <= 700; ++i) scaled_.push_back(fluence(i * kStep) * i * kStep * i * kStep);
    }
    double operator()(double r) const
    {
        double const place = std::max(0.0, r / kStep - 1);
        auto const i = static_cast<std::size_t>(place);
        double const share = place - static_cast<double>(i);
        return ((1 - share) * scaled_[i] + share * scaled_[i + 1]) / (r * r);
    }

private:
    static constexpr double kStep = 0.02;
    std::vector<double> scaled_; ///< times r^2, which varies little
};

/// Calls `see(number, x, y, z)` for the cells whose centres are so far from the source; x, y, z are from it to there.
template <class See>
void for_each_cell(double from_mm, double to_mm, See&& see)
{
    int const middle = kCells / 2;
    for (int z = -middle; z <= middle; ++z)
        for (int y = -middle; y <= middle; ++y)
            for (int x = -middle; x <= middle; ++x) {
                double const r = kCell_mm * std::sqrt(x * x + y * y + z * z);
                if (r < from_mm || r >= to_mm) continue;
                int const number = ((z + middle) * kCells + y + middle) * kCells + x + middle;
                see(static_cast<std::size_t>(number), kCell_mm * x, kCell_mm * y, kCell_mm * z);
            }
}

/// Integral of a known fluence over these cells.
template <class Fluence>
double integrate_cells(double from_mm, double to_mm, Fluence&& fluence)
{
    int const parts = to_mm < 3 ? 12 : 4;
    double sum = 0;
    for_each_cell(from_mm, to_mm, [&](std::size_t, double x, double y, double z) {
        auto const at = [&](double centre, int part) { return centre + kCell_mm * ((part + 0.5) / parts - 0.5); };
        for (int i = 0; i < parts * parts * parts; ++i) {
            double const px = at(x, i % parts), py = at(y, i / parts % parts), pz = at(z, i / parts / parts);
            sum += fluence(std::sqrt(px * px + py * py + pz * pz));
        }
    });
    return sum * std::pow(kCell_mm / parts, 3);
}

/// The tally of particles from a point in the middle of a large box.
class PointSource {
public:
    PointSource(std::uint32_t depth_limit, std::uint32_t particles)
        : volume_(make_box()), built_(make_source_scene(volume_, depth_limit), volume_, nullptr, 7),
          sums_({TallyKind::fluence, 1, 0, std::array{kCells, kCells, kCells}}, built_.view(), {}),
          particles_by_group_(static_cast<double>(particles) / kTallyGroups)
    {
        built_.attach_tally(sums_.view());
        Film film = make_film(built_, 7);
        render_film(built_, film, {0, particles}, {});
    }

    /// Integral of the fluence over the cells whose centres are so far from the source.
    Measurement measure(double from_mm, double to_mm) const
    {
        std::size_t const cells = count_tally_cells(sums_.view());
        std::vector<double> groups(kTallyGroups);
        for_each_cell(from_mm, to_mm, [&](std::size_t cell, double, double, double) {
            for (std::size_t group = 0; group < kTallyGroups; ++group)
                groups[group] += static_cast<double>(sums_.view().sums[group * cells + cell]) /
                                 (static_cast<double>(sums_.view().scale) * particles_by_group_);
        });
        return measure_mean(groups);
    }

private:
    static PackedVolume make_box()
    {
        VolumeMeta meta;
        meta.dims = {8, 8, 8};
        meta.pitch_mm.fill(static_cast<float>(kCells * kCell_mm / 8));
        meta.scale = 1;
        meta.constant_one_minus_albedo = {static_cast<float>(1 - kAlbedo)};
        return make_volume(meta);
    }
    static Scene make_source_scene(PackedVolume const& volume, std::uint32_t depth_limit)
    {
        double const middle = 0.5 * kCells * kCell_mm;
        Scene scene = look_down(volume, 1, 1);
        scene.camera.origin_world = {-100, -100, 100}; // sees nothing of it
        scene.camera.target_world = {-100, -100, 0};
        scene.integrator = Integrator::light;
        scene.depth_limit = depth_limit;
        add_emitter(scene, make_point({middle, middle, middle}, 1));
        return scene;
    }

    PackedVolume volume_;
    RenderScene built_;
    TallySums sums_;
    double particles_by_group_;
};

TEST(PointSource, FirstFlightsGiveTheirFluence)
{
    PointSource const source(1, 200000 / kHaste);
    for (double const from : {0.5, 1.5, 2.5}) {
        double const truth = integrate_cells(from, from + 1, find_uncollided_fluence);
        expect_truth(source.measure(from, from + 1), truth, 1e-3 * truth, std::to_string(from));
    }
}

TEST(PointSource, FluenceIsThatOfTransportTheory)
{
    PointSource const source(0, 200000 / kHaste);
    FluenceTable const exact(find_exact_fluence);
    for (double const from : {0.5, 1.5, 3.0, 5.0, 7.0, 9.0}) {
        double const truth = integrate_cells(from, from + 1, exact);
        expect_truth(source.measure(from, from + 1), truth, 1e-3 * truth, std::to_string(from));
    }
    // Far away it is exp(-r / nu_0) / r.
    Measurement const near = source.measure(6, 8), far = source.measure(10, 12);
    double const ratio = far.mean / near.mean;
    double const error = ratio * std::hypot(far.standard_error / far.mean, near.standard_error / near.mean);
    auto const expect = [](double decay) {
        auto const mode = [&](double r) { return std::exp(-r / decay) / r; };
        return integrate_cells(10, 12, mode) / integrate_cells(6, 8, mode);
    };
    EXPECT_NEAR(ratio, expect(kDecay), 4 * error);
    if (kHaste == 1) {
        EXPECT_GT(std::abs(ratio - expect(kDiffusionDecay)), 5 * error) << "as far as diffusion is off";
    }
}

} // namespace
} // namespace volpt::test
