#include "libvolpt/volume/packed_layers.h"

#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace volpt {
namespace {

/// Element `index` of a plane's voxel words, in the low bits.
std::uint32_t load_element(PlaneView const& plane, std::uint64_t index)
{
    std::uint32_t const log2_bytes = element_log2_bytes(plane.encoding);
    auto const* const bytes = reinterpret_cast<std::byte const*>(plane.words) + (index << log2_bytes);
    std::uint32_t element = 0;
    std::memcpy(&element, bytes, std::size_t{1} << log2_bytes);
    return element;
}

/// Of the brick that holds the voxel.
std::uint32_t const* find_entry(VolumeView const& view, PlaneView const& plane, std::array<int, 3> voxel)
{
    std::size_t const brick =
        (static_cast<std::size_t>(voxel[2] / kBrickEdge) * static_cast<std::size_t>(view.brick_counts[1]) +
         static_cast<std::size_t>(voxel[1] / kBrickEdge)) *
            static_cast<std::size_t>(view.brick_counts[0]) +
        static_cast<std::size_t>(voxel[0] / kBrickEdge);
    return plane.table + brick * plane.table_stride;
}

std::uint64_t find_record(std::uint32_t slot, std::array<int, 3> voxel)
{
    return static_cast<std::uint64_t>(slot) * kBrickVoxels + morton_in_brick(static_cast<std::uint32_t>(voxel[0]) & 7u,
                                                                             static_cast<std::uint32_t>(voxel[1]) & 7u,
                                                                             static_cast<std::uint32_t>(voxel[2]) & 7u);
}

/// Calls store(voxel index in the layer, channel, bits, is_constant) for every element of a layer.
template <typename Store>
void visit_layer(VolumeView const& view, PlaneView const& plane, int z, Store store)
{
    std::size_t voxel = 0;
    for (int y = 0; y < view.dims[1]; ++y)
        for (int x = 0; x < view.dims[0]; ++x, ++voxel) {
            std::uint32_t const* const entry = find_entry(view, plane, {x, y, z});
            std::uint64_t const record = find_record(entry[0], {x, y, z});
            for (std::uint32_t channel = 0; channel < plane.channels; ++channel) {
                bool const constant = entry[0] == kConstantBrick;
                std::uint32_t const bits =
                    constant ? entry[1 + channel] : load_element(plane, record * plane.record_elements + channel);
                store(voxel, channel, bits, constant);
            }
        }
}

/// Calls count(bits of channel 0, is_constant, voxels) for the voxels of a layer of bricks, once for a constant brick.
template <typename Count>
void count_brick_layer(VolumeView const& view, PlaneView const& plane, int bz, Count count)
{
    for (int by = 0; by < view.brick_counts[1]; ++by)
        for (int bx = 0; bx < view.brick_counts[0]; ++bx) {
            std::array<int, 3> const first{bx * kBrickEdge, by * kBrickEdge, bz * kBrickEdge};
            std::uint32_t const* const entry = find_entry(view, plane, first);
            // Bricks at the far faces reach beyond the volume.
            auto const nx = static_cast<std::uint32_t>(std::min(kBrickEdge, view.dims[0] - first[0]));
            auto const ny = static_cast<std::uint32_t>(std::min(kBrickEdge, view.dims[1] - first[1]));
            auto const nz = static_cast<std::uint32_t>(std::min(kBrickEdge, view.dims[2] - first[2]));
            if (entry[0] == kConstantBrick) {
                count(entry[1], true, std::uint64_t{nx} * ny * nz);
                continue;
            }
            std::uint64_t const record = std::uint64_t{entry[0]} * kBrickVoxels;
            for (std::uint32_t z = 0; z < nz; ++z)
                for (std::uint32_t y = 0; y < ny; ++y)
                    for (std::uint32_t x = 0; x < nx; ++x)
                        count(load_element(plane, (record + morton_in_brick(x, y, z)) * plane.record_elements), false,
                              std::uint64_t{1});
        }
}

} // namespace

void read_plane_layer(VolumeView const& view, PlaneView const& plane, int z, std::span<float> values)
{
    visit_layer(view, plane, z, [&](std::size_t voxel, std::uint32_t channel, std::uint32_t bits, bool constant) {
        values[voxel * plane.channels + channel] =
            constant ? float_from_bits(bits) : decode_element(plane.encoding, plane.value_scale, bits);
    });
}

