// Radiance from outside the box: a constant, two hemispheres, or an image resampled into two squares.
//
// Each hemisphere is one square by the octahedral map turned by 45 degrees (K. Engelhardt & C. Dachsbacher, Octahedron
// Environment Maps, VMV 2008): the horizon lies on the square's edges. Lookups are IEEE arithmetic only; the lat-long
// image with its arc tangents is resampled once, on the host.
#pragma once

#include "libvolpt/core/path.hd.h"
#include "libvolpt/core/scene_view.hd.h"

namespace volpt {

/// A direction of the light's frame (z up) as hemisphere (0 for z >= 0, else 1) and coordinates in [0, 1].
struct HemisphereCoord {
    std::uint32_t hemisphere;
    float u, v;
};

VOLPT_HD HemisphereCoord to_hemisphere(Vec3 d)
{
    float const scale = 1.0f / (exact::abs(d.x) + exact::abs(d.y) + exact::abs(d.z));
    float const px = d.x * scale;
    float const py = d.y * scale;
    float const u = exact::max(0.0f, exact::min(0.5f * (px + py) + 0.5f, 1.0f));
    float const v = exact::max(0.0f, exact::min(0.5f * (px - py) + 0.5f, 1.0f));
    return {d.z >= 0.0f ? 0u : 1u, u, v};
}

/// Inverse of to_hemisphere, up to length; for resampling on the host.
VOLPT_HD Vec3 from_hemisphere(HemisphereCoord c)
{
    float const a = 2.0f * c.u - 1.0f;
    float const b = 2.0f * c.v - 1.0f;
    float const x = 0.5f * (a + b);
    float const y = 0.5f * (a - b);
    float const z = exact::max(0.0f, 1.0f - exact::abs(x) - exact::abs(y));
    return normalize({x, y, c.hemisphere == 0u ? z : -z});
}

/// Bilinear between texel centres, clamped at the horizon: the hemispheres never mix.
VOLPT_HD float read_light_image(EnvironmentView const& light, std::uint32_t bands, std::uint32_t band,
                                HemisphereCoord c)
{
    float const edge = static_cast<float>(light.edge);
    // With min inside max, even a NaN gives a valid texel.
    float const x = exact::max(0.0f, exact::min(exact::fma(c.u, edge, -0.5f), edge - 1.0f));
    float const y = exact::max(0.0f, exact::min(exact::fma(c.v, edge, -0.5f), edge - 1.0f));
    auto const x0 = static_cast<std::uint32_t>(static_cast<std::int32_t>(x));
    auto const y0 = static_cast<std::uint32_t>(static_cast<std::int32_t>(y));
    std::uint32_t const x1 = x0 + 1u < light.edge ? x0 + 1u : x0;
    std::uint32_t const y1 = y0 + 1u < light.edge ? y0 + 1u : y0;
    float const fx = x - static_cast<float>(x0);
    float const fy = y - static_cast<float>(y0);
    float const* const base =
        light.texels + static_cast<std::size_t>(c.hemisphere) * light.edge * light.edge * bands + band;
    auto const texel = [&](std::uint32_t tx, std::uint32_t ty) {
        return base[(static_cast<std::size_t>(ty) * light.edge + tx) * bands];
    };
    // No rounding may exceed the largest of the four: the film's scale relies on it.
    float const t00 = texel(x0, y0), t10 = texel(x1, y0), t01 = texel(x0, y1), t11 = texel(x1, y1);
    float const top = exact::fma(fx, t10 - t00, t00);
    float const bottom = exact::fma(fx, t11 - t01, t01);
    float const most = exact::max(exact::max(t00, t10), exact::max(t01, t11));
    return exact::max(0.0f, exact::min(most, exact::fma(fy, bottom - top, top)));
}

VOLPT_HD float read_light(EnvironmentView const& light, std::uint32_t bands, std::uint32_t band, Vec3 direction)
{
    if (light.kind == LightKindView::constant) return light.above[band];
    Vec3 const d{dot(light.row[0], direction), dot(light.row[1], direction), dot(light.row[2], direction)};
    if (light.kind == LightKindView::hemispheres) return d.z >= 0.0f ? light.above[band] : light.below[band];
    return light.above[band] * read_light_image(light, bands, band, to_hemisphere(d));
}

/// Ends a path that has left the box: its throughput becomes the radiance of the sample.
template <int bands>
VOLPT_HD void escape(SceneView const& scene, PathState<bands>& path)
{
    float const seen = path.depth == 0u ? scene.environment.seen_directly : 1.0f;
    for (int b = 0; b < bands; ++b) {
        std::uint32_t const band = bands > 1 ? static_cast<std::uint32_t>(b) : path.band;
        float const visible = path.throughput[b] > kInvisibleThroughput ? path.throughput[b] : 0.0f;
        path.throughput[b] = seen * visible * read_light(scene.environment, scene.bands, band, path.direction);
    }
    path.stage = Stage::ended;
}

} // namespace volpt
