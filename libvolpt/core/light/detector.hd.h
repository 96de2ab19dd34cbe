// What particles add to detectors, and the lengths of their paths by material.
//
// A particle counts where it leaves the solid. Its path is measured voxel by voxel, since path lengths that collisions
// estimate are right on average over all particles, not over those that are detected.
#pragma once

#include "libvolpt/core/light/tally.hd.h"
#include "libvolpt/core/lookup.hd.h"
#include "libvolpt/core/rng.hd.h"
#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/core/surface/bsdf.hd.h"

namespace volpt {

/// The voxels that a segment crosses along one axis; its parameter is 0 to 1 (J. Amanatides & A. Woo, A Fast Voxel
/// Traversal Algorithm for Ray Tracing, Eurographics 1987).
struct VoxelAxis {
    std::int32_t voxel;
    std::int32_t step;
    float next;    ///< where the voxel ends
    float spacing; ///< between the ends of voxels
};

VOLPT_HD VoxelAxis begin_axis(float from, float to, float size)
{
    float const way = to - from;
    std::int32_t const voxel = exact::to_index(from, size - 1.0f);
    if (!(exact::abs(way) > 0x1p-40f)) return {voxel, 0, 2.0f, 1.0f};
    bool const forward = way > 0.0f;
    float const end = static_cast<float>(forward ? voxel + 1 : voxel);
    float const inverse = exact::reciprocal(way);
    return {voxel, forward ? 1 : -1, exact::max(0.0f, (end - from) * inverse), exact::abs(inverse)};
}

VOLPT_HD void cross_voxel(float end, VoxelAxis& axis)
{
    if (axis.next > end) return;
    axis.voxel += axis.step;
    axis.next += axis.spacing;
}

/// Index of a voxel's material among the detected materials.
VOLPT_HD std::uint32_t find_material(SceneView const& scene, VoxelRef voxel)
{
    auto const label = static_cast<std::uint32_t>(read_label(scene.medium.label, voxel));
    std::uint32_t const last = scene.tally.detectors.materials - 1u;
    return label < last ? label : last;
}

/// The same for the voxel at (x, y, z), which may be outside of the box by rounding.
VOLPT_HD std::uint32_t find_material(SceneView const& scene, std::int32_t x, std::int32_t y, std::int32_t z)
{
    auto const clamp = [](std::int32_t at, float size) {
        return exact::max(std::int32_t{0}, exact::min(at, static_cast<std::int32_t>(size) - 1));
    };
    MediumView const& medium = scene.medium;
    Vec3 const size = medium.size_voxels;
    return find_material(scene, make_voxel_ref(medium, clamp(x, size.x), clamp(y, size.y), clamp(z, size.z)));
}

/// By selection: an array with a variable index would be in a GPU's local memory, and the whole path with it.
VOLPT_HD void add_partial_path(std::uint32_t material, float length_mm, float (&partial_mm)[kMostDetectedMaterials])
{
    for (std::uint32_t m = 0; m < kMostDetectedMaterials; ++m) partial_mm[m] += m == material ? length_mm : 0.0f;
}

/// Adds a segment of `length_mm` inside the solid, between two points in voxels, to the lengths by material. The
/// material of a point is that of its voxel, whatever the filter.
VOLPT_HD void add_partial_paths(SceneView const& scene, Vec3 from, Vec3 to, float length_mm,
                                float (&partial_mm)[kMostDetectedMaterials])
{
    if (scene.tally.detectors.materials == 1u) {
        partial_mm[0] += length_mm;
        return;
    }
    Vec3 const size = scene.medium.size_voxels;
    VoxelAxis x = begin_axis(from.x, to.x, size.x), y = begin_axis(from.y, to.y, size.y),
              z = begin_axis(from.z, to.z, size.z);
    float start = 0.0f;
#if VOLPT_ON_DEVICE
#pragma unroll 1
#endif
    while (start < 1.0f) {
        float const next = exact::min(x.next, exact::min(y.next, z.next));
        float const end = exact::min(1.0f, exact::max(start, next));
        add_partial_path(find_material(scene, x.voxel, y.voxel, z.voxel), (end - start) * length_mm, partial_mm);
        cross_voxel(end, x);
        cross_voxel(end, y);
        cross_voxel(end, z);
        start = end;
    }
}

inline constexpr std::uint32_t kNoCell = 0xffffffffu;

/// The cell of a particle that leaves the solid at `exit_mm` along `direction`; kNoCell if it does not count.
VOLPT_HD std::uint32_t find_detector_cell(DetectorView const& detector, Vec3 exit_mm, Vec3 direction, float optical_mm)
{
    Vec3 const from_centre = exit_mm - detector.centre_mm;
    if (!(dot(direction, detector.outward) > detector.least_cosine)) return kNoCell;
    if (!(exact::abs(dot(from_centre, detector.outward)) <= detector.reach_mm)) return kNoCell;
    float const distance = exact::divide(exact::sqrt(dot(from_centre, from_centre)), detector.ring_width_mm);
    auto const ring = static_cast<std::uint32_t>(exact::to_index(distance, static_cast<float>(detector.rings)));
    std::uint32_t const rings = detector.rings + detector.has_beyond;
    std::uint32_t const gate = find_gate(detector.gates, detector.gate_optical_mm, optical_mm);
    if (ring >= rings || gate >= detector.gates) return kNoCell;
    return detector.first_cell + gate * rings + ring;
}

/// Adds a particle to a cell. As in `deposit`, the random bits come from a copy of its generator.
template <class Path>
VOLPT_HD void add_detected(SceneView const& scene, std::uint32_t cell, Path const& path)
{
    DetectorsView const& all = scene.tally.detectors;
    std::uint64_t* const sums = scene.tally.sums + find_detector_sum(scene.tally, scene.bands, find_group(path), cell);
    Rng rng = path.rng;
    auto const add = [&](std::uint32_t sum, float factor, float scale) {
        std::uint32_t const bits = rng.draw();
        for (int b = 0; b < Path::kBands; ++b) {
            float const value = path.throughput[b] * factor;
            if (value != 0.0f)
                add_to_sum(sums + sum * scene.bands + find_band(path, b), dither_to_sum(value, scale, bits));
        }
    };
    add(static_cast<std::uint32_t>(DetectedSum::weight), 1.0f, all.weight_scale);
    add(static_cast<std::uint32_t>(DetectedSum::optical_path), path.optical_mm, all.length_scale);
    for (std::uint32_t m = 0; m < kMostDetectedMaterials; ++m)
        if (m < all.materials)
            add(static_cast<std::uint32_t>(DetectedSum::first_partial_path) + m, path.partial_mm[m], all.length_scale);
}

/// Counts a particle that leaves the solid at its position; its path up to there has been measured.
template <class Path>
VOLPT_HD void detect(SceneView const& scene, Path const& path)
{
    DetectorsView const& all = scene.tally.detectors;
    Vec3 const exit_mm = path.position * scene.lights.pitch_mm;
#if VOLPT_ON_DEVICE
#pragma unroll 1
#endif
    for (std::uint32_t i = 0; i < all.count; ++i) {
        std::uint32_t const cell = find_detector_cell(all.detectors[i], exit_mm, path.direction, path.optical_mm);
        if (cell != kNoCell) add_detected(scene, cell, path);
    }
}

} // namespace volpt
