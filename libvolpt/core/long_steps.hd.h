// The walk inside the largest sphere of one material, taken at once: its outcome is drawn from a bank of such walks.
//
// J. Moon, B. Walter & S. Marschner, Rendering Discrete Random Media Using Precomputed Scattering Solutions (EGSR 2007);
// T. Mueller et al., Efficient Rendering of Heterogeneous Polydisperse Granular Media (SIGGRAPH Asia 2016); L. Leonard et al.,
// Learning Multiple-Scattering Solutions for Sphere-Tracing of Volumetric Subsurface Effects (Eurographics 2021).
#pragma once

#include "libvolpt/core/advance.hd.h"
#include "libvolpt/core/scatter.hd.h"

namespace volpt {

/// How a walk that started at a sphere's centre leaves it.
struct SphereExit {
    float place;      ///< cosine between where it started to and where it leaves, -1..1
    float normal;     ///< cosine between its new direction and the normal there, (0, 1]
    std::uint32_t azimuth; ///< of the new direction about the normal, from the meridian through `place`; 2^32 is a turn
    float collisions; ///< on the way
};

/// The same in eight bytes, as banks hold it.
struct Outcome {
    std::uint32_t places;     ///< place (low 16 bits: k is (k - 32767) 2^-15), normal (high 16: k is (k + 1) 2^-16)
    std::uint32_t collisions; ///< azimuth (low 12 bits, the middle of its step), collisions (high 20)
};

/// Collisions have 16 significant bits, rounded down: exact below 2^16. 0 is 0, other codes are one more than the float's
/// bits above 1, cut.
VOLPT_HD Outcome encode_exit(SphereExit const& exit)
{
    auto const place = static_cast<std::uint32_t>(larger(0.0f, fused_multiply_add(exit.place, 32768.0f, 32767.5f)));
    auto const normal = static_cast<std::uint32_t>(larger(0.0f, fused_multiply_add(exit.normal, 65536.0f, -0.5f)));
    std::uint32_t const size = exit.collisions > 0.0f ? ((bits_from_float(exit.collisions) - 0x3f800000u) >> 8) + 1u : 0u;
    std::uint32_t const low = place < 65535u ? place : 65535u;
    std::uint32_t const high = normal < 65535u ? normal : 65535u;
    return {low | high << 16, exit.azimuth >> 20 | size << 12};
}

VOLPT_HD SphereExit decode_exit(Outcome const& outcome)
{
    std::int32_t const place = static_cast<std::int32_t>(outcome.places & 0xffffu) - 32767;
    std::int32_t const normal = static_cast<std::int32_t>(outcome.places >> 16) + 1;
    std::uint32_t const size = outcome.collisions >> 12;
    float const collisions = float_from_bits(((size - 1u) << 8) + 0x3f800000u);
    return {static_cast<float>(place) * 0x1p-15f, static_cast<float>(normal) * 0x1p-16f,
            (outcome.collisions & 0xfffu) << 20 | 0x80000u, size != 0u ? collisions : 0.0f};
}

/// Where a walk ends that leaves a sphere about its start, with `turn` the azimuth of its meridian: the offset in radii and
/// the new direction.
struct SphereStep {
    Vec3 offset; ///< unit
    Vec3 direction;
};

VOLPT_HD SphereStep place_exit(Vec3 direction, SphereExit const& exit, std::uint32_t turn)
{
    Frame const frame = make_frame(direction);
    SineCosine const meridian = sine_cosine_of_phase(turn);
    SineCosine const azimuth = sine_cosine_of_phase(exit.azimuth);
    float const place_sine = square_root(larger(0.0f, fused_multiply_add(-exit.place, exit.place, 1.0f)));
    float const normal_sine = square_root(larger(0.0f, fused_multiply_add(-exit.normal, exit.normal, 1.0f)));
    Vec3 const across = move_along(meridian.cosine * frame.tangent, meridian.sine, frame.bitangent);
    Vec3 const aside = move_along(meridian.cosine * frame.bitangent, -meridian.sine, frame.tangent);
    Vec3 const offset = move_along(exit.place * direction, place_sine, across);
    Vec3 const down = move_along(exit.place * across, -place_sine, direction); // along the meridian, away from the start
    Vec3 const leaving = move_along(move_along(exit.normal * offset, normal_sine * azimuth.cosine, down),
                                    normal_sine * azimuth.sine, aside);
    return {offset, fused_multiply_add(-0.5f, dot(leaving, leaving), 1.5f) * leaving};
}

/// The largest level whose sphere fits into `radius` mean free paths: below 0 if none does, never above `most`.
VOLPT_HD std::int32_t find_level(float radius, std::int32_t most)
{
    std::int32_t const exponent = static_cast<std::int32_t>(bits_from_float(radius) >> 23) - 127;
    return smaller(exponent, most);
}

VOLPT_HD float sphere_radius(std::int32_t level)
{
    return float_from_bits(static_cast<std::uint32_t>(level + 127) << 23);
}

/// One step of at least this level is taken rather than its collisions, while banks are built.
inline constexpr std::int32_t kLeastBuildLevel = 2;

/// A walk from the centre of the sphere of `level` to its surface, through the smaller levels of `bank`, which are complete;
/// lengths in mean free paths. Plain where only small spheres fit.
VOLPT_HD Outcome make_outcome(BankView const& bank, std::int32_t level, float g, Rng rng)
{
    float const radius = sphere_radius(level);
    Vec3 position{0, 0, 0};
    Vec3 direction{0, 0, 1};
    float collisions = 0;
    for (;;) {
        float const distance = square_root(dot(position, position));
        std::int32_t const fits = find_level(larger(0.0f, radius - distance), level - 1);
        if (fits >= kLeastBuildLevel) {
            std::uint32_t const choice = rng.draw();
            std::uint32_t const turn = rng.draw();
            std::uint32_t const index = static_cast<std::uint32_t>(fits) << bank.log2_size | choice >> (32u - bank.log2_size);
            SphereExit const exit = decode_exit(bank.outcomes[index]);
            SphereStep const step = place_exit(direction, exit, turn);
            position = move_along(position, sphere_radius(fits), step.offset);
            direction = step.direction;
            collisions += exit.collisions;
            continue;
        }
        std::uint32_t const depth_bits = rng.draw();
        Vec3 const target = move_along(position, to_optical_depth(depth_bits), direction);
        if (dot(target, target) >= radius * radius) break;
        position = target;
        std::uint32_t const cosine_bits = rng.draw();
        std::uint32_t const azimuth_bits = rng.draw();
        direction = sample_hg(direction, g, cosine_bits, azimuth_bits);
        collisions += 1.0f;
    }
    // |position + t direction| = radius.
    float const along = dot(position, direction);
    float const rest = larger(0.0f, fused_multiply_add(along, along, radius * radius - dot(position, position)));
    Vec3 const place = (1.0f / radius) * move_along(position, square_root(rest) - along, direction);
    float const cosine = larger(-1.0f, smaller(1.0f, place.z));
    float const normal = larger(0.0f, smaller(1.0f, dot(place, direction)));
    // The direction's part across the normal, by the meridian (down) and beside it: their ratio is the azimuth's tangent.
    float const sine = square_root(larger(0.0f, 1.0f - cosine * cosine));
    float const down = fused_multiply_add(cosine, normal, -direction.z); // times sine
    float const aside = fused_multiply_add(place.x, direction.y, -place.y * direction.x); // times sine
    return encode_exit({cosine, normal, sine > 0.0f ? phase_of(down, aside) : rng.draw(), collisions});
}

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
    std::uint32_t taken;  ///< 1: the path has moved
    float collisions;     ///< that the step stands for
};

