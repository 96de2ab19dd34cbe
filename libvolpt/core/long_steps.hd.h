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
        return larger(std::int32_t{0}, smaller(static_cast<std::int32_t>(p * (1.0f / kBrickEdge)), bricks - 1));
    };
    std::int32_t const y = along(position.y, medium.brick_counts[1]);
    return (along(position.z, medium.brick_counts[2]) * medium.brick_counts[1] + y) * medium.brick_counts[0] +
           along(position.x, medium.brick_counts[0]);
}

/// Distance in mm from `position` (voxels) to the nearest face that is no seam.
VOLPT_HD float measure_face_distance(Vec3 position, Vec3 size, LongStepsView const& steps)
{
    Vec3 const low = position * steps.pitch_mm + steps.beyond_mm;
    Vec3 const high = (size - position) * steps.pitch_mm + steps.beyond_mm;
    return smaller(smaller(smaller(low.x, high.x), smaller(low.y, high.y)), smaller(low.z, high.z));
}

/// `p` between 0 and `size` by whole sizes where `wraps` is 1, else clamped to them.
VOLPT_HD float bring_back(float p, float size, float wraps)
{
    float const sizes = wraps * (p / size);
    float const rounded = (sizes + 0x1.8p23f) - 0x1.8p23f; // as in to_fixed_point; truncation would not vectorise
    float const whole = rounded > sizes ? rounded - 1.0f : rounded;
    return larger(0.0f, smaller(fused_multiply_add(-whole, size, p), size));
}

/// `if_set` where the mask's bits are set, `if_clear` elsewhere.
VOLPT_HD float blend(std::uint32_t mask, float if_set, float if_clear)
{
    return float_from_bits(blend_bits(mask, bits_from_float(if_set), bits_from_float(if_clear)));
}

struct LongStep {
    std::uint32_t taken; ///< 1: the path has moved
    float collisions;    ///< that the step stands for
};

/// Where a material's bank begins, in outcomes; negative if it has none.
template <Turn kind>
VOLPT_HD std::int32_t find_bank(MediumView const& medium, LongStepsView const& steps, VoxelRef voxel)
{
    if constexpr (kind == Turn::material_g) return steps.bank_offsets[read_label(medium.label, voxel)];
    return 0;
}

/// Takes a path that is inside, where `active_mask` is all ones, through the largest sphere about it in which nothing changes: to
/// the sphere's surface, in a new direction, its throughput less by the albedo of every collision. Draws one number then, none
/// where not even the smallest sphere fits; no branches. No path takes an outcome twice before it has drawn as many numbers as a
/// level has outcomes: its choice is the generator's counter, which starts at random and grows with every number. Materials of an
/// albedo below 1/2 go their way collision by collision.
template <class M, Source albedo, Turn banks>
VOLPT_HD LongStep take_long_step(MediumView const& medium, LongStepsView const& steps, PathState<M::kBands>& path,
                                 std::uint32_t active_mask)
{
    constexpr bool varies = M::kExtinction != Extinction::bare;
    VoxelRef voxel; // of a constant brick, any one answers
    if constexpr (varies) voxel.brick = name_brick(medium, path.position);
    std::int32_t const band = M::kBands > 1 ? 0 : static_cast<std::int32_t>(path.band);
    float sigma_t = medium.majorant[band];
    if constexpr (M::kExtinction == Extinction::density || M::kExtinction == Extinction::label)
        sigma_t = read_sigma_t<M>(medium, voxel, static_cast<std::uint32_t>(band));
    float clearance_mm = measure_face_distance(path.position, medium.size_voxels, steps);
    if constexpr (varies) clearance_mm = smaller(clearance_mm, steps.clearance_mm[voxel.brick]);
    float losses[M::kBands];
    float largest_loss = 0.0f;
    for (int b = 0; b < M::kBands; ++b) {
        losses[b] = read_one_minus_albedo<albedo>(medium, voxel, M::kBands > 1 ? static_cast<std::uint32_t>(b) : path.band);
        largest_loss = larger(largest_loss, losses[b]);
    }
    std::int32_t const level = find_level(larger(0.0f, clearance_mm * sigma_t), steps.bank.levels - 1);
    std::int32_t const bank = find_bank<banks>(medium, steps, voxel);
    // A mask by arithmetic, not a choice: the compiler would move the lookup of the outcome under the choice, and the loop over
    // lanes would stay scalar. Each term is negative if the step is not to be.
    std::int32_t const brightness = static_cast<std::int32_t>(bits_from_float(0.5f) - bits_from_float(largest_loss));
    std::uint32_t const mask = ~static_cast<std::uint32_t>((level | brightness | bank) >> 31) & active_mask;
    std::uint32_t const row = static_cast<std::uint32_t>(level) & mask;

    Rng rng = path.rng;
    std::uint32_t const at = (static_cast<std::uint32_t>(bank) & mask) + find_outcome(steps.bank, row, rng.counter);
    std::uint32_t const turn = rng.draw();
    SphereExit const exit = decode_exit(steps.bank.outcomes[static_cast<std::int32_t>(at)]);
    SphereStep const step = place_exit(path.direction, exit, turn);
    float const length_mm = sphere_radius(static_cast<std::int32_t>(row)) / larger(sigma_t, 1e-30f);
    Vec3 const moved = move_along(path.position, length_mm, step.offset * medium.inv_pitch);
    Vec3 const size = medium.size_voxels;
    path.position = {blend(mask, bring_back(moved.x, size.x, steps.wraps.x), path.position.x),
                     blend(mask, bring_back(moved.y, size.y, steps.wraps.y), path.position.y),
                     blend(mask, bring_back(moved.z, size.z, steps.wraps.z), path.position.z)};
    path.direction = {blend(mask, step.direction.x, path.direction.x), blend(mask, step.direction.y, path.direction.y),
                      blend(mask, step.direction.z, path.direction.z)};
    path.rng = {blend_bits(mask, rng.a, path.rng.a), blend_bits(mask, rng.b, path.rng.b), blend_bits(mask, rng.c, path.rng.c),
                blend_bits(mask, rng.counter, path.rng.counter)};
    float const collisions = float_from_bits(bits_from_float(exit.collisions) & mask);
    for (int b = 0; b < M::kBands; ++b)
        path.throughput[b] *= exponential_of_negative(collisions * negative_log_of_rest(smaller(losses[b], 0.5f)));
    return {mask & 1u, collisions};
}

/// Calls `run` with the source of albedo and the kind of banks as template arguments: branches that all paths take alike.
template <class M, class Run>
VOLPT_HD auto with_step_sources(MediumView const& medium, LongStepsView const& steps, Run&& run)
{
    if constexpr (M::kExtinction == Extinction::bare) {
        return run.template operator()<Source::constant, Turn::constant_g>();
    } else {
        bool const several = steps.bank_offsets != nullptr;
        if (medium.albedo == Source::constant)
            return several ? run.template operator()<Source::constant, Turn::material_g>()
                           : run.template operator()<Source::constant, Turn::constant_g>();
        if (medium.albedo == Source::plane)
            return several ? run.template operator()<Source::plane, Turn::material_g>()
                           : run.template operator()<Source::plane, Turn::constant_g>();
        return several ? run.template operator()<Source::material, Turn::material_g>()
                       : run.template operator()<Source::material, Turn::constant_g>();
    }
}

} // namespace volpt
