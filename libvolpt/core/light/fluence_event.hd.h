// The event of most flights in FluenceMedium, for kernels that gather the others: a flight that is clear, what it adds
// to fluence, and its collision. As extend_path, but in fewer instructions: a loop over flights then stays in a GPU's
// instruction cache.
#pragma once

#include "libvolpt/core/light/clear_flight.hd.h"
#include "libvolpt/core/light/particle_path.hd.h"

namespace volpt {

/// Whether a scene of one band on a path may be rendered in FluenceMedium: fluence by collision, in cells that are the
/// voxels, among interfaces, with albedo and g by label.
VOLPT_HD bool fits_fluence_medium(SceneView const& scene)
{
    TallyView const& tally = scene.tally;
    Vec3 const size = scene.medium.size_voxels, cells = tally.cells_per_voxel;
    bool const has_voxels = cells.x == 1.0f && cells.y == 1.0f && cells.z == 1.0f &&
                            static_cast<float>(tally.dims[0]) == size.x &&
                            static_cast<float>(tally.dims[1]) == size.y && static_cast<float>(tally.dims[2]) == size.z;
    bool const is_small = count_volume_sums(tally, scene.bands) <= 0xffffffffu;
    return scene.transport == Transport::tallies && has_interfaces(scene) && sums_collisions(tally) && has_voxels &&
           is_small && scene.medium.albedo == Source::material && scene.medium.scattering == Scattering::material_g;
}

/// find_gate, without a division if there is one gate: a smaller number over a larger one is never rounded to 1 or
/// more.
VOLPT_HD std::uint32_t find_fluence_gate(TallyView const& tally, float optical_mm)
{
    if (tally.gates > 1u) return find_gate(tally, optical_mm);
    return tally.gate_optical_mm > 0.0f && optical_mm >= tally.gate_optical_mm ? 1u : 0u;
}

/// deposit_at in a voxel.
template <int bands>
VOLPT_HD void deposit_in_voxel(SceneView const& scene, float weight, std::uint32_t gate, BlockPlace const& at,
                               std::uint32_t bits, TallyPath<bands> const& path)
{
    TallyView const& tally = scene.tally;
    std::uint32_t const* const dims = tally.dims;
    std::uint32_t const row = (find_group(path) * tally.gates + gate) * scene.bands + path.band;
    std::uint32_t const layer = row * dims[2] + static_cast<std::uint32_t>(at.z);
    std::uint32_t const line = layer * dims[1] + static_cast<std::uint32_t>(at.y);
    std::uint32_t const sum = line * dims[0] + static_cast<std::uint32_t>(at.x);
    add_to_sum(tally.sums + sum, dither_size(weight * tally.scale, bits));
}

/// The rest of extend_path after a flight through one material of a path in FluenceMedium.
template <class M, class Counts>
VOLPT_HD void end_clear_flight(SceneView const& scene, ClearFlight const& flight, float optical_mm, std::uint32_t gate,
                               PathOf<M>& path, Counts& counts)
{
    KnownLabel const voxel{flight.to.label};
    path.optical_mm = optical_mm;
    path.position = flight.position;
    path.rng = flight.rng;
    path.group |= kHasEntered;
    Rng rng = path.rng;
    deposit_in_voxel(scene, path.throughput[0] * flight.mean_free_path_mm, gate, flight.to, rng.draw(), path);
    absorb<Source::material>(scene.medium, voxel, path);
    sample_scattering<Scattering::material_g>(scene.medium, voxel, path);
    path.bounces = 0;
    counts.count_collision();
    path.depth += 1;
    if (!(path.throughput[0] < scene.roulette.plays_below) && path.depth <= scene.depth_limit - 1u) [[likely]]
        return;
    begin_event(path);
    play_roulette(scene.roulette, path);
    if (must_cut(scene.depth_limit, path)) cut_path(path, counts);
    end_event(M{}, scene, path, counts);
}

/// The optical path length of a particle that has flown `length_mm` through the material `label`.
template <int bands>
VOLPT_HD float measure_optical_mm(SceneView const& scene, float length_mm, std::int32_t label,
                                  TallyPath<bands> const& path)
{
    return exact::fma(scene.interfaces.material_ior[label], length_mm, path.optical_mm);
}

/// fly_once_in, if the flight is clear and does not end past the gates; else false, and the path is as it was. `place`
/// is the path's, before and after.
template <class M, class Counts>
VOLPT_HD bool fly_once_if_clear(SceneView const& scene, BlockPlace& place, PathOf<M>& path, Counts& counts)
{
    ClearFlight const flight = find_clear_flight<M>(scene, place, path);
    if (!flight.is_clear) return false;
    float const optical_mm = measure_optical_mm(scene, flight.length_mm, place.label, path);
    std::uint32_t const gate = find_fluence_gate(scene.tally, optical_mm);
    if (gate >= scene.tally.gates) return false;
    place = flight.to;
    end_clear_flight<M>(scene, flight, optical_mm, gate, path, counts);
    return true;
}

/// fly_once_in for the other flights.
template <class M, class Counts>
VOLPT_HD void fly_once_to_face(SceneView const& scene, PathOf<M>& path, Counts& counts)
{
    begin_event(path);
    VoxelFlightStop const stop = fly_through_voxels<M>(scene, path);
    if (stop.end == VoxelFlightEnd::collision) {
        // Labels may have changed on the way, but not their index.
        float const optical_mm = measure_optical_mm(scene, stop.length_mm, stop.label, path);
        std::uint32_t const gate = find_fluence_gate(scene.tally, optical_mm);
        if (gate < scene.tally.gates) {
            Vec3 const p = path.position;
            BlockPlace const to{static_cast<std::int32_t>(p.x), static_cast<std::int32_t>(p.y),
                                static_cast<std::int32_t>(p.z), stop.label, 0};
            float const mean_free_path_mm = exact::reciprocal(exact::max(0x1p-90f, stop.sigma_t));
            end_clear_flight<M>(scene, {true, p, mean_free_path_mm, stop.length_mm, to, path.rng}, optical_mm, gate,
                                path, counts);
            return;
        }
    }
    end_among_interfaces<M>(scene, stop, path, counts);
    end_event(M{}, scene, path, counts);
}

} // namespace volpt
