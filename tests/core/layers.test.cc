// Outcomes of layers: eight bytes, where they take a path, and their law against direct walks in double precision and a
// slab by adding-doubling.
#include "libvolpt/core/boundary/microsurface.hd.h"
#include "libvolpt/core/layers/make_layer_outcome.hd.h"
#include "tests/core/random_vectors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace volpt::test {
namespace {

LayerExit store_layer_exit(LayerExit const& exit, std::uint32_t rounding_bits = 0)
{
    return decode_layer_exit(encode_layer_exit(exit, rounding_bits), 0);
}

TEST(LayerOutcome, KeepsAnExitToHalfAStep)
{
    RandomVectors random(5);
    for (int i = 0; i < 100000; ++i) {
        float const cosine = random.uniform_float(0, 1), offset = std::exp2(random.uniform_float(-14, 16));
        std::uint32_t const through = random.bits() & 1u, offset_azimuth = random.bits() >> 1, azimuth = random.bits();
        LayerExit const kept = store_layer_exit({cosine, through, offset, offset_azimuth, azimuth, 0});
        ASSERT_NEAR(kept.cosine, cosine, cosine < 0x1p-16f ? 0x1p-15 : 0x1.01p-16);
        ASSERT_GT(kept.cosine, 0.0f) << "a walk that leaves moves outwards";
        ASSERT_EQ(kept.through, through);
        ASSERT_NEAR(kept.offset, offset, 0x1p-12 * static_cast<double>(offset));
        ASSERT_LE(std::abs(static_cast<std::int32_t>(kept.offset_azimuth - offset_azimuth)), 1 << 21);
        ASSERT_LE(std::abs(static_cast<std::int32_t>(kept.azimuth - azimuth)), 1 << 21);
        ASSERT_EQ(kept.collisions, 0.0f);
    }
    EXPECT_EQ(store_layer_exit({1, 0, 0, 0, 0, 0}).cosine, 1.0f) << "straight through stays straight";
    EXPECT_EQ(store_layer_exit({1, 1, 1e30f, 0, 0, 0}).through, 1u);
}

TEST(LayerOutcome, CollisionsAreExactBelow512AndRightOnAverageAbove)
{
    for (int i = 0; i < 512; ++i)
        ASSERT_EQ(store_layer_exit({1, 0, 0, 0, 0, static_cast<float>(i)}, 0xffffffffu).collisions,
                  static_cast<float>(i));
    for (float const collisions : {513.0f, 1023.0f, 70001.0f, 1.2345e6f}) {
        double sum = 0;
        for (std::uint32_t bits = 0; bits < 0x8000u; ++bits)
            sum += static_cast<double>(store_layer_exit({1, 0, 0, 0, 0, collisions}, bits).collisions);
        EXPECT_DOUBLE_EQ(sum / 0x8000, static_cast<double>(collisions));
    }
}

TEST(LayerOutcome, MirrorImagesAreStoredOnce)
{
    LayerExit const exit{0.5f, 1, 3, 0x30000000u, 0xd0000000u, 7};
    LayerExit const image{0.5f, 1, 3, ~0x30000000u, ~0xd0000000u, 7};
    Outcome const a = encode_layer_exit(exit, 0), b = encode_layer_exit(image, 0);
    EXPECT_EQ(a.places, b.places);
    EXPECT_EQ(a.collisions, b.collisions);
    EXPECT_EQ(decode_layer_exit(a, ~0u).offset_azimuth, ~decode_layer_exit(a, 0).offset_azimuth);
    EXPECT_EQ(decode_layer_exit(a, ~0u).azimuth, ~decode_layer_exit(a, 0).azimuth);
}

TEST(PlaceLayerExit, TurnsAboutTheNormalFromThePlaneOfIncidence)
{
    RandomVectors random(6);
    for (int i = 0; i < 30000; ++i) {
        Vec3 const direction = random.direction();
        int const axis = i % 3;
        LayerExit const exit{random.uniform_float(0.01, 1), random.bits() & 1u, 2.5f, random.bits(), random.bits(), 0};
        LayerStep const step = place_layer_exit(direction, exit, 8.0f, axis);
        float const entry = get_axis(direction, axis);
        float const ahead = entry > 0 ? 1.0f : -1.0f;
        ASSERT_EQ(get_axis(step.offset, axis), exit.through != 0u ? 8 * ahead : 0.0f);
        ASSERT_EQ(get_axis(step.direction, axis), exit.through != 0u ? ahead * exit.cosine : -ahead * exit.cosine);
        ASSERT_NEAR(length(step.direction), 1, 1e-6);
        Vec3 const along = with_axis(step.offset, axis, 0);
        ASSERT_NEAR(length(along), 2.5, 1e-5);
        double const turn = static_cast<double>(exit.offset_azimuth) * 0x1p-31 * std::numbers::pi;
        double const sine = std::sqrt(1 - static_cast<double>(entry) * static_cast<double>(entry));
        ASSERT_NEAR(dot_double(along, direction), 2.5 * sine * std::cos(turn), 1e-4);
        // Offset and direction turn the same way.
        double const between = static_cast<double>(exit.azimuth - exit.offset_azimuth) * 0x1p-31 * std::numbers::pi;
        double const exit_sine = std::sqrt(1 - static_cast<double>(exit.cosine) * static_cast<double>(exit.cosine));
        ASSERT_NEAR(dot_double(along, step.direction), 2.5 * exit_sine * std::cos(between), 1e-4);
    }
}

TEST(PlaceLayerExit, AcceptsAPathAlongTheNormal)
{
    for (int axis = 0; axis < 3; ++axis) {
        LayerStep const step = place_layer_exit(with_axis({}, axis, -1), {0.6f, 0, 2, 0, 0, 0}, 4, axis);
        EXPECT_NEAR(length(step.direction), 1, 1e-6);
        EXPECT_NEAR(get_axis(step.direction, axis), 0.6, 1e-6) << "back to where it came from";
        EXPECT_NEAR(length(step.offset), 2, 1e-6);
    }
}

TEST(ChooseLayerNode, InterpolatesLinearly)
{
    for (float const cosine : {0.0f, 0.01f, 0.3f, 0.5f, 0.77f, 0.999f, 1.0f}) {
        double sum = 0;
        constexpr std::uint32_t kDraws = 1 << 16;
        for (std::uint32_t i = 0; i < kDraws; ++i) {
            std::uint32_t const node = choose_layer_node(cosine, i << 16);
            ASSERT_LT(std::abs(static_cast<double>(node) - 16 * static_cast<double>(cosine)), 1.0);
            ASSERT_LT(node, kLayerNodes);
            sum += node;
        }
        EXPECT_NEAR(sum / kDraws / 16, cosine, 1e-5);
    }
}

/// A bank up to `top`.
std::vector<Outcome> make_layer_bank(std::int32_t top, std::uint32_t log2_size, float g, std::uint32_t number)
{
    std::vector<Outcome> outcomes((static_cast<std::size_t>(top) + 1) * kLayerNodes << log2_size);
    BankView const bank{outcomes.data(), log2_size, top + 1};
    for (std::int32_t level = 0; level <= top; ++level)
        for (std::uint32_t node = 0; node < kLayerNodes; ++node)
            for (std::uint32_t i = 0; i < 1u << log2_size; ++i)
                outcomes[find_layer_outcome(bank, level, node, i)] =
                    make_bank_layer_outcome(bank, 5, number, 0, g, level, node, i);
    return outcomes;
}

/// What tells of a walk through a layer: whether it leaves at the far side, its cosine there, collisions (their
/// logarithm), offset and change of direction along the plane of incidence.
using LayerFacts = std::array<double, 6>;

LayerFacts walk_layer_directly(RandomVectors& random, double thickness, double entry, double g)
{
    DoubleVec p{0, 0, 0}, d{std::sqrt(1 - entry * entry), 0, entry};
    for (double collisions = 0;; ++collisions) {
        double const depth = -std::log(1 - random.uniform(0, 1));
        double const z = p.z + depth * d.z;
        if (z < 0 || z > thickness) {
            double const way = ((z < 0 ? 0 : thickness) - p.z) / d.z;
            double const x = p.x + way * d.x, y = p.y + way * d.y;
            return {z < 0 ? 0.0 : 1.0, std::abs(d.z), std::log(1 + collisions), x, std::sqrt(x * x + y * y), d.x};
        }
        p = {p.x + depth * d.x, p.y + depth * d.y, z};
        double const fraction = (1 - g * g) / (1 - g + 2 * g * random.uniform(0, 1));
        double const cosine = (1 + g * g - fraction * fraction) / (2 * g), sine = std::sqrt(1 - cosine * cosine);
        double const azimuth = random.uniform(0, 2 * std::numbers::pi);
        // Across d: any two directions.
        double const flat = std::sqrt(std::max(1e-30, 1 - d.z * d.z));
        DoubleVec const s = flat > 1e-8 ? DoubleVec{-d.y / flat, d.x / flat, 0} : DoubleVec{1, 0, 0};
        DoubleVec const t{d.y * s.z - d.z * s.y, d.z * s.x - d.x * s.z, d.x * s.y - d.y * s.x};
        double const a = sine * std::cos(azimuth), b = sine * std::sin(azimuth);
        d = {cosine * d.x + a * s.x + b * t.x, cosine * d.y + a * s.y + b * t.y, cosine * d.z + a * s.z + b * t.z};
        double const inverse = 1 / std::sqrt(dot(d, d));
        d = {d.x * inverse, d.y * inverse, d.z * inverse};
    }
}

LayerFacts read_layer_outcome(Outcome const& outcome, float thickness, float entry, std::uint32_t mirror)
{
    LayerExit const exit = decode_layer_exit(outcome, mirror);
    LayerStep const step = place_layer_exit({std::sqrt(1 - entry * entry), 0, entry}, exit, thickness, 2);
    return {static_cast<double>(exit.through),
            static_cast<double>(std::abs(step.direction.z)),
            std::log(1 + static_cast<double>(exit.collisions)),
            static_cast<double>(step.offset.x),
            static_cast<double>(exit.offset),
            static_cast<double>(step.direction.x)};
}

struct LayerMoments {
    LayerFacts sum{}, squares{};
    double count = 0;

