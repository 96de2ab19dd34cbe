// Volumes large enough that a part of each plane can lie on a device and a part on the host.
#pragma once

#include "tests/support/make_scene.h"

#include <string>
#include <vector>

namespace volpt::test {

struct LargeVolume {
    std::string name;
    PackedVolume volume;
};

/// Several pages a plane, and something constant on one side.
inline VolumeMeta make_large_meta(Encoding encoding)
{
    VolumeMeta meta = density_meta({168, 160, 168}, Filter::trilinear, encoding);
    meta.pitch_mm = {0.1f, 0.12f, 0.11f};
    meta.scale = 3.0f;
    meta.constant_one_minus_albedo = {0.05f};
    if (encoding == Encoding::u8) meta.density_value_scale = 1.0f / 255;
    if (encoding == Encoding::u16) meta.density_value_scale = 1.0f / 65535;
    return meta;
}

inline float density_at(int x, int y, int z)
{
    return x < 8 ? 0.0f : static_cast<float>((x * 7 + y * 3 + z * 5) % 11) / 10;
}
inline float loss_at(int x, int y, int z, int band)
{
    return y < 8 ? 0.01f : static_cast<float>((x + 2 * y + 3 * z + 5 * band) % 7) / 20;
}
inline int label_at(int x, int y, int z)
{
    return z < 8 ? 0 : (x / 4 + y / 3 + z) % 2;
}

inline PackedVolume make_large_density(Encoding encoding)
{
    return make_volume(make_large_meta(encoding), {.density = density_at});
}

/// An albedo of its own, and labels for g, where asked for.
inline PackedVolume make_large_colours(Encoding albedo, Source anisotropy)
{
    VolumeMeta meta = make_large_meta(Encoding::u16);
    meta.band_numbers = {0, 1, 2};
    meta.constant_extinction = {1, 1, 1};
    meta.constant_one_minus_albedo = {0, 0, 0};
    meta.albedo = Source::plane;
    meta.albedo_encoding = albedo;
    meta.anisotropy = anisotropy;
    VoxelFunctions voxels{.density = density_at, .one_minus_albedo = loss_at};
    if (anisotropy != Source::material) return make_volume(meta, voxels);
    voxels.label = label_at;
    return make_volume(meta, voxels, {{"a", {1, 1, 1}, {0, 0, 0}, 0.3f}, {"b", {1, 1, 1}, {0, 0, 0}, -0.3f}});
}

inline PackedVolume make_large_inks()
{
    VolumeMeta meta = make_large_meta(Encoding::u8);
    meta.band_numbers = {0, 1, 2};
    meta.scale = 1.0f;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    meta.constant_extinction = {1, 1, 1};
    meta.constant_one_minus_albedo = {0, 0, 0};
    return make_volume(meta, {.label = label_at},
                       {{"C", {9.0f, 4.5f, 7.5f}, {0.95f, 0.3f, 0.02f}, 0.4f},
                        {"Y", {2.25f, 3.75f, 19.0f}, {0.003f, 0.005f, 0.85f}, -0.3f}});
}

inline std::vector<LargeVolume> const& list_volumes()
{
    static std::vector<LargeVolume> const volumes = [] {
        std::vector<LargeVolume> made;
        made.push_back({"u8", make_large_density(Encoding::u8)});
        made.push_back({"u16", make_large_density(Encoding::u16)});
        made.push_back({"f16", make_large_density(Encoding::f16)});
        made.push_back({"f32", make_large_density(Encoding::f32)});
        made.push_back({"albedo f16", make_large_colours(Encoding::f16, Source::constant)});
        made.push_back({"albedo u8, labels", make_large_colours(Encoding::u8, Source::material)});
        made.push_back({"inks", make_large_inks()});
        return made;
    }();
    return volumes;
}

} // namespace volpt::test
