// Outcomes of walks from the centre of a sphere of one material to its surface, and the radii that banks have.
//
// J. Moon, B. Walter & S. Marschner, Rendering Discrete Random Media Using Precomputed Scattering Solutions (EGSR
// 2007); T. Mueller et al., Efficient Rendering of Heterogeneous Polydisperse Granular Media (SIGGRAPH Asia 2016); L.
// Leonard et al., Learning Multiple-Scattering Solutions for Sphere-Tracing of Volumetric Subsurface Effects
// (Eurographics 2021).
#pragma once

#include "libvolpt/core/phase_function.hd.h"
#include "libvolpt/core/scene_view.hd.h"

namespace volpt {

/// How a walk that started at a sphere's centre leaves it.
struct SphereExit {
    float place;           ///< cosine between the initial direction and the exit point as seen from the centre, -1..1
    float normal;          ///< cosine between its new direction and the normal there, (0, 1]
    std::uint32_t azimuth; ///< of the new direction about the normal, from the meridian through `place`; 2^32 is a turn
    float collisions;      ///< on the way
};

/// An end of a walk as banks hold it, of a sphere (encode_exit) or of a layer (encode_layer_exit).
struct Outcome {
    std::uint32_t places;
    std::uint32_t collisions;
};

/// In `places`: place (low 16 bits: k is (k - 32767) 2^-15), normal (high 16: k is (k + 1) 2^-16); in `collisions`:
/// azimuth (low 12 bits, the middle of its step), collisions (high 20).
///
/// Collisions have 16 significant bits, rounded down: exact below 2^16. 0 is 0, other codes are one more than the
/// float's bits above 1, cut.
VOLPT_HD Outcome encode_exit(SphereExit const& exit)
{
    auto const place = static_cast<std::uint32_t>(exact::max(0.0f, exact::fma(exit.place, 32768.0f, 32767.5f)));
    auto const normal = static_cast<std::uint32_t>(exact::max(0.0f, exact::fma(exit.normal, 65536.0f, -0.5f)));
    std::uint32_t const size =
        exit.collisions > 0.0f ? ((bits_from_float(exit.collisions) - 0x3f800000u) >> 8) + 1u : 0u;
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

/// The end of a walk that left a sphere about its start: offset in radii, and new direction.
struct SphereStep {
    Vec3 offset; ///< unit
    Vec3 direction;
};

/// `meridian_turns` is the azimuth of the exit point about `direction`, in units of 2^-32 turns.
VOLPT_HD SphereStep place_exit(Vec3 direction, SphereExit const& exit, std::uint32_t meridian_turns)
{
    Frame const frame = make_frame(direction);
    exact::SinCos const meridian = exact::sincos_turns(meridian_turns);
    exact::SinCos const azimuth = exact::sincos_turns(exit.azimuth);
    float const place_sine = exact::sqrt(exact::max(0.0f, exact::fma(-exit.place, exit.place, 1.0f)));
    float const normal_sine = exact::sqrt(exact::max(0.0f, exact::fma(-exit.normal, exit.normal, 1.0f)));
    Vec3 const across = move_along(meridian.cosine * frame.tangent, meridian.sine, frame.bitangent);
    Vec3 const aside = move_along(meridian.cosine * frame.bitangent, -meridian.sine, frame.tangent);
    Vec3 const offset = move_along(exit.place * direction, place_sine, across);
    Vec3 const down =
        move_along(exit.place * across, -place_sine, direction); // along the meridian, away from the start
    Vec3 const leaving = move_along(move_along(exit.normal * offset, normal_sine * azimuth.cosine, down),
                                    normal_sine * azimuth.sine, aside);
    return {offset, exact::fma(-0.5f, dot(leaving, leaving), 1.5f) * leaving};
}

/// Spheres of level 0, 1, .. have radii of 1, 5/4, 3/2, 7/4, 2, 5/2, .. mean free paths: a float's exponent and the two
/// highest bits of its mantissa. Smaller spheres cost more than they save: from 1/2 mean free path on, a path in a
/// printed colour wheel has 16.2 flights and 7.0 long steps instead of 17.2 and 5.9. More levels per octave give longer
/// steps and larger banks: 27.8 events per path in a thick slab, 30.1 with two levels per octave, 34.2 with one.
inline constexpr std::uint32_t kLevelShift = 21;
inline constexpr std::int32_t kLevelsInOctave = 4;
inline constexpr std::int32_t kFirstLevelCode = 127 << 2;

/// The largest level whose sphere fits into `radius` >= 0 mean free paths, at most `most`; negative if none fits.
VOLPT_HD std::int32_t find_level(float radius, std::int32_t most)
{
    return exact::min(static_cast<std::int32_t>(bits_from_float(radius) >> kLevelShift) - kFirstLevelCode, most);
}

VOLPT_HD float sphere_radius(std::int32_t level)
{
    return float_from_bits(static_cast<std::uint32_t>(level + kFirstLevelCode) << kLevelShift);
}

/// log2 of the outcomes per level: a bank of all levels fits into a GPU's cache.
inline constexpr std::uint32_t kBankLog2Size = 14;
/// Spheres of up to 1024 mean free paths.
inline constexpr std::int32_t kMaxLevels = 10 * kLevelsInOctave + 1;
/// Layers of up to 256 mean free paths.
inline constexpr std::int32_t kMaxLayerLevels = 8 * kLevelsInOctave + 1;
/// Entry cosines that banks of layers have outcomes of, equally spaced from 0 to 1. The reflectance of white slabs (g
/// -0.5 to 0.4) is wrong by up to 1.7e-5 with 17, 6.5e-5 with 9 (bench/layer_bias.py).
inline constexpr std::uint32_t kLayerNodes = 17;
/// Samples (of all pixels) that share a bank; later samples use other banks, so that the banks' error falls with the
/// number of samples.
inline constexpr std::uint32_t kBankSamples = 64;

/// Raised when outcomes change, so that banks of before, in files, are not taken for those of now.
inline constexpr std::uint32_t kBankVersion = 1;

/// The bank of sample number `sample`.
VOLPT_HD std::uint32_t bank_of_sample(std::uint64_t sample)
{
    return static_cast<std::uint32_t>(sample / kBankSamples);
}

/// Rows of 2^log2_size outcomes that a level of a bank has: one, or one per entry cosine.
VOLPT_HD std::uint32_t count_level_rows(Steps kind)
{
    return kind == Steps::layers ? kLayerNodes : 1u;
}

/// Outcomes of one level of a bank, of one g.
VOLPT_HD std::uint32_t count_level_outcomes(LongStepsView const& steps)
{
    return count_level_rows(steps.kind) << steps.bank.log2_size;
}

/// Outcomes of one bank of the scene, over every g and level.
VOLPT_HD std::uint32_t count_outcomes(LongStepsView const& steps)
{
    return steps.g_count * static_cast<std::uint32_t>(steps.bank.levels) * count_level_outcomes(steps);
}

/// Index in the bank of the outcome `choice`, modulo the bank's size, of `level`.
VOLPT_HD std::uint32_t find_outcome(BankView const& bank, std::uint32_t level, std::uint32_t choice)
{
    return (level << bank.log2_size) + (choice & ((1u << bank.log2_size) - 1u));
}

} // namespace volpt