/// Takes a path that is inside, where `active_mask` is all ones, through the largest sphere about it in which nothing changes, if one is worth it: to the
/// sphere's surface, in a new direction, its throughput less by the albedo of every collision. Draws two numbers then, none
/// otherwise; no branches. Media of an albedo below 1/2 go their way collision by collision.
template <class M, Source albedo>
VOLPT_HD LongStep take_long_step(MediumView const& medium, LongStepsView const& steps, PathState<M::kBands>& path, std::uint32_t active_mask)
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
    std::int32_t const fits = find_level(larger(0.0f, clearance_mm * sigma_t), steps.bank.levels - 1);
    // A mask by arithmetic, not a choice: the compiler would move the lookup of the outcome under the choice, and the loop over
    // lanes would stay scalar. Each term is negative if the step is not to be.
    std::int32_t const room = fits - steps.least_level;
    std::int32_t const brightness = static_cast<std::int32_t>(bits_from_float(0.5f) - bits_from_float(largest_loss));
    std::uint32_t const mask = ~static_cast<std::uint32_t>((room | brightness) >> 31) & active_mask;
    std::uint32_t const level = static_cast<std::uint32_t>(fits) & mask;

    Rng rng = path.rng;
    std::uint32_t const choice = rng.draw();
    std::uint32_t const turn = rng.draw();
    std::uint32_t const at = (level << steps.bank.log2_size) + (choice >> (32u - steps.bank.log2_size));
    SphereExit const exit = decode_exit(steps.bank.outcomes[static_cast<std::int32_t>(at)]);
    SphereStep const step = place_exit(path.direction, exit, turn);
    float const length_mm = sphere_radius(static_cast<std::int32_t>(level)) / larger(sigma_t, 1e-30f);
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

/// The same for the scene's source of albedo: a branch that all paths take alike.
template <class M>
VOLPT_HD LongStep take_long_step(SceneView const& scene, PathState<M::kBands>& path)
{
    MediumView const& medium = scene.medium;
    LongStepsView const& steps = scene.long_steps;
    if (M::kExtinction == Extinction::bare || medium.albedo == Source::constant)
        return take_long_step<M, Source::constant>(medium, steps, path, 0xffffffffu);
    if (medium.albedo == Source::plane) return take_long_step<M, Source::plane>(medium, steps, path, 0xffffffffu);
    return take_long_step<M, Source::material>(medium, steps, path, 0xffffffffu);
}

} // namespace volpt
