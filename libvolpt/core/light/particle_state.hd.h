// The state of all particles, and how their energy ends.
#pragma once

#include "libvolpt/core/light/tally.hd.h"
#include "libvolpt/core/path_events.hd.h"
#include "libvolpt/core/surface/nested_solids.hd.h"

namespace volpt {

/// A unit vector in 32 bits, within 2^-14: of the octahedron |x| + |y| + |z| = 1, x and y in steps of 2^-15, and the
/// sign of z in that of x.
VOLPT_HD std::uint32_t pack_direction(Vec3 direction)
{
    float const scale = exact::reciprocal(exact::abs(direction.x) + exact::abs(direction.y) + exact::abs(direction.z));
    auto const pack = [&](float along) {
        return static_cast<std::uint32_t>(exact::to_index(exact::fma(along * scale, 0x1p14f, 0x1p14f), 0x1p15f));
    };
    return pack(direction.x) << 16 | pack(direction.y) | (direction.z < 0.0f ? 0x80000000u : 0u);
}

/// Along the direction that was packed; not of unit length.
VOLPT_HD Vec3 unpack_direction(std::uint32_t packed)
{
    auto const unpack = [](std::uint32_t bits) { return exact::fma(static_cast<float>(bits), 0x1p-14f, -1.0f); };
    float const x = unpack(packed >> 16 & 0x7fffu), y = unpack(packed & 0x7fffu);
    float const z = exact::max(0.0f, 1.0f - exact::abs(x) - exact::abs(y));
    return {x, y, (packed & 0x80000000u) != 0u ? -z : z};
}

/// A path from an emitter. Weights are by band: launched + gained = throughput + what was absorbed.
template <int bands>
struct ParticleState : PathState<bands> {
    float launched[bands];
    float gained[bands];          ///< by roulette
    std::uint32_t launched_along; ///< packed (pack_direction)
    float optical_mm;             ///< path length times index of refraction, if the tally measures it
    std::uint32_t group;          ///< of tallies; and kHasEntered once it has been in the solid
};

inline constexpr std::uint32_t kHasEntered = 0x80000000u;

/// The group of samples to which a particle's deposits are added.
template <int bands>
VOLPT_HD std::uint32_t find_group(ParticleState<bands> const& path)
{
    return path.group & ~kHasEntered;
}

/// The part of a particle's state that is used within one event only: the last member of its path, which schedulers do
/// not store.
template <int bands>
struct ParticleEvent {
    float before[bands];  ///< throughput with which the event began
    EnergyKind end;       ///< what the throughput became; `launched` while the particle flies
    Stage stage;          ///< before the event
    std::uint32_t region; ///< likewise, of paths that have one
    Vec3 position;        ///< up to which `optical_mm` counts
    float surface_u, surface_v;
    Vec3 surface_shading; ///< unit, on the particle's side; it may face away from the particle
};

/// Paths that have a ParticleState and a ParticleEvent.
template <class Path>
concept Particle = starts_at_emitters(Path::kTransport);

/// Ends a particle, whose throughput is energy of `kind` from here on. Nothing happens if it has ended.
template <Particle Path>
VOLPT_HD void end_particle(EnergyKind kind, Path& path)
{
    if (path.event.end == EnergyKind::launched) path.event.end = kind;
}

template <Particle Path>
VOLPT_HD bool has_ended(Path const& path)
{
    return path.event.end != EnergyKind::launched;
}

template <Particle Path>
VOLPT_HD void begin_event(Path& path)
{
    for (int b = 0; b < Path::kBands; ++b) path.event.before[b] = path.throughput[b];
    path.event.end = EnergyKind::launched;
    path.event.stage = path.stage;
    if constexpr (HasRegion<Path>) path.event.region = path.region;
    path.event.position = path.position;
}

template <Particle Path>
VOLPT_HD void play_roulette(RouletteView roulette, Path& path)
{
    if (has_ended(path)) return;
    float played[Path::kBands];
    for (int b = 0; b < Path::kBands; ++b) played[b] = path.throughput[b];
    play_roulette(roulette, static_cast<PathState<Path::kBands>&>(path));
    bool const loses = path.stage == Stage::ended;
    for (int b = 0; b < Path::kBands; ++b) {
        path.gained[b] += loses ? 0.0f : path.throughput[b] - played[b];
        path.throughput[b] = loses ? played[b] : path.throughput[b];
    }
    if (loses) end_particle(EnergyKind::roulette_lost, path);
}

template <Particle Path, class Counts>
VOLPT_HD void cut_path(Path& path, Counts& counts)
{
    if (!has_ended(path)) counts.count_cut(to_fixed_point(largest_throughput(path), 0x1p24f));
    end_particle(EnergyKind::cut, path);
    path.stage = Stage::ended;
}

/// Adds a particle's energies to the sums, once it has ended. As in `deposit`, the random bits come from a copy of its
/// generator: the film is the same with and without tallies.
template <Particle Path>
VOLPT_HD void flush_energy(SceneView const& scene, Path const& path)
{
    TallyView const& tally = scene.tally;
    if (tally.energy_sums == nullptr) return;
    constexpr int bands = Path::kBands;
    Rng rng = path.rng;
    std::uint32_t const part = rng.draw() % kEnergyParts;
    auto const add = [&](EnergyKind kind, float const(&weight)[bands]) {
        std::uint32_t const bits = rng.draw();
        std::uint64_t* const sums = tally.energy_sums + find_energy_sum(scene.bands, part, kind);
        for (int b = 0; b < bands; ++b)
            if (weight[b] != 0.0f)
                add_to_sum(sums + find_band(path, b), dither_to_sum(weight[b], tally.energy_scale, bits));
    };
    float left[bands], absorbed[bands];
    for (int b = 0; b < bands; ++b) {
        left[b] = has_ended(path) ? path.throughput[b] : 0.0f;
        absorbed[b] = (path.launched[b] - left[b]) + path.gained[b];
    }
    add(EnergyKind::launched, path.launched);
    add(EnergyKind::absorbed, absorbed);
    add(EnergyKind::roulette_gained, path.gained);
    if (!has_ended(path)) return;
    add(path.event.end, left);
    if ((path.group & kHasEntered) != 0u) return;
    if (path.event.end == EnergyKind::reflected) add(EnergyKind::outside_reflected, left);
    if (path.event.end == EnergyKind::transmitted) add(EnergyKind::outside_transmitted, left);
}

} // namespace volpt
