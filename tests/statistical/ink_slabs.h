// Slabs of the printer's inks and their reflectances, for the tests that measure them.
#pragma once

#include "tests/statistical/measure.h"

namespace volpt::test {

/// One voxel.
inline PackedVolume make_slab(double width_mm, double thickness_mm, std::vector<std::uint32_t> bands,
                              Material const& material)
{
    VolumeMeta meta;
    meta.dims = {1, 1, 1};
    meta.pitch_mm = {static_cast<float>(width_mm), static_cast<float>(width_mm), static_cast<float>(thickness_mm)};
    meta.band_numbers = std::move(bands);
    meta.constant_extinction.assign(meta.bands(), 1.0f);
    meta.constant_one_minus_albedo.assign(meta.bands(), 0.0f);
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    return make_volume(meta, {.label = [](int, int, int) { return 0; }}, {material});
}

struct Ink {
    Material material;
    double
        reflectance[3]; ///< 10 mm, n 1.5 smooth on both faces, g 0.4, normal view, specular included (adding-doubling)
};

inline Ink const kInks[] = {
    {{"C", {9.0f, 4.5f, 7.5f}, {0.95f, 0.3f, 0.02f}, 0.4f}, {0.0409, 0.0883, 0.4218}},
    {{"M", {2.5f, 3.0f, 10.0f}, {0.02f, 0.9f, 0.1f}, 0.4f}, {0.4218, 0.0420, 0.1915}},
    {{"Y", {2.25f, 3.75f, 19.0f}, {0.003f, 0.005f, 0.85f}, 0.4f}, {0.6807, 0.6262, 0.0432}},
    {{"K", {5.0f, 5.5f, 6.5f}, {0.65f, 0.65f, 0.65f}, 0.4f}, {0.0504, 0.0504, 0.0504}},
    {{"W", {6.0f, 9.0f, 24.0f}, {0.0009f, 0.0003f, 0.001f}, 0.4f}, {0.8090, 0.8813, 0.8022}},
};

enum class Albedo { own, one };

/// One band of W alone.
inline PackedVolume make_white_band(std::uint32_t band, Albedo albedo)
{
    Material const& white = kInks[4].material;
    float const loss = albedo == Albedo::own ? white.one_minus_albedo[band] : 0.0f;
    return make_slab(400, 10, {band}, {"W", {white.sigma_t[band]}, {loss}, white.g});
}

} // namespace volpt::test
