// Volumes and helpers that the volume tests share.
#pragma once

#include "libvolpt/sys/error.h"
#include "tests/support/make_volume.h"

#include <cmath>
#include <gtest/gtest.h>

namespace volpt::test {

/// Uniform in [0, 1), a function of the voxel alone (a strong integer mix, so that neighbours differ).
inline float noise(int x, int y, int z, int seed = 0)
{
    std::uint32_t h = static_cast<std::uint32_t>(x) * 0x9e3779b1u + static_cast<std::uint32_t>(y) * 0x85ebca77u +
                      static_cast<std::uint32_t>(z) * 0xc2b2ae3du + static_cast<std::uint32_t>(seed) * 0x27d4eb2fu;
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12)) * 0x297a2d39u;
    h ^= h >> 15;
    return static_cast<float>(h >> 8) * 0x1p-24f;
}

template <typename Visit>
void for_each_voxel(std::array<int, 3> dims, Visit&& visit)
{
    for (int z = 0; z < dims[2]; ++z) {
        for (int y = 0; y < dims[1]; ++y) {
            for (int x = 0; x < dims[0]; ++x) visit(x, y, z);
        }
    }
}

/// For the names of tests that run once an encoding.
inline std::string name_of(Encoding encoding)
{
    return encoding == Encoding::u8    ? "u8"
           : encoding == Encoding::u16 ? "u16"
           : encoding == Encoding::f16 ? "f16"
                                       : "f32";
}

/// Three inks, two of whose bands have equal extinction.
inline std::vector<Material> three_inks()
{
    return {{"C", {9.0f, 4.5f, 9.0f}, {0.95f, 0.3f, 0.02f}, 0.4f},
            {"M", {2.5f, 3.0f, 2.5f}, {0.02f, 0.9f, 0.1f}, 0.3f},
            {"W", {6.0f, 9.0f, 6.0f}, {0.0009f, 0.0003f, 0.001f}, 0.0f}};
}

inline VolumeMeta label_meta(std::array<int, 3> dims, Filter filter = Filter::nearest)
{
    VolumeMeta meta;
    meta.dims = dims;
    meta.filter = filter;
    meta.band_numbers = {0, 1, 2};
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    return meta;
}

/// A volume with all three planes; small, with constant bricks and edges that are no multiple of 8.
inline VolumeMeta rich_meta()
{
    VolumeMeta meta = density_meta({19, 9, 17}, Filter::trilinear, Encoding::u8);
    meta.density_value_scale = 1.0f / 255.0f;
    meta.band_numbers = {0, 1, 2};
    meta.pitch_mm = {0.0423f, 0.0847f, 0.027f};
    meta.placement.origin_world_mm = {-1, 2, 3.5};
    meta.placement.rotation = {0, 1, 0, 1, 0, 0, 0, 0, 1};
    meta.scale = 12.5f;
    meta.albedo = Source::plane;
    meta.albedo_encoding = Encoding::f16;
    meta.anisotropy = Source::material;
    return meta;
}

inline VoxelFunctions rich_voxels()
{
    return {.density = [](int x, int y, int z) { return x < 8 ? 0.25f : noise(x, y, z); },
            .one_minus_albedo = [](int x, int y, int z, int band) { return x < 8 ? 0.5f : noise(x, y, z, band + 1); },
            .label = [](int x, int y, int z) { return z < 8 ? 1 : static_cast<int>(noise(x, y, z, 7) * 3.0f); }};
}

} // namespace volpt::test
