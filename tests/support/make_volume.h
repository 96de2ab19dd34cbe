// Packed volumes from functions of the voxel: make_volume(meta, {.density = ...}).
#pragma once

#include "libvolpt/volume/pack/packer.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <functional>

namespace volpt::test {

/// One function per plane that the metadata asks for; the others stay empty.
struct VoxelFunctions {
    std::function<float(int x, int y, int z)> density = {};
    std::function<float(int x, int y, int z, int band)> one_minus_albedo = {};
    std::function<int(int x, int y, int z)> label = {};
    std::function<float(int x, int y, int z, int band)> emission = {};
};

inline PackStatistics pack_volume(std::filesystem::path const& path, VolumeMeta const& meta,
                                  VoxelFunctions const& voxels, std::vector<Material> const& materials = {},
                                  int layers_per_slab = 8, Provenance const& provenance = {}, int threads = 1)
{
    VolumePacker packer(path, meta, materials, threads);
    for (int first = 0; first < meta.dims[2]; first += layers_per_slab) {
        VoxelSlab slab{.z_first = first, .z_count = std::min(layers_per_slab, meta.dims[2] - first)};
        std::vector<float> density;
        std::vector<float> one_minus_albedo;
        std::vector<std::uint8_t> label;
        std::vector<float> emission;
        for (int z = first; z < first + slab.z_count; ++z) {
            for (int y = 0; y < meta.dims[1]; ++y) {
                for (int x = 0; x < meta.dims[0]; ++x) {
                    if (voxels.density) density.push_back(voxels.density(x, y, z));
                    if (voxels.label) label.push_back(static_cast<std::uint8_t>(voxels.label(x, y, z)));
                    for (int band = 0; voxels.one_minus_albedo && band < static_cast<int>(meta.bands()); ++band) {
                        one_minus_albedo.push_back(voxels.one_minus_albedo(x, y, z, band));
                    }
                    for (int band = 0; voxels.emission && band < static_cast<int>(meta.bands()); ++band)
                        emission.push_back(voxels.emission(x, y, z, band));
                }
            }
        }
        slab.density = density;
        slab.one_minus_albedo = one_minus_albedo;
        slab.label = label;
        slab.emission = emission;
        packer.add_slab(slab);
    }
    return packer.finish(provenance);
}

/// Packs into a temporary folder and removes it; the open mapping keeps the bytes.
inline PackedVolume make_volume(VolumeMeta const& meta, VoxelFunctions const& voxels = {},
                                std::vector<Material> const& materials = {}, VerifyLevel level = VerifyLevel::full)
{
    TempFolder const folder;
    pack_volume(folder / "made.vpk", meta, voxels, materials);
    return PackedVolume::open(folder / "made.vpk", level);
}

/// One band, extinction from a density plane.
inline VolumeMeta density_meta(std::array<int, 3> dims, Filter filter = Filter::trilinear,
                               Encoding encoding = Encoding::f32)
{
    VolumeMeta meta;
    meta.dims = dims;
    meta.filter = filter;
    meta.extinction = Source::plane;
    meta.density_encoding = encoding;
    return meta;
}

/// Three bands; constant extinctions are 1 and constant albedos are 1.
inline void set_three_bands(VolumeMeta& meta)
{
    meta.band_numbers = {0, 1, 2};
    meta.constant_extinction = {1, 1, 1};
    meta.constant_one_minus_albedo = {0, 0, 0};
}

/// The stored value of a voxel, decoded as docs/formats/vpk.md describes and without the lookup in libvolpt/core.
inline float read_stored(PlaneView const& plane, VolumeView const& volume, int x, int y, int z, int channel = 0)
{
    auto const at = [](int v) { return static_cast<std::size_t>(v); };
    std::size_t const brick =
        at(((z / 8) * volume.brick_counts[1] + y / 8) * volume.brick_counts[0] + x / 8) * plane.table_stride;
    std::uint32_t const slot = plane.table[brick];
    bool const is_label = &plane == &volume.label;
    if (slot == kConstantBrick) {
        std::uint32_t const word = plane.table[brick + 1 + at(channel)];
        return is_label ? static_cast<float>(word) : float_from_bits(word);
    }
    std::size_t morton = 0;
    for (int bit = 0; bit < 3; ++bit) {
        morton |= at((x >> bit & 1) << (3 * bit) | (y >> bit & 1) << (3 * bit + 1) | (z >> bit & 1) << (3 * bit + 2));
    }
    std::size_t const element = (std::size_t{slot} * 512 + morton) * plane.record_elements + at(channel);
    auto const* const bytes = reinterpret_cast<unsigned char const*>(plane.words);
    std::size_t const size_bytes = std::size_t{1} << element_log2_bytes(plane.encoding);
    std::uint32_t code = 0;
    for (std::size_t i = 0; i < size_bytes; ++i) code |= std::uint32_t{bytes[element * size_bytes + i]} << (8 * i);
    return is_label ? static_cast<float>(code) : decode_element(plane.encoding, plane.value_scale, code);
}

} // namespace volpt::test
