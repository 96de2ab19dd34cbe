#include "libvolpt/volume/packed_layers.h"

#include <algorithm>
#include <cstring>

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

/// Calls store(voxel index in the layer, channel, bits, is_constant) for every element of a layer.
template <typename Store>
void visit_layer(VolumeView const& view, PlaneView const& plane, int z, Store store)
{
    std::size_t voxel = 0;
    for (int y = 0; y < view.dims[1]; ++y)
        for (int x = 0; x < view.dims[0]; ++x, ++voxel) {
            std::size_t const brick =
                (static_cast<std::size_t>(z / kBrickEdge) * static_cast<std::size_t>(view.brick_counts[1]) +
                 static_cast<std::size_t>(y / kBrickEdge)) *
                    static_cast<std::size_t>(view.brick_counts[0]) +
                static_cast<std::size_t>(x / kBrickEdge);
            std::uint32_t const* const entry = plane.table + brick * plane.table_stride;
            std::uint64_t const record =
                static_cast<std::uint64_t>(entry[0]) * kBrickVoxels +
                morton_in_brick(static_cast<std::uint32_t>(x) & 7u, static_cast<std::uint32_t>(y) & 7u,
                                static_cast<std::uint32_t>(z) & 7u);
            for (std::uint32_t channel = 0; channel < plane.channels; ++channel) {
                bool const constant = entry[0] == kConstantBrick;
                std::uint32_t const bits =
                    constant ? entry[1 + channel] : load_element(plane, record * plane.record_elements + channel);
                store(voxel, channel, bits, constant);
            }
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

std::array<std::uint64_t, kMaxMaterials> count_labels(VolumeView const& view)
{
    std::array<std::uint64_t, kMaxMaterials> counts{};
    std::uint32_t const* entry = view.label.table;
    for (int bz = 0; bz < view.brick_counts[2]; ++bz)
        for (int by = 0; by < view.brick_counts[1]; ++by)
            for (int bx = 0; bx < view.brick_counts[0]; ++bx, entry += view.label.table_stride) {
                // Bricks at the far faces reach beyond the volume.
                auto const nx = static_cast<std::uint32_t>(std::min(kBrickEdge, view.dims[0] - bx * kBrickEdge));
                auto const ny = static_cast<std::uint32_t>(std::min(kBrickEdge, view.dims[1] - by * kBrickEdge));
                auto const nz = static_cast<std::uint32_t>(std::min(kBrickEdge, view.dims[2] - bz * kBrickEdge));
                if (entry[0] == kConstantBrick) {
                    counts[entry[1] & 0xffu] += std::uint64_t{nx} * ny * nz;
                    continue;
                }
                std::uint64_t const first = std::uint64_t{entry[0]} * kBrickVoxels;
                for (std::uint32_t z = 0; z < nz; ++z)
                    for (std::uint32_t y = 0; y < ny; ++y)
                        for (std::uint32_t x = 0; x < nx; ++x) {
                            std::uint64_t const record = first + morton_in_brick(x, y, z);
                            ++counts[load_element(view.label, record * view.label.record_elements) & 0xffu];
                        }
            }
    return counts;
}

} // namespace volpt
