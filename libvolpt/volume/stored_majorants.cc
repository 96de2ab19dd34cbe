#include "libvolpt/volume/stored_majorants.h"

#include "libvolpt/sys/parallel.h"
#include "libvolpt/volume/pack/majorant_builder.h"

#include <algorithm>
#include <array>

namespace volpt {
namespace {

using BrickCodes = std::array<std::uint32_t, kBrickVoxels>;

template <typename Code>
void gather_codes(std::uint32_t const* words, std::size_t first, BrickCodes& codes)
{
    // Bits of x, y, z lie three apart in a Morton code.
    constexpr std::array<std::size_t, kBrickEdge> kSpread{0, 1, 8, 9, 64, 65, 72, 73};
    Code const* const brick = reinterpret_cast<Code const*>(words) + first;
    std::uint32_t* out = codes.data();
    for (std::size_t const z : kSpread)
        for (std::size_t const y : kSpread) {
            Code const* const row = brick + 2 * y + 4 * z;
            for (std::size_t x = 0; x < kSpread.size(); ++x) *out++ = row[kSpread[x]];
        }
}

/// Codes of a plane of one channel, x fastest.
void read_brick_codes(PlaneView const& plane, std::uint32_t slot, BrickCodes& codes)
{
    std::size_t const first = std::size_t{slot} * kBrickVoxels;
    switch (plane.encoding) {
    case Encoding::u8:
        return gather_codes<std::uint8_t>(plane.words, first, codes);
    case Encoding::u16:
    case Encoding::f16:
        return gather_codes<std::uint16_t>(plane.words, first, codes);
    case Encoding::f32:
        return gather_codes<std::uint32_t>(plane.words, first, codes);
    }
}

SubBoxMaxima find_density_maxima(PlaneView const& plane, std::size_t brick)
{
    std::uint32_t const* const entry = plane.table + brick * plane.table_stride;
    if (entry[0] == kConstantBrick) return fill_maxima(entry[1]);
    BrickCodes codes;
    read_brick_codes(plane, entry[0], codes);
    SubBoxMaxima maxima = find_sub_box_maxima(codes); // values are in the order of their codes
    for (std::uint32_t& key : maxima) key = bits_from_float(decode_element(plane.encoding, plane.value_scale, key));
    return maxima;
}

void add_label_maxima(VolumeView const& volume, std::size_t brick, std::vector<float const*> const& sigma_t,
                      std::vector<SubBoxMaxima>& layer)
{
    std::uint32_t const* const entry = volume.label.table + brick * volume.label.table_stride;
    bool const is_constant = entry[0] == kConstantBrick;
    BrickCodes labels;
    BrickCodes keys;
    if (!is_constant) read_brick_codes(volume.label, entry[0], labels);
    for (float const* const by_label : sigma_t) {
        if (is_constant) {
            layer.push_back(fill_maxima(bits_from_float(by_label[entry[1]])));
            continue;
        }
        std::transform(labels.begin(), labels.end(), keys.begin(),
                       [&](std::uint32_t label) { return bits_from_float(by_label[label]); });
        layer.push_back(find_sub_box_maxima(keys));
    }
}

/// The material extinctions of the first band of each distinct one.
std::vector<float const*> find_distinct_extinctions(VolumeView const& volume)
{
    std::vector<float const*> tables(volume.majorant_bands);
    for (std::uint32_t band = volume.bands; band-- > 0;)
        tables[volume.majorant_index[band]] = volume.material_extinction + std::size_t{band} * kMaxMaterials;
    return tables;
}

} // namespace

std::vector<float> compute_majorants(VolumeView const& volume, int threads)
{
    if (volume.extinction == Source::constant) return {};
    bool const has_density = volume.extinction == Source::plane;
    auto const sigma_t = has_density ? std::vector<float const*>() : find_distinct_extinctions(volume);
    std::size_t const distinct = volume.majorant_bands;
    MajorantBuilder builder({volume.brick_counts[0], volume.brick_counts[1], volume.brick_counts[2]}, distinct,
                            volume.filter);
    std::size_t const layer =
        static_cast<std::size_t>(volume.brick_counts[0]) * static_cast<std::size_t>(volume.brick_counts[1]);
    std::size_t const bricks = layer * static_cast<std::size_t>(volume.brick_counts[2]);
    std::vector<std::vector<SubBoxMaxima>> maxima(static_cast<std::size_t>(std::max(1, threads)));
    parallel_for_ordered(
        threads, static_cast<std::size_t>(volume.brick_counts[2]),
        [&](std::size_t z, int worker) {
            std::vector<SubBoxMaxima>& of_layer = maxima[static_cast<std::size_t>(worker)];
            of_layer.clear();
            for (std::size_t brick = z * layer; brick < (z + 1) * layer; ++brick) {
                if (has_density)
                    of_layer.push_back(find_density_maxima(volume.density, brick));
                else
                    add_label_maxima(volume, brick, sigma_t, of_layer);
            }
        },
        [&](std::size_t, int worker) {
            for (SubBoxMaxima const& of_brick : maxima[static_cast<std::size_t>(worker)]) builder.add(of_brick);
            builder.end_layer();
        });
    builder.finish();
    std::vector<float> majorants(bricks * distinct);
    for (std::size_t i = 0; i < majorants.size(); ++i)
        majorants[i % distinct * bricks + i / distinct] = float_from_bits(builder.keys()[i]);
    return majorants;
}

} // namespace volpt
