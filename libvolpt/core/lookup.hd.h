// Voxel lookup: the brick table, then the brick's records in Morton order; constant bricks need no voxel fetch.
#pragma once

#include "libvolpt/core/scene_view.hd.h"

namespace volpt {

/// A voxel by its brick (index into the tables) and its Morton index inside.
struct VoxelRef {
    std::int32_t brick = 0;
    std::uint32_t morton = 0;
};

/// words[index] where `skip_mask` is 0, else word 0, which stays in cache. For CPU lanes: the index is masked by
/// arithmetic, because a selection of addresses would not vectorise.
VOLPT_HD std::uint32_t load_word_unless(std::uint32_t skip_mask, std::uint32_t const* words, std::int32_t index)
{
    return words[index & static_cast<std::int32_t>(~skip_mask)];
}

VOLPT_HD VoxelRef make_voxel_ref(MediumView const& medium, std::int32_t x, std::int32_t y, std::int32_t z)
{
    std::int32_t const brick = ((z >> 3) * medium.brick_counts[1] + (y >> 3)) * medium.brick_counts[0] + (x >> 3);
    return {brick, morton_in_brick(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                                   static_cast<std::uint32_t>(z))};
}

/// `p` of a lookup, at most half a voxel outside of [0, size], moved by `period` on each axis where it is outside.
VOLPT_HD Vec3 wrap_lookup(Vec3 p, Vec3 size, Vec3 period)
{
    auto const wrap = [](float at, float end, float by) {
        float const raised = at < 0.0f ? at + by : at;
        return raised >= end ? raised - by : raised;
    };
    return {wrap(p.x, size.x, period.x), wrap(p.y, size.y, period.y), wrap(p.z, size.z, period.z)};
}

/// The voxel that is looked up for `position`: the one that holds it, or with Filter::trilinear one of the eight
/// nearest, drawn with the trilinear weights by a jitter of +-1/2 voxel: 11 random bits for x and y, 10 for z. The
/// width is 2^-11, or 0 for Filter::nearest.
VOLPT_HD VoxelRef pick_voxel(MediumView const& medium, float jitter_width, Vec3 position, std::uint32_t bits)
{
    // Centred on 0: (k + 1/2) 2^-11 - 1/2, written as (k - 1023.5) 2^-11 so that jitter = 0 switches it off. The
    // product is exact. The target of a flight that leaves the box may be far away.
    auto const jitter = [&](std::uint32_t k, float centre, float p) {
        return exact::fma(static_cast<float>(static_cast<std::int32_t>(k)) - centre, jitter_width, p);
    };
    Vec3 p{jitter(bits >> 21, 1023.5f, position.x), jitter((bits >> 10) & 0x7ffu, 1023.5f, position.y),
           jitter((bits << 1) & 0x7feu, 1023.0f, position.z)};
    // All lanes of a GPU agree on the condition, and all axes in one block make it a jump: predicated, an axis at a
    // time, they cost 11 % of the rate of the smoke scene. On a CPU a jump in the loop over lanes would not vectorise.
#if VOLPT_ON_DEVICE
    if (medium.has_period != 0u)
#endif
        p = wrap_lookup(p, medium.size_voxels, medium.period_voxels);
    Vec3 const last = medium.last_lookup;
    return make_voxel_ref(medium, exact::to_index(p.x, last.x), exact::to_index(p.y, last.y),
                          exact::to_index(p.z, last.z));
}

VOLPT_HD VoxelRef pick_voxel(MediumView const& medium, Vec3 position, std::uint32_t bits)
{
    return pick_voxel(medium, medium.jitter, position, bits);
}

/// The reader of `plane`, with the masks and shifts that follow from its encoding.
VOLPT_HD PlaneReader make_plane_reader(PlaneView const& plane)
{
    std::uint32_t const log2_bytes = element_log2_bytes(plane.encoding);
    PlaneReader reader;
    reader.table = plane.table;
    reader.words = plane.words;
    reader.table_stride = static_cast<std::int32_t>(plane.table_stride);
    reader.record_elements = plane.record_elements;
    reader.log2_elements_in_word = 2u - log2_bytes;
    reader.in_word_mask = (1u << reader.log2_elements_in_word) - 1u;
    reader.words_per_brick =
        (static_cast<std::uint32_t>(kBrickVoxels) * plane.record_elements) >> reader.log2_elements_in_word;
    reader.record_words = plane.record_elements >> reader.log2_elements_in_word;
    reader.log2_element_bits = 3u + log2_bytes;
    reader.element_mask = 0xffffffffu >> (32u - (8u << log2_bytes));
    reader.half_mask = plane.encoding == Encoding::f16 ? 0xffffffffu : 0u;
    reader.float_mask = plane.encoding == Encoding::f32 ? 0xffffffffu : 0u;
    reader.value_scale = plane.value_scale;
    return reader;
}

/// The bits of the element with number `element` of the brick in `slot`, zeros above them.
VOLPT_HD std::uint32_t load_element(PlaneReader const& plane, std::uint32_t slot, std::uint32_t element)
{
    std::uint32_t const word = slot * plane.words_per_brick + (element >> plane.log2_elements_in_word);
    std::uint32_t const shift = (element & plane.in_word_mask) << plane.log2_element_bits;
    return (plane.words[word] >> shift) & plane.element_mask;
}

/// The undecoded element of a channel; where `constant_mask` is all ones, `constant_bits` from the table is the value.
struct RawElement {
    std::uint32_t bits;
    std::uint32_t constant_bits;
    std::uint32_t constant_mask;
};

VOLPT_HD RawElement read_element(PlaneReader const& plane, VoxelRef voxel, std::uint32_t channel)
{
    std::int32_t const entry = voxel.brick * plane.table_stride;
    std::uint32_t const slot = plane.table[entry];
    static_assert(kConstantBrick == 0xffffffffu, "slots stay below 2^31, so the top bit alone marks a constant brick");
    std::uint32_t const constant_mask = static_cast<std::uint32_t>(static_cast<std::int32_t>(slot) >> 31);
    std::uint32_t const element = voxel.morton * plane.record_elements + channel;
    std::int32_t const word =
        static_cast<std::int32_t>(slot * plane.words_per_brick + (element >> plane.log2_elements_in_word));
    std::uint32_t const shift = (element & plane.in_word_mask) << plane.log2_element_bits;
    std::uint32_t const bits = (load_word_unless(constant_mask, plane.words, word) >> shift) & plane.element_mask;
    return {bits, plane.table[entry + 1 + static_cast<std::int32_t>(channel)], constant_mask};
}

/// The decoded value of `channel` at a voxel: `code * value_scale` for u8 and u16 (one rounding), the number itself for
/// f16 and f32, the table's number in a constant brick. On a GPU by branches, which are cheap where all lanes agree; on
/// a CPU without branches.
VOLPT_HD float read_value(PlaneReader const& plane, VoxelRef voxel, std::uint32_t channel)
{
#if VOLPT_ON_DEVICE
    std::uint32_t const* const entry = plane.table + voxel.brick * plane.table_stride;
    std::uint32_t const slot = entry[0];
    if (slot == kConstantBrick) return float_from_bits(entry[1u + channel]);
    std::uint32_t const bits = load_element(plane, slot, voxel.morton * plane.record_elements + channel);
    if (plane.log2_elements_in_word == 2u)
        return static_cast<float>(static_cast<std::int32_t>(bits)) * plane.value_scale;
    if (plane.float_mask != 0u) return float_from_bits(bits);
    if (plane.half_mask != 0u) return half_to_float(bits);
    return static_cast<float>(static_cast<std::int32_t>(bits)) * plane.value_scale;
#else
    RawElement const element = read_element(plane, voxel, channel);
    float const integer = static_cast<float>(static_cast<std::int32_t>(element.bits & 0xffffu)) * plane.value_scale;
    float const half = half_to_float(element.bits & 0xffffu);
    std::uint32_t const narrow = blend_bits(plane.half_mask, bits_from_float(half), bits_from_float(integer));
    std::uint32_t const stored = blend_bits(plane.float_mask, element.bits, narrow);
    return float_from_bits(blend_bits(element.constant_mask, element.constant_bits, stored));
#endif
}

/// read_value of channels 0 to `channels` - 1 (3 or 4 channels). On a GPU the record of up to 16 bytes is fetched at
/// once: 35 instructions instead of 80 for three single lookups.
template <int channels>
VOLPT_HD void read_values(PlaneReader const& plane, VoxelRef voxel, float (&values)[channels])
{
#if VOLPT_ON_DEVICE
    static_assert(channels == 3 || channels == 4, "whose records have 4 elements");
    std::int32_t const entry = voxel.brick * plane.table_stride;
    std::uint32_t const slot = plane.table[entry];
    if (slot == kConstantBrick) {
        for (int c = 0; c < channels; ++c) values[c] = float_from_bits(plane.table[entry + 1 + c]);
        return;
    }
    std::uint32_t const* const record =
        plane.words + (slot * static_cast<std::uint32_t>(kBrickVoxels) + voxel.morton) * plane.record_words;
    auto const half_word = [&](int c) { return (record[c / 2] >> (16 * (c % 2))) & 0xffffu; };
    auto const scaled = [&](std::uint32_t bits) {
        return static_cast<float>(static_cast<std::int32_t>(bits)) * plane.value_scale;
    };
    if (plane.log2_elements_in_word == 2u) {
        for (int c = 0; c < channels; ++c) values[c] = scaled((record[0] >> (8 * c)) & 0xffu);
    } else if (plane.float_mask != 0u) {
        for (int c = 0; c < channels; ++c) values[c] = float_from_bits(record[c]);
    } else if (plane.half_mask != 0u) {
        for (int c = 0; c < channels; ++c) values[c] = half_to_float(half_word(c));
    } else {
        for (int c = 0; c < channels; ++c) values[c] = scaled(half_word(c));
    }
#else
    for (int c = 0; c < channels; ++c) values[c] = read_value(plane, voxel, static_cast<std::uint32_t>(c));
#endif
}

/// The label at a voxel; 0 .. kMaxMaterials - 1 (labels are one byte).
VOLPT_HD std::int32_t read_label(PlaneReader const& plane, VoxelRef voxel)
{
#if VOLPT_ON_DEVICE
    std::uint32_t const* const entry = plane.table + voxel.brick * plane.table_stride;
    std::uint32_t const slot = entry[0];
    if (slot == kConstantBrick) return static_cast<std::int32_t>(entry[1] & 0xffu);
    std::uint32_t const element = slot * static_cast<std::uint32_t>(kBrickVoxels) + voxel.morton;
    return static_cast<std::int32_t>((plane.words[element / 4u] >> (element % 4u * 8u)) & 0xffu);
#else
    RawElement const element = read_element(plane, voxel, 0u);
    return static_cast<std::int32_t>(blend_bits(element.constant_mask, element.constant_bits, element.bits) & 0xffu);
#endif
}

/// In place of a voxel, where its label is known.
struct KnownLabel {
    std::int32_t label;
};

VOLPT_HD std::int32_t read_label(PlaneReader const&, KnownLabel known)
{
    return known.label;
}

} // namespace volpt
