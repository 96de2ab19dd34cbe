// Emitters as paths read them: how one is chosen, where it is, what it sends out.
//
// Lengths are in mm, powers in watts: radiance is W/(mm^2 sr). Positions are from the corner of the volume's box, along
// its axes, in mm; paths have theirs in voxels.
#pragma once

#include "libvolpt/core/vec.hd.h"
#include "libvolpt/core/volume_view.hd.h"

namespace volpt {

enum class BeamProfile : std::uint32_t {
    pencil = 0,    ///< a line
    disc = 1,      ///< uniform over a disc
    gaussian = 2,  ///< exp(-2 r^2 / w^2)
    slit = 3,      ///< uniform along a line, without width
    rectangle = 4, ///< uniform over a parallelogram
};

/// EmitterKind in core: a rectangle, a disk and a mesh are triangles.
enum class EmitterShape : std::uint32_t { point = 0, spot = 1, sun = 2, triangles = 3, sphere = 4, beam = 5 };

struct EmitterView {
    EmitterShape shape = EmitterShape::point;
    BeamProfile profile = BeamProfile::pencil;
    float choice = 0;           ///< probability that this emitter is the one that is sampled
    Vec3 position_mm;           ///< point, spot, beam; centre of a sphere
    Vec3 direction{0, 0, 1};    ///< unit, of the light: spot, sun, beam
    Vec3 u_axis_mm{0, 0, 0};    ///< half length of a slit, half edge of a rectangular beam
    Vec3 v_axis_mm{0, 0, 0};    ///< half of its other edge
    float radius_mm = 0;        ///< sphere; disc or 1/e^2 radius of a beam
    float one_minus_cosine = 0; ///< of the cone's edge of a spot; of half the diameter of a sun, 0: parallel light
    float one_minus_inner_cosine = 0; ///< spot
    float area_mm2 = 0;               ///< triangles, sphere
    std::uint32_t first_triangle = 0; ///< into LightsView::triangles and area_cdf
    std::uint32_t triangle_count = 0;
    std::uint32_t first_primitive = 0; ///< of the surroundings: its first triangle, or the sphere
    /// By band: W/sr of a point, and of a spot along its axis; W/(mm^2 sr) of triangles, spheres and a sun with a
    /// diameter; W/mm^2 across a parallel sun; W of a beam.
    float amount[kMaxBands] = {};
    /// By band: power over that of the emitter's largest band, corrected for the rounding of `choice`: the weight with
    /// which particles of this emitter begin.
    float power_share[kMaxBands] = {};
};

/// A triangle that emits: corners in mm, counter-clockwise as seen from the side that emits.
struct EmitterTriangle {
    Vec3 a, b, c;
};

/// Directions of an environment image, chosen in proportion to its radiance: texels of the two squares of
/// EnvironmentView, [hemisphere][row][column], each with a probability unless all lookups in it are 0. Empty where the
/// light is even.
struct EnvironmentSamplerView {
    std::uint32_t edge = 0;          ///< texels along one side of a square; 0: directions are chosen uniformly
    float const* row_cdf = nullptr;  ///< [2 * edge] cumulative probabilities of rows, the last is 1
    float const* cell_cdf = nullptr; ///< [2 * edge][edge] cumulative within a row, the last is 1
};

struct LightsView {
    std::uint32_t count = 0;           ///< of emitters; if it and environment_choice are 0, all else is empty
    std::uint32_t connects_inside = 0; ///< 1: light may reach points of the medium without being refracted
    float environment_choice = 0; ///< probability that the environment is sampled; 0: paths find it by chance alone
    EmitterView const* emitters = nullptr;
    /// [count] cumulative; the environment follows the last. Without it, 1 from the last emitter that can be chosen on.
    float const* choice_cdf = nullptr;
    EmitterTriangle const* triangles = nullptr;
    float const* area_cdf = nullptr; ///< by triangle, cumulative within its emitter, the last is 1
    /// By primitive of the surroundings: 1 + index of its emitter, 0 if it emits nothing; null if none does.
    std::uint32_t const* emitter_of = nullptr;
    EnvironmentSamplerView environment;
    Vec3 pitch_mm{1, 1, 1};
    Vec3 scene_centre_mm{0, 0, 0}; ///< of a ball that holds the volume's box and all that stands around it
    float scene_radius_mm = 0;
    /// Sum over emitters, the medium among them, of their largest band: a particle's weight 1.
    float reference_power_w = 1;
};

/// Elements of `triangles` and `area_cdf`; `emitters` is in memory that the caller can read.
VOLPT_HD std::size_t count_emitter_triangles(LightsView const& lights)
{
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < lights.count; ++i) count += lights.emitters[i].triangle_count;
    return count;
}

} // namespace volpt
