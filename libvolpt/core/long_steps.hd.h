// Long steps: the walk through the largest sphere of one material about a path, or through the thickest layer ahead of
// it, is one step, whose outcome is drawn from a bank of such walks (docs/design/long-steps.md).
#pragma once

#include "libvolpt/core/advance.hd.h"
#include "libvolpt/core/layers/layer_outcome.hd.h"
#include "libvolpt/core/outcome.hd.h"
#include "libvolpt/core/scatter.hd.h"

namespace volpt {

/// Index of the brick that holds `position` (voxels), clamped to the grid.
VOLPT_HD std::int32_t find_brick_index(MediumView const& medium, Vec3 position)
{
    auto const along = [](float p, std::int32_t bricks) {
        return exact::max(std::int32_t{0}, exact::min(static_cast<std::int32_t>(p * (1.0f / kBrickEdge)), bricks - 1));
    };
    std::int32_t const y = along(position.y, medium.brick_counts[1]);
    return (along(position.z, medium.brick_counts[2]) * medium.brick_counts[1] + y) * medium.brick_counts[0] +
           along(position.x, medium.brick_counts[0]);
}

/// Distance in mm from `position` (voxels) to the nearest side of `box`; negative outside of it.
VOLPT_HD float measure_depth_mm(Vec3 position, StepBox const& box, Vec3 pitch_mm)
{
    Vec3 const low = (position - box.low) * pitch_mm;
    Vec3 const high = (box.high - position) * pitch_mm;
    return exact::min(exact::min(exact::min(low.x, high.x), exact::min(low.y, high.y)), exact::min(low.z, high.z));
}

/// `p` moved into [0, size]: by a multiple of `size` where `inv_period` is 1 / size, clamped where it is 0.
VOLPT_HD float wrap_or_clamp(float p, float size, float inv_period)
{
    // p / size, correctly rounded, or 0: as exact::divide.
    float const quotient = p * inv_period;
    float const sizes = exact::fma(exact::fma(-size, quotient, p), inv_period, quotient);
    float const rounded = (sizes + 0x1.8p23f) - 0x1.8p23f; // as in to_fixed_point; truncation would not vectorise
    float const whole = rounded > sizes ? rounded - 1.0f : rounded;
    return exact::max(0.0f, exact::min(exact::fma(-whole, size, p), size));
}

/// The same along each axis. On a GPU by a branch: nearly all steps end inside.
VOLPT_HD Vec3 wrap_or_clamp(Vec3 p, Vec3 size, Vec3 inv_period)
{
#if VOLPT_ON_DEVICE
    bool const stays = (bits_from_float(p.x) < bits_from_float(size.x)) & // false for negative numbers and NaN
                       (bits_from_float(p.y) < bits_from_float(size.y)) &
                       (bits_from_float(p.z) < bits_from_float(size.z));
    if (stays) return p;
#endif
    return {wrap_or_clamp(p.x, size.x, inv_period.x), wrap_or_clamp(p.y, size.y, inv_period.y),
            wrap_or_clamp(p.z, size.z, inv_period.z)};
}

template <int bands>
VOLPT_HD StepBrick<bands> const& find_step_brick(LongStepsView const& steps, std::int32_t brick, std::uint32_t band)
{
    if constexpr (bands > 1)
        return steps.bricks_of_three[brick];
    else
        return steps.bricks_of_band[static_cast<std::int32_t>(band) * steps.brick_count + brick];
}

/// The brick of a path, and the largest sphere about it, or the thickest layer ahead of it, that lies in one material.
template <Steps kind, int bands>
struct StepRegion {
    StepBrick<bands> const* brick;
    std::int32_t level; ///< of the sphere or layer (find_level); negative: not even the smallest one fits
};

/// Whether the scene has one table entry and box per brick, or a single entry and box for the whole volume.
enum class StepBoxes : std::uint32_t { per_brick = 0, single = 1 };

/// Level of the largest sphere about `position` that lies in one material; negative if none fits. The safe radius is
/// the distance to the nearest side of the point's box, or the clearance of its brick if that is larger.
VOLPT_HD std::int32_t find_sphere_level(LongStepsView const& steps, Vec3 position, StepBox const& box,
                                        float clearance_mm, float sigma_t)
{
    float const safe_radius_mm = exact::max(measure_depth_mm(position, box, steps.pitch_mm), clearance_mm);
    return find_level(exact::max(0.0f, safe_radius_mm * sigma_t), steps.bank.levels - 1);
}

/// Level of the thickest layer of `box` that lies ahead of `position`; negative if none fits, or outside of the box.
VOLPT_HD std::int32_t find_layer_level(LongStepsView const& steps, Vec3 position, Vec3 direction, StepBox const& box,
                                       float sigma_t)
{
    float const p = blend_axis(position, steps.layer_axis);
    float const pitch_mm = blend_axis(steps.pitch_mm, steps.layer_axis);
    float const below_mm = (p - blend_axis(box.low, steps.layer_axis)) * pitch_mm;
    float const above_mm = (blend_axis(box.high, steps.layer_axis) - p) * pitch_mm;
    float const ahead_mm = blend(mask_if(blend_axis(direction, steps.layer_axis) < 0.0f), below_mm, above_mm);
    float const inside_mm = blend(mask_if(exact::min(below_mm, above_mm) < 0.0f), 0.0f, ahead_mm);
    return find_level(inside_mm * sigma_t, steps.bank.levels - 1);
}

template <Steps kind>
VOLPT_HD std::int32_t find_step_level(LongStepsView const& steps, Vec3 position, Vec3 direction, StepBox const& box,
                                      float clearance_mm, float sigma_t)
{
    if constexpr (kind == Steps::layers)
        return find_layer_level(steps, position, direction, box, sigma_t);
    else
        return find_sphere_level(steps, position, box, clearance_mm, sigma_t);
}

template <class M, StepBoxes boxes>
VOLPT_HD StepRegion<M::kSteps, M::kBands> find_step_region(MediumView const& medium, LongStepsView const& steps,
                                                           PathState<M::kBands> const& path)
{
    std::int32_t brick = 0;
    std::int32_t box = 0;
    if constexpr (boxes == StepBoxes::per_brick) brick = find_brick_index(medium, path.position);
    StepBrick<M::kBands> const& entry = find_step_brick<M::kBands>(steps, brick, path.band);
    if constexpr (boxes == StepBoxes::per_brick) box = static_cast<std::int32_t>(entry.box_and_g / kMaxBankedG);
    return {&entry, find_step_level<M::kSteps>(steps, path.position, path.direction, steps.boxes[box],
                                               entry.clearance_mm, entry.sigma_t)};
}

/// The scene's StepBoxes: the same for all paths.
template <class M>
VOLPT_HD bool has_single_box(LongStepsView const& steps)
{
    return M::kExtinction == Extinction::bare || M::kSteps == Steps::layers || steps.brick_count == 1;
}

template <class M>
VOLPT_HD StepRegion<M::kSteps, M::kBands> find_step_region(MediumView const& medium, LongStepsView const& steps,
                                                           PathState<M::kBands> const& path)
{
    if (has_single_box<M>(steps)) return find_step_region<M, StepBoxes::single>(medium, steps, path);
    return find_step_region<M, StepBoxes::per_brick>(medium, steps, path);
}

/// First level of a brick's g in a bank.
template <int bands>
VOLPT_HD std::uint32_t find_first_level(LongStepsView const& steps, StepBrick<bands> const& brick)
{
    return brick.box_and_g % kMaxBankedG * static_cast<std::uint32_t>(steps.bank.levels);
}

/// Index in the bank of the path's next outcome of `level`, counted over every g.
///
/// It is the generator's counter, which starts at random and grows by 1 per number drawn: a path repeats no outcome
/// before it has drawn as many numbers as a row has outcomes. The number that the step draws chooses a layer's node.
template <Steps kind>
VOLPT_HD std::uint32_t find_next_outcome(LongStepsView const& steps, std::uint32_t level, Vec3 direction, Rng rng)
{
    std::uint32_t const choice = rng.counter;
    if constexpr (kind == Steps::layers) {
        float const cosine = exact::min(1.0f, exact::abs(blend_axis(direction, steps.layer_axis)));
        std::uint32_t const bits = rng.draw();
        return find_layer_outcome(steps.bank, static_cast<std::int32_t>(level), choose_layer_node(cosine, bits),
                                  choice);
    } else {
        return find_outcome(steps.bank, level, choice);
    }
}

/// What a long step takes of its brick and region.
template <int bands>
struct StepLaw {
    float sigma_t;           ///< 1/mm
    float absorption[bands]; ///< -log albedo
    std::uint32_t level;     ///< of the sphere or layer
};

/// Where a long step leads: by `offset` times `length` mean free paths, in a new direction.
struct StepEnd {
    float length;
    Vec3 offset;
    Vec3 direction;
    float collisions;
};

/// `bits` are the number that the step draws.
template <Steps kind>
VOLPT_HD StepEnd find_step_end(LongStepsView const& steps, std::uint32_t level, Outcome const& outcome, Vec3 direction,
                               std::uint32_t bits)
{
    float const size = sphere_radius(static_cast<std::int32_t>(level));
    if constexpr (kind == Steps::layers) {
        LayerExit const exit = decode_layer_exit(outcome, 0u - (bits & 1u));
        LayerStep const step = place_layer_exit(direction, exit, size, steps.layer_axis);
        return {1.0f, step.offset, step.direction, exit.collisions};
    } else {
        SphereExit const exit = decode_exit(outcome);
        SphereStep const step = place_exit(direction, exit, bits);
        return {size, step.offset, step.direction, exit.collisions};
    }
}

/// Where `mask` is all ones, moves the path to where it leaves its sphere or layer, in a new direction, and multiplies
/// its throughput by the albedo once per collision. Draws one number; no branches. Returns the number of collisions
/// that the step stands for.
template <Steps kind, int bands>
VOLPT_HD float take_step(MediumView const& medium, LongStepsView const& steps, StepLaw<bands> const& law,
                         Outcome const& outcome, PathState<bands>& path, std::uint32_t mask)
{
    Rng rng = path.rng;
    std::uint32_t const bits = rng.draw();
    StepEnd const end = find_step_end<kind>(steps, law.level, outcome, path.direction, bits);
    // In range for exact::divide where a step is taken: a sphere of a mean free path or more fits into the volume.
    float const length_mm = exact::divide(end.length, exact::max(law.sigma_t, 1e-30f));
    Vec3 const moved = wrap_or_clamp(move_along(path.position, length_mm, end.offset * medium.inv_pitch),
                                     medium.size_voxels, steps.inv_period);
    path.position = {blend(mask, moved.x, path.position.x), blend(mask, moved.y, path.position.y),
                     blend(mask, moved.z, path.position.z)};
    path.direction = {blend(mask, end.direction.x, path.direction.x), blend(mask, end.direction.y, path.direction.y),
                      blend(mask, end.direction.z, path.direction.z)};
    path.rng = {blend_bits(mask, rng.a, path.rng.a), blend_bits(mask, rng.b, path.rng.b),
                blend_bits(mask, rng.c, path.rng.c), blend_bits(mask, rng.counter, path.rng.counter)};
    float const collisions = float_from_bits(bits_from_float(end.collisions) & mask);
    for (int b = 0; b < bands; ++b) path.throughput[b] *= exact::exp_neg(collisions * law.absorption[b]);
    return collisions;
}

/// The same with the outcome that is the path's next one in `region`.
template <Steps kind, int bands>
VOLPT_HD float take_step(MediumView const& medium, LongStepsView const& steps, StepRegion<kind, bands> const& region,
                         PathState<bands>& path, std::uint32_t mask)
{
    StepBrick<bands> const& brick = *region.brick;
    StepLaw<bands> law;
    law.sigma_t = brick.sigma_t;
    for (int b = 0; b < bands; ++b) law.absorption[b] = brick.absorption[b];
    law.level = static_cast<std::uint32_t>(region.level) & mask;
    std::uint32_t const at =
        find_next_outcome<kind>(steps, find_first_level(steps, brick) + law.level, path.direction, path.rng);
    return take_step<kind>(medium, steps, law, steps.bank.outcomes[static_cast<std::int32_t>(at)], path, mask);
}

/// All ones if a sphere or layer fits (level >= 0). Arithmetic instead of a condition: the compiler would move the
/// lookup of the outcome under the condition and not vectorise the loop over lanes.
VOLPT_HD std::uint32_t mask_if_fits(std::int32_t level)
{
    return ~static_cast<std::uint32_t>(level >> 31);
}

} // namespace volpt