void read_label_layer(VolumeView const& view, int z, std::span<std::uint8_t> labels)
{
    visit_layer(view, view.label, z, [&](std::size_t voxel, std::uint32_t, std::uint32_t bits, bool) {
        labels[voxel] = static_cast<std::uint8_t>(bits);
    });
}

float read_plane_voxel(VolumeView const& view, PlaneView const& plane, std::array<int, 3> voxel, std::uint32_t channel)
{
    std::uint32_t const* const entry = find_entry(view, plane, voxel);
    if (entry[0] == kConstantBrick) return float_from_bits(entry[1 + channel]);
    std::uint64_t const record = find_record(entry[0], voxel);
    return decode_element(plane.encoding, plane.value_scale,
                          load_element(plane, record * plane.record_elements + channel));
}

std::uint8_t read_label_voxel(VolumeView const& view, std::array<int, 3> voxel)
{
    std::uint32_t const* const entry = find_entry(view, view.label, voxel);
    if (entry[0] == kConstantBrick) return static_cast<std::uint8_t>(entry[1]);
    return static_cast<std::uint8_t>(
        load_element(view.label, find_record(entry[0], voxel) * view.label.record_elements));
}

std::vector<float> find_largest_values(VolumeView const& view, PlaneView const& plane)
{
    std::vector<float> largest(plane.channels);
    std::size_t const bricks = static_cast<std::size_t>(view.brick_counts[0]) *
                               static_cast<std::size_t>(view.brick_counts[1]) *
                               static_cast<std::size_t>(view.brick_counts[2]);
    for (std::size_t brick = 0; brick < bricks; ++brick) {
        std::uint32_t const* const entry = plane.table + brick * plane.table_stride;
        bool const is_constant = entry[0] == kConstantBrick;
        // Voxels beyond the volume repeat those in it.
        for (std::uint64_t voxel = 0; voxel < (is_constant ? 1u : static_cast<unsigned>(kBrickVoxels)); ++voxel)
            for (std::uint32_t channel = 0; channel < plane.channels; ++channel) {
                std::uint64_t const record = std::uint64_t{entry[0]} * kBrickVoxels + voxel;
                float const value = is_constant
                                        ? float_from_bits(entry[1 + channel])
                                        : decode_element(plane.encoding, plane.value_scale,
                                                         load_element(plane, record * plane.record_elements + channel));
                largest[channel] = std::max(largest[channel], value);
            }
    }
    return largest;
}

std::array<std::uint64_t, kMaxMaterials> count_labels(VolumeView const& view)
{
    std::array<std::uint64_t, kMaxMaterials> counts{};
    for (int bz = 0; bz < view.brick_counts[2]; ++bz)
        count_brick_layer(view, view.label, bz,
                          [&](std::uint32_t bits, bool, std::uint64_t voxels) { counts[bits & 0xffu] += voxels; });
    return counts;
}

DensityHistogram count_densities(VolumeView const& view, int threads)
{
    DensityHistogram histogram;
    histogram.to = static_cast<double>(view.global_majorant[0]);
    std::size_t const bins = histogram.counts.size();
    double const bins_per_density = histogram.to > 0 ? static_cast<double>(bins) / histogram.to : 0;
    PlaneView const& plane = view.density;
    std::vector<std::array<std::uint64_t, 256>> parts(static_cast<std::size_t>(std::max(threads, 1)));
    parallel_for_joined(threads, static_cast<std::size_t>(view.brick_counts[2]), [&](std::size_t bz, int worker) {
        auto& counts = parts[static_cast<std::size_t>(worker)];
        count_brick_layer(
            view, plane, static_cast<int>(bz), [&](std::uint32_t bits, bool constant, std::uint64_t voxels) {
                float const density =
                    constant ? float_from_bits(bits) : decode_element(plane.encoding, plane.value_scale, bits);
                auto const bin = static_cast<std::size_t>(static_cast<double>(density) * bins_per_density);
                counts[std::min(bin, bins - 1)] += voxels;
            });
    });
    for (auto const& counts : parts)
        for (std::size_t i = 0; i < bins; ++i) histogram.counts[i] += counts[i];
    return histogram;
}

} // namespace volpt
