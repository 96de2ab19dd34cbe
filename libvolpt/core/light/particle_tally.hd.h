// What particles add to the cells of a tally: absorbed weight, and fluence by collision or by length.
//
// Both estimators of fluence are those of Spanier & Gelbard, Monte Carlo Principles and Neutron Transport Problems
// (1969, section 2.6): weight / majorant at each tentative collision, or weight times length in each cell on the way.
#pragma once

#include "libvolpt/core/light/detector.hd.h"
#include "libvolpt/core/light/particle_state.hd.h"

namespace volpt {

/// Adds `weight` to the cell at `position` (voxels), in the gate of `optical_mm`. `bits` are random.
template <Particle Path>
VOLPT_HD void deposit_at(SceneView const& scene, float const (&weight)[Path::kBands], Vec3 position, float optical_mm,
                         std::uint32_t bits, Path const& path)
{
    TallyView const& tally = scene.tally;
    std::uint32_t const gate = find_gate(tally, optical_mm);
    if (gate >= tally.gates) return;
    std::uint64_t* const sums = tally.sums + find_tally_sum(tally, scene.bands, find_group(path), gate, position);
    std::size_t const cells = count_tally_cells(tally);
    for (int b = 0; b < Path::kBands; ++b)
        if (weight[b] != 0.0f)
            add_to_sum(sums + find_band(path, b) * cells, dither_to_sum(weight[b], tally.scale, bits));
}

/// Adds `weight` to the cell where the particle is. The random bits come from a copy of its generator, so that the
/// particle is the same with and without tallies.
template <Particle Path>
VOLPT_HD void deposit(SceneView const& scene, float const (&weight)[Path::kBands], Path const& path)
{
    Rng rng = path.rng;
    deposit_at(scene, weight, path.position, path.optical_mm, rng.draw(), path);
}

/// Along one axis of the cells, in mm from the start of a track.
struct CellAxis {
    float next;    ///< the face ahead
    float spacing; ///< from one face to the next
};

/// `p` and `v` are in cells and cells per mm.
VOLPT_HD CellAxis find_cell_face(float p, float v)
{
    float const mm_per_cell = exact::reciprocal(exact::max(0x1p-40f, exact::abs(v)));
    float const whole = static_cast<float>(static_cast<std::int32_t>(p));
    float const gap = v < 0.0f ? p - whole : whole + 1.0f - p;
    // A point on a face belongs to the cell ahead.
    return {(gap > 0.0f ? gap : 1.0f) * mm_per_cell, mm_per_cell};
}

/// A straight piece of a particle's way through one medium.
struct ParticleTrack {
    Vec3 from; ///< voxels
    Vec3 to;
    float length_mm;
    float optical_mm; ///< at `from`
    float index;      ///< of refraction
};

/// Adds weight times length to each cell that a track crosses, in each gate.
template <Particle Path>
VOLPT_HD void deposit_track(SceneView const& scene, ParticleTrack const& track, float const (&weight)[Path::kBands],
                            Path const& path)
{
    TallyView const& tally = scene.tally;
    float const length_mm = track.length_mm;
    if (!(length_mm > 0.0f)) return;
    Vec3 const moved = track.to - track.from;
    Vec3 const per_mm = exact::reciprocal(length_mm) * moved;
    Vec3 const at = track.from * tally.cells_per_voxel, speed = per_mm * tally.cells_per_voxel;
    CellAxis x = find_cell_face(at.x, speed.x), y = find_cell_face(at.y, speed.y), z = find_cell_face(at.z, speed.z);
    bool const has_gates = tally.gate_optical_mm > 0.0f;
    float const gate_mm = has_gates ? exact::divide(tally.gate_optical_mm, track.index) : 0x1p60f;
    float const first_gate = static_cast<float>(find_gate(tally, track.optical_mm));
    float gate_end =
        has_gates ? exact::divide(exact::fma(first_gate + 1.0f, tally.gate_optical_mm, -track.optical_mm), track.index)
                  : gate_mm;
    Rng rng = path.rng;
    for (float done = 0.0f; done < length_mm;) {
        float const face = exact::min(x.next, exact::min(y.next, z.next));
        float const end = exact::min(length_mm, exact::min(face, gate_end));
        float const piece = exact::max(0.0f, end - done);
        float const middle = exact::fma(0.5f, piece, done);
        float const optical_mm = exact::fma(track.index, middle, track.optical_mm);
        if (is_past_gates(tally, optical_mm)) return;
        float part[Path::kBands];
        for (int b = 0; b < Path::kBands; ++b) part[b] = weight[b] * piece;
        deposit_at(scene, part, move_along(track.from, middle, per_mm), optical_mm, rng.draw(), path);
        x.next += x.next <= end ? x.spacing : 0.0f;
        y.next += y.next <= end ? y.spacing : 0.0f;
        z.next += z.next <= end ? z.spacing : 0.0f;
        gate_end += gate_end <= end ? gate_mm : 0.0f;
        done = end;
    }
}

/// deposit_track; on a GPU a call.
template <Particle Path>
VOLPT_HD_CALLED void call_deposit_track(SceneView const& scene, ParticleTrack const& track, Path const& path)
{
    deposit_track(scene, track, path.event.before, path);
}

/// Adds a track to the particle's path lengths by material.
template <int bands, class Region>
VOLPT_HD void measure_partial_paths(SceneView const& scene, ParticleTrack const& track,
                                    ParticlePath<bands, Region>& path)
{
    if (scene.tally.detectors.count == 0u || !(track.length_mm > 0.0f)) return;
    if constexpr (HasRegion<ParticlePath<bands, Region>>)
        add_partial_path(find_material(scene, find_region_voxel(path.event.region)), track.length_mm, path.partial_mm);
    else
        add_partial_paths(scene, track.from, track.to, track.length_mm, path.partial_mm);
}
template <int bands>
VOLPT_HD void measure_partial_paths(SceneView const&, ParticleTrack const&, TallyPath<bands>&)
{
}

template <Particle Path>
VOLPT_HD bool was_inside(Path const& path)
{
    return path.event.stage == Stage::inside || path.event.stage == Stage::leaving;
}

/// Measures the way since the event began, or since the last call: adds it to the optical and the partial path lengths.
/// `length_mm` is that way, or kUnmeasured_mm.
template <Particle Path>
VOLPT_HD ParticleTrack measure_track(SceneView const& scene, float length_mm, Path& path)
{
    TallyView const& tally = scene.tally;
    Vec3 const way_mm = (path.position - path.event.position) * scene.lights.pitch_mm;
    float index = was_inside(path) ? tally.index_inside : tally.index_outside;
    // Called at the end of a flight, before the path turns; after that, the way is 0 and the index does not matter.
    if (was_inside(path) && has_interfaces(scene)) index = find_ior(scene, path.event.position, path.direction);
    if constexpr (HasRegion<Path>) index = scene.solids.index_of[path.event.region];
    ParticleTrack const track{path.event.position, path.position,
                              length_mm < 0.0f ? exact::sqrt(dot(way_mm, way_mm)) : length_mm, path.optical_mm, index};
    if (was_inside(path)) measure_partial_paths(scene, track, path);
    path.optical_mm = exact::fma(track.index, track.length_mm, path.optical_mm);
    path.event.position = path.position;
    return track;
}

/// The same, with fluence by length.
template <Particle Path>
VOLPT_HD void measure_way(SceneView const& scene, float length_mm, Path& path)
{
    if (!measures_way(scene.tally)) return;
    ParticleTrack const track = measure_track(scene, length_mm, path);
    if (!was_inside(path) || !sums_length(scene.tally)) return;
    Path copy = path;
    call_deposit_track(scene, track, copy);
}

/// Ends a particle that is past the last gate. The rest of its event neither absorbs nor scatters it.
template <Particle Path>
VOLPT_HD void end_past_gates(SceneView const& scene, Path& path)
{
    if (is_past_gates(scene.tally, path.optical_mm)) end_particle(EnergyKind::cut, path);
}

template <class M, Particle Path>
VOLPT_HD void note_flight(M, SceneView const& scene, Flight const& flight, Path& path)
{
    if constexpr (!kIsBareTally<M> && !kIsFluenceTally<M>)
        measure_way(scene, flight.length_mm, path);
    else if (measures_way(scene.tally)) // not by length: flights would have fewer registers for the call
        measure_track(scene, flight.length_mm, path);
    end_past_gates(scene, path);
    if (!sums_collisions(scene.tally) || flight.tentative == 0u) return;
    float const mean_free_path_mm = exact::reciprocal(exact::max(0x1p-90f, flight.majorant));
    float fluence[Path::kBands];
    for (int b = 0; b < Path::kBands; ++b) fluence[b] = path.throughput[b] * mean_free_path_mm;
    deposit(scene, fluence, path);
}

/// Adds what a collision has absorbed; one that comes after the last gate has absorbed nothing.
template <Particle Path>
VOLPT_HD void deposit_absorbed(SceneView const& scene, Path& path)
{
    float lost[Path::kBands];
    float most = 0.0f;
    for (int b = 0; b < Path::kBands; ++b) {
        if (has_ended(path)) path.throughput[b] = path.event.before[b];
        lost[b] = path.event.before[b] - path.throughput[b];
        most = exact::max(most, lost[b]);
    }
    if (scene.tally.kind == TallyKind::absorbed && most > 0.0f) deposit(scene, lost, path);
}

} // namespace volpt