    void add(LayerFacts const& facts)
    {
        for (std::size_t k = 0; k < facts.size(); ++k) {
            sum[k] += facts[k];
            squares[k] += facts[k] * facts[k];
        }
        count += 1;
    }
    double mean(std::size_t k) const { return sum[k] / count; }
    double error2(std::size_t k) const { return (squares[k] / count - mean(k) * mean(k)) / count; }
};

TEST(MakeLayerOutcome, ThinAndComposedLayersAgreeWithDirectWalks)
{
    constexpr std::uint32_t kLog2Size = 12;
    constexpr std::int32_t kComposed = kMinComposedLayer + kLevelsInOctave; // 16 mean free paths
    for (float const g : {-0.5f, 0.4f, 0.9f}) {
        auto const outcomes = make_layer_bank(kComposed, kLog2Size, g, 0);
        BankView const bank{outcomes.data(), kLog2Size, kComposed + 1};
        for (std::int32_t const level : {0, 6, kComposed})
            for (std::uint32_t const node : {0u, 3u, 11u, 16u}) {
                RandomVectors random(9);
                LayerMoments direct, made;
                float const entry = static_cast<float>(node) / 16, thickness = sphere_radius(level);
                for (std::uint32_t i = 0; i < 1u << kLog2Size; ++i) {
                    direct.add(walk_layer_directly(random, static_cast<double>(thickness), static_cast<double>(entry),
                                                   static_cast<double>(g)));
                    made.add(read_layer_outcome(outcomes[find_layer_outcome(bank, level, node, i)], thickness, entry,
                                                0u - (i & 1u)));
                }
                for (std::size_t k = 0; k < LayerFacts{}.size(); ++k)
                    EXPECT_LT(std::abs(made.mean(k) - direct.mean(k)),
                              4.5 * std::sqrt(made.error2(k) + direct.error2(k)) + 1e-9)
                        << "g " << g << ", level " << level << ", node " << node << ", fact " << k;
            }
    }
}

/// Reflectance, in light from all sides, of a slab that is the layer of `level`, between smooth faces of IOR 1.5: the
/// exact expectation of a path that takes outcomes of this bank.
double expect_slab_reflectance(BankView const& bank, std::int32_t level, double albedo)
{
    constexpr std::size_t kNodes = kLayerNodes;
    auto const reflect = [](double cosine, float eta) {
        return static_cast<double>(compute_fresnel(static_cast<float>(cosine), eta).reflectance);
    };
    // Of a path that enters at a node: `leaves` through this or the other face, or `returns` to a node at one of them.
    std::vector<double> returns(kNodes * 2 * kNodes), leaves(2 * kNodes), escapes(2 * kNodes, 0.9);
    for (std::uint32_t node = 0; node < kLayerNodes; ++node)
        for (std::uint32_t i = 0; i < 1u << bank.log2_size; ++i) {
            LayerExit const exit = decode_layer_exit(bank.outcomes[find_layer_outcome(bank, level, node, i)], 0);
            double const cosine = static_cast<double>(exit.cosine), inside = reflect(cosine, 1 / 1.5f);
            double const weight = std::pow(albedo, static_cast<double>(exit.collisions)) / (1u << bank.log2_size);
            auto const low = std::min(kNodes - 2, static_cast<std::size_t>(16 * cosine));
            double const share = 16 * cosine - static_cast<double>(low);
            leaves[exit.through * kNodes + node] += weight * (1 - inside);
            double* const row = &returns[node * 2 * kNodes + exit.through * kNodes + low];
            row[0] += weight * inside * (1 - share);
            row[1] += weight * inside * share;
        }
    for (int round = 0; round < 200; ++round) {
        std::vector<double> next = leaves;
        for (std::size_t k = 0; k < 2 * kNodes; ++k)
            for (std::size_t j = 0; j < 2 * kNodes; ++j)
                next[k] += returns[k % kNodes * 2 * kNodes + j] * escapes[(j + k / kNodes * kNodes) % (2 * kNodes)];
        escapes = next;
    }
    double sum = 0;
    constexpr int kCosines = 200;
    for (int i = 0; i < kCosines; ++i) {
        double const cosine2 = (i + 0.5) / kCosines, outside = reflect(std::sqrt(cosine2), 1.5f);
        double const place = 16 * std::sqrt(1 - (1 - cosine2) / 2.25);
        auto const low = std::min(kNodes - 2, static_cast<std::size_t>(place));
        double const share = place - static_cast<double>(low);
        sum += outside + (1 - outside) * (escapes[low] * (1 - share) + escapes[low + 1] * share);
    }
    return sum / kCosines;
}

TEST(MakeLayerOutcome, SlabReflectanceIsThatOfAddingDoubling)
{
    constexpr std::int32_t kLevel = 6 * kLevelsInOctave; // 64 mean free paths
    double white = 0, grey = 0;
    constexpr int kBanks = 4;
    for (std::uint32_t number = 0; number < kBanks; ++number) {
        auto const outcomes = make_layer_bank(kLevel, 11, 0.4f, number);
        BankView const bank{outcomes.data(), 11, kLevel + 1};
        white += expect_slab_reflectance(bank, kLevel, 0.9997) / kBanks;
        grey += expect_slab_reflectance(bank, kLevel, 0.9991) / kBanks;
    }
    // One bank of 2^12 outcomes is wrong by 1.8e-3 of the reflectance; these are as many as two of them: 3.5 sigma.
    EXPECT_NEAR(white, 0.88471, 0.004);
    EXPECT_NEAR(grey, 0.82469, 0.004);
}

} // namespace
} // namespace volpt::test
