// The walk inside the largest sphere of one material, taken at once: its outcome is drawn from a bank of such walks.
#pragma once

#include "libvolpt/core/advance.hd.h"
#include "libvolpt/core/outcome.hd.h"
#include "libvolpt/core/scatter.hd.h"

namespace volpt {

/// The brick that holds `position`.
VOLPT_HD std::int32_t name_brick(MediumView const& medium, Vec3 position)
{
    auto const along = [](float p, std::int32_t bricks) {
        return exact::max(std::int32_t{0}, exact::min(static_cast<std::int32_t>(p * (1.0f / kBrickEdge)), bricks - 1));
    };
    std::int32_t const y = along(position.y, medium.brick_counts[1]);
    return (along(position.z, medium.brick_counts[2]) * medium.brick_counts[1] + y) * medium.brick_counts[0] +
           along(position.x, medium.brick_counts[0]);
}

/// Distance in mm from `position` (voxels) to the nearest side of `box`; negative outside.
VOLPT_HD float measure_depth_mm(Vec3 position, StepBox const& box, Vec3 pitch_mm)
{
    Vec3 const low = (position - box.low) * pitch_mm;
    Vec3 const high = (box.high - position) * pitch_mm;
    return exact::min(exact::min(exact::min(low.x, high.x), exact::min(low.y, high.y)), exact::min(low.z, high.z));
}

/// `p` between 0 and `size` by whole sizes where `wraps` is 1, else clamped to them.
VOLPT_HD float bring_back(float p, float size, float wraps)
{
    float const sizes = wraps * (p / size);
    float const rounded = (sizes + 0x1.8p23f) - 0x1.8p23f; // as in to_fixed_point; truncation would not vectorise
    float const whole = rounded > sizes ? rounded - 1.0f : rounded;
    return exact::max(0.0f, exact::min(exact::fma(-whole, size, p), size));
}

/// `if_set` where the mask's bits are set, `if_clear` elsewhere.
VOLPT_HD float blend(std::uint32_t mask, float if_set, float if_clear)
{
    return float_from_bits(blend_bits(mask, bits_from_float(if_set), bits_from_float(if_clear)));
}

template <int bands>
VOLPT_HD StepBrick<bands> const& find_step_brick(LongStepsView const& steps, std::int32_t brick, std::uint32_t band)
{
    if constexpr (bands > 1)
        return steps.bricks_of_three[brick];
    else
        return steps.bricks_of_band[static_cast<std::int32_t>(band) * steps.brick_count + brick];
}

/// Where a path stands, and the largest sphere about it in which nothing changes.
template <int bands>
struct StepRoom {
    StepBrick<bands> const* brick;
    std::int32_t level; ///< negative: not even the smallest
};

/// Whether each brick has its entry, or one box alone has room.
enum class Rooms : std::uint32_t { of_bricks = 0, of_one_box = 1 };

template <class M, Rooms rooms>
VOLPT_HD StepRoom<M::kBands> find_step_room(MediumView const& medium, LongStepsView const& steps,
                                            PathState<M::kBands> const& path)
{
    std::int32_t brick = 0;
    std::int32_t box = 0;
    if constexpr (rooms == Rooms::of_bricks) brick = name_brick(medium, path.position);
    StepBrick<M::kBands> const& entry = find_step_brick<M::kBands>(steps, brick, path.band);
    if constexpr (rooms == Rooms::of_bricks) box = static_cast<std::int32_t>(entry.box_and_g / kMostBankedG);
    float const room_mm =
        exact::max(measure_depth_mm(path.position, steps.boxes[box], steps.pitch_mm), entry.clearance_mm);
    return {&entry, find_level(exact::max(0.0f, room_mm * entry.sigma_t), steps.bank.levels - 1)};
}

/// The scene's rooms: the same for all paths.
template <class M>
VOLPT_HD bool has_one_room(LongStepsView const& steps)
{
    return M::kExtinction == Extinction::bare || steps.brick_count == 1;
}

template <class M>
VOLPT_HD StepRoom<M::kBands> find_step_room(MediumView const& medium, LongStepsView const& steps,
                                            PathState<M::kBands> const& path)
{
    if (has_one_room<M>(steps)) return find_step_room<M, Rooms::of_one_box>(medium, steps, path);
    return find_step_room<M, Rooms::of_bricks>(medium, steps, path);
}

/// Takes the path through the sphere of `room` where `mask` is all ones: to its surface, in a new direction, its
/// throughput less by the albedo of every collision. Draws one number; no branches. Returns the collisions that the
/// step stands for.
///
/// No path takes an outcome twice before it has drawn as many numbers as a level has outcomes: its choice is the
/// generator's counter, which starts at random and grows with every number.
template <int bands>
VOLPT_HD float take_step(MediumView const& medium, LongStepsView const& steps, StepRoom<bands> const& room,
                         PathState<bands>& path, std::uint32_t mask)
{
    StepBrick<bands> const& brick = *room.brick;
    std::uint32_t const level = static_cast<std::uint32_t>(room.level) & mask;
    Rng rng = path.rng;
    std::uint32_t const g_rows = brick.box_and_g % kMostBankedG * static_cast<std::uint32_t>(steps.bank.levels);
    std::uint32_t const at = find_outcome(steps.bank, g_rows + level, rng.counter);
    std::uint32_t const turn = rng.draw();
    SphereExit const exit = decode_exit(steps.bank.outcomes[static_cast<std::int32_t>(at)]);
    SphereStep const step = place_exit(path.direction, exit, turn);
    float const length_mm = sphere_radius(static_cast<std::int32_t>(level)) / exact::max(brick.sigma_t, 1e-30f);
    Vec3 const moved = move_along(path.position, length_mm, step.offset * medium.inv_pitch);
    Vec3 const size = medium.size_voxels;
    path.position = {blend(mask, bring_back(moved.x, size.x, steps.wraps.x), path.position.x),
                     blend(mask, bring_back(moved.y, size.y, steps.wraps.y), path.position.y),
                     blend(mask, bring_back(moved.z, size.z, steps.wraps.z), path.position.z)};
    path.direction = {blend(mask, step.direction.x, path.direction.x), blend(mask, step.direction.y, path.direction.y),
                      blend(mask, step.direction.z, path.direction.z)};
    path.rng = {blend_bits(mask, rng.a, path.rng.a), blend_bits(mask, rng.b, path.rng.b),
                blend_bits(mask, rng.c, path.rng.c), blend_bits(mask, rng.counter, path.rng.counter)};
    float const collisions = float_from_bits(bits_from_float(exit.collisions) & mask);
    for (int b = 0; b < bands; ++b) path.throughput[b] *= exact::exp_neg(collisions * brick.absorption[b]);
    return collisions;
}

/// All ones if there is room: by arithmetic, not a choice, under which the compiler would move the lookup of the
/// outcome, and loops over lanes would stay scalar.
VOLPT_HD std::uint32_t mask_room(std::int32_t level)
{
    return ~static_cast<std::uint32_t>(level >> 31);
}

} // namespace volpt
