// A box of one medium, an emitter, and what particles of it become.
#pragma once

#include "libvolpt/core/light/transports.hd.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <numbers>
#include <numeric>
#include <vector>

namespace volpt::test {

inline constexpr float kParticleScale = 0x1p30f;

/// Of the extinction of a box of 8 x 8 x 16 voxels of (0.5, 1, 0.25) mm: 4 x 8 x 4 mm.
struct BoxSpec {
    float sigma_t = 1;
    std::vector<float> one_minus_albedo{0.25f};
    float g = 0;
    Vec3 size{8, 8, 16};
    Vec3 pitch_mm{0.5f, 1, 0.25f};
};

/// One emitter of power 1 W, or of 2, 1 and 1/2 W in three bands.
class ParticleScene {
public:
    ParticleScene(BoxSpec const& spec, EmitterView const& emitter) : spec_(spec), emitter_(emitter)
    {
        std::size_t const bands = spec.one_minus_albedo.size();
        for (std::size_t b = 0; b < bands; ++b) emitter_.power_share[b] = 1 / static_cast<float>(1u << b);
        emitter_.choice = 1;
        scene.lights.count = 1;
        scene.lights.emitters = &emitter_;
        scene.lights.choice_cdf = &kAll;
        scene.lights.reference_power_w = bands == 1 ? 1 : 2;
        scene.bands = scene.path_bands = static_cast<std::uint32_t>(bands);
        scene.transport = Transport::particles;
        scene.seed = 5;
        set_film(1, 1);
        set_size(scene.medium, spec.size);
        scene.medium.inv_pitch = {1 / spec.pitch_mm.x, 1 / spec.pitch_mm.y, 1 / spec.pitch_mm.z};
        scene.medium.g = spec.g;
        scene.medium.scattering = spec.g == 0 ? Scattering::isotropic : Scattering::constant_g;
        for (std::size_t b = 0; b < bands; ++b) {
            BandMedium& band = scene.medium.band[b];
            band.majorant = spec.sigma_t;
            band.mean_free_path_voxels = (1 / spec.sigma_t) * scene.medium.inv_pitch;
            band.constant_one_minus_albedo = spec.one_minus_albedo[b];
        }
        for (int axis = 0; axis < 3; ++axis)
            scene.medium.brick_counts[axis] = (static_cast<int>(get_axis(spec.size, axis)) + 7) / 8;
        scene.lights.pitch_mm = spec.pitch_mm;
        scene.surface.pitch_mm = spec.pitch_mm;
        energy_.resize(count_energy_sums(scene.bands));
        scene.tally.energy_sums = energy_.data();
        scene.tally.energy_scale = kParticleScale;
        scene.camera.aim = Aim::lens; // sees no particle
    }

    void set_film(std::uint32_t width, std::uint32_t height)
    {
        scene.width = width;
        scene.height = height;
        scene.inv_width = 1 / static_cast<float>(width);
        scene.inv_height = 1 / static_cast<float>(height);
    }

    void set_tally(TallyKind kind, std::array<std::uint32_t, 3> dims, std::uint32_t gates = 1)
    {
        TallyView& tally = scene.tally;
        tally.kind = kind;
        std::copy(dims.begin(), dims.end(), tally.dims);
        Vec3 const cells{static_cast<float>(dims[0]), static_cast<float>(dims[1]), static_cast<float>(dims[2])};
        tally.cells_per_voxel = {cells.x / spec_.size.x, cells.y / spec_.size.y, cells.z / spec_.size.z};
        tally.gates = gates;
        tally.scale = 0x1p24f;
        sums_.assign(count_tally_sums(tally, scene.bands), 0);
        tally.sums = sums_.data();
    }

    ParticleScene(ParticleScene const&) = delete;

    /// Runs `samples` particles of each pixel; gives `see` all that have ended.
    template <int bands>
    void run(std::uint32_t samples, std::function<void(ParticlePath<bands> const&)> const& see = {})
    {
        run_in<EmitterMedium<bands, Surfaces::box, Transport::particles>>(samples, see);
    }

    /// As particles that no film sees.
    template <int bands>
    void run_without_film(std::uint32_t samples)
    {
        scene.transport = Transport::tallies;
        with_emitter_medium<bands>(scene, [&](auto medium) {
            run_in<decltype(medium)>(samples, {});
            return 0;
        });
    }

    /// Not of the type of `see`: all of extend_path is compiled into each instance.
    template <class M>
    void run_in(std::uint32_t samples, std::function<void(PathOf<M> const&)> const& see)
    {
        for (std::uint32_t y = 0; y < scene.height; ++y)
            for (std::uint32_t x = 0; x < scene.width; ++x)
                for (std::uint32_t sample = 0; sample < samples; ++sample) {
                    PathOf<M> path = start_path_in<M>(scene, {x, y, sample, 0, 0});
                    for (int i = 0; i < 100000 && path.stage != Stage::ended; ++i) extend_path<M>(scene, path, counts);
                    EXPECT_EQ(path.stage, Stage::ended);
                    if (see) see(path);
                    particles += 1;
                }
    }

    /// Share of the reference power, by launched particle.
    double energy(EnergyKind kind, std::uint32_t band = 0) const
    {
        std::uint64_t sum = 0;
        for (std::uint32_t part = 0; part < kEnergyParts; ++part)
            sum += energy_[find_energy_sum(scene.bands, part, kind) + band];
        return static_cast<double>(static_cast<std::int64_t>(sum)) / static_cast<double>(kParticleScale) / particles;
    }

    /// By launched particle, of all groups.
    double tally(std::uint32_t gate, std::size_t cell, std::uint32_t band = 0) const
    {
        std::size_t const cells = count_tally_cells(scene.tally);
        std::uint64_t sum = 0;
        for (std::size_t group = 0; group < kTallyGroups; ++group)
            sum += sums_[((group * scene.tally.gates + gate) * scene.bands + band) * cells + cell];
        return static_cast<double>(sum) / static_cast<double>(scene.tally.scale) / particles;
    }
    double tally_total(std::uint32_t band = 0) const
    {
        double sum = 0;
        for (std::uint32_t gate = 0; gate < scene.tally.gates; ++gate)
            for (std::size_t cell = 0; cell < count_tally_cells(scene.tally); ++cell) sum += tally(gate, cell, band);
        return sum;
    }

    SceneView scene;
    PathCounts counts;
    double particles = 0;

private:
    static constexpr float kAll = 1;
    BoxSpec spec_;
    EmitterView emitter_;
    std::vector<std::uint64_t> energy_, sums_;
};

/// Along +z, from 3 mm below the middle of the box's face z = 0.
inline EmitterView make_pencil_beam(Vec3 at_mm = {2, 4, -3})
{
    EmitterView beam;
    beam.shape = EmitterShape::beam;
    beam.position_mm = at_mm;
    return beam;
}

inline EmitterView make_point_source(Vec3 at_mm)
{
    EmitterView point;
    point.position_mm = at_mm;
    return point;
}

/// Of what particles add to a pixel.
struct ParticleMean {
    double sum = 0, squares = 0, count = 0;

    void add(double x)
    {
        sum += x;
        squares += x * x;
        count += 1;
    }
    double mean() const { return sum / count; }
    double error() const { return std::sqrt(std::max(0.0, squares / count - mean() * mean()) / count); }
};

} // namespace volpt::test
