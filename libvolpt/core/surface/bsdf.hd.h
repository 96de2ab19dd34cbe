// What a surface that bounds no medium does to light: reflection from a texture, mirrors, clear dielectrics.
#pragma once

#include "libvolpt/core/scatter.hd.h"
#include "libvolpt/core/surface/bsdf_view.hd.h"
#include "libvolpt/core/surface/cross_triangle.hd.h"

namespace volpt {

/// Where a path meets a surface. Normals are unit vectors in the box's axes, on the front.
struct SurfacePoint {
    Vec3 position; ///< voxels
    Vec3 geometric;
    Vec3 shading;
    float u, v;
    float offset_mm; ///< along the geometric normal: farther than `position` and the next hit are off by rounding
    std::uint32_t bsdf;
    std::uint32_t has_shading;
};

/// The integer below x; large ones are clamped.
VOLPT_HD std::int32_t floor_to_int(float x)
{
    float const bounded = exact::max(-0x1p30f, exact::min(x, 0x1p30f));
    auto const whole = static_cast<std::int32_t>(bounded);
    return whole - (bounded < static_cast<float>(whole) ? 1 : 0);
}

/// Texel index of a coordinate that repeats.
VOLPT_HD std::uint32_t wrap_texel(std::int32_t i, std::uint32_t count)
{
    std::int32_t const rest = i % static_cast<std::int32_t>(count);
    return static_cast<std::uint32_t>(rest < 0 ? rest + static_cast<std::int32_t>(count) : rest);
}

VOLPT_HD float read_texel(TextureView const& texture, std::uint32_t bands, std::uint32_t band, std::int32_t column,
                          std::int32_t row)
{
    std::uint32_t const tx = wrap_texel(column, texture.width);
    std::uint32_t const ty = wrap_texel(row, texture.height);
    return texture.texels[(static_cast<std::size_t>(ty) * texture.width + tx) * bands + band];
}

/// Bilinear between texel centres.
VOLPT_HD float read_texels(TextureView const& texture, std::uint32_t bands, std::uint32_t band, float u, float v)
{
    float const x = exact::fma(u, static_cast<float>(texture.width), -0.5f);
    float const y = exact::fma(1.0f - v, static_cast<float>(texture.height), -0.5f);
    std::int32_t const column = floor_to_int(x), row = floor_to_int(y);
    float const fx = exact::max(0.0f, exact::min(x - static_cast<float>(column), 1.0f));
    float const fy = exact::max(0.0f, exact::min(y - static_cast<float>(row), 1.0f));
    float const t00 = read_texel(texture, bands, band, column, row);
    float const t10 = read_texel(texture, bands, band, column + 1, row);
    float const t01 = read_texel(texture, bands, band, column, row + 1);
    float const t11 = read_texel(texture, bands, band, column + 1, row + 1);
    float const top = exact::fma(fx, t10 - t00, t00);
    float const bottom = exact::fma(fx, t11 - t01, t01);
    return exact::max(0.0f, exact::min(exact::fma(fy, bottom - top, top), 1.0f));
}

VOLPT_HD float read_texture(TextureView const& texture, std::uint32_t bands, std::uint32_t band, float u, float v)
{
    if (texture.width != 0u) return read_texels(texture, bands, band, u, v);
    bool const is_odd = texture.checks_u != 0.0f &&
                        ((floor_to_int(u * texture.checks_u) + floor_to_int(v * texture.checks_v)) & 1) != 0;
    return is_odd ? texture.colour[1][band] : texture.colour[0][band];
}

/// The band of the scene that throughput `b` of a path belongs to.
template <int bands>
VOLPT_HD std::uint32_t find_band(PathState<bands> const& path, int b)
{
    return bands > 1 ? static_cast<std::uint32_t>(b) : path.band;
}

/// Ends a path where no light comes from.
template <int bands>
VOLPT_HD void absorb_all(PathState<bands>& path)
{
    for (int b = 0; b < bands; ++b) path.throughput[b] = 0.0f;
    path.stage = Stage::ended;
}

VOLPT_HD Vec3 from_frame(Vec3 local, Vec3 normal)
{
    Frame const frame = make_frame(normal);
    return normalize(move_along(move_along(local.x * frame.tangent, local.y, frame.bitangent), local.z, normal));
}

/// A cosine-weighted direction about `shading`; where that lies behind the surface itself, another one about
/// `geometric`, as interact_with_triangle does. Draws two or four numbers.
VOLPT_HD Vec3 sample_diffuse(SideNormals const& normals, Rng& rng)
{
    auto const draw_about = [&](Vec3 normal) {
        float const u = to_unit(rng.draw());
        exact::SinCos const azimuth = exact::sincos_turns(rng.draw());
        float const radius = exact::sqrt(u);
        return from_frame({radius * azimuth.cosine, radius * azimuth.sine, exact::sqrt(1.0f - u)}, normal);
    };
    Vec3 const direction = draw_about(normals.shading);
    return dot(direction, normals.geometric) > 0.0f ? direction : draw_about(normals.geometric);
}

VOLPT_HD Vec3 mirror(Vec3 direction, Vec3 normal)
{
    return normalize(move_along(direction, -2.0f * dot(direction, normal), normal));
}

/// Phong's lobe: cos^n of the angle to the mirrored direction, which is the density that it is sampled with (E.
/// Lafortune, Y. Willems, Using the modified Phong reflectance model for physically based rendering, 1994).
VOLPT_HD Vec3 sample_phong_lobe(Vec3 mirrored, float exponent, Rng& rng)
{
    float const u = 1.0f - to_unit(rng.draw()); // not 0
    std::uint32_t const azimuth_bits = rng.draw();
    float const cosine = exact::min(1.0f, exact::exp_neg(exact::neg_log(u) * exact::reciprocal(exponent + 1.0f)));
    return from_frame(make_direction(cosine, azimuth_bits), mirrored);
}

/// Reflectance of a conductor with index eta + i k for unpolarised light (M. Born, E. Wolf, Principles of
/// Optics, 14.2).
VOLPT_HD float compute_conductor_reflectance(float cosine, float eta, float k)
{
    float const cosine2 = cosine * cosine, sine2 = exact::max(0.0f, 1.0f - cosine2);
    float const t = exact::fma(eta, eta, -k * k) - sine2;
    float const a2b2 = exact::sqrt(exact::fma(t, t, 4.0f * eta * eta * k * k));
    float const a = exact::sqrt(exact::max(0.0f, 0.5f * (a2b2 + t)));
    float const across = (a2b2 + cosine2 - 2.0f * a * cosine) / (a2b2 + cosine2 + 2.0f * a * cosine);
    float const square = exact::fma(cosine2, a2b2, sine2 * sine2), mixed = 2.0f * a * cosine * sine2;
    return exact::min(1.0f, 0.5f * across * (1.0f + (square - mixed) / (square + mixed)));
}

template <int bands>
VOLPT_HD void scale_by_texture(SceneView const& scene, TextureView const& texture, SurfacePoint const& point,
                               PathState<bands>& path)
{
    for (int b = 0; b < bands; ++b)
        path.throughput[b] *= read_texture(texture, scene.bands, find_band(path, b), point.u, point.v);
}

template <class Path>
VOLPT_HD void reflect_phong(SceneView const& scene, BsdfView const& bsdf, SurfacePoint const& point,
                            SideNormals const& normals, Path& path)
{
    if (!(to_unit(path.rng.draw()) < bsdf.specular_share)) {
        scale_by_texture(scene, bsdf.diffuse, point, path);
        path.direction = sample_diffuse(normals, path.rng);
        for (int b = 0; b < Path::kBands; ++b) path.throughput[b] *= exact::reciprocal(1.0f - bsdf.specular_share);
        return;
    }
    path.direction = sample_phong_lobe(mirror(path.direction, normals.shading), bsdf.exponent, path.rng);
    float const cosine = dot(path.direction, normals.shading);
    if (!(cosine > 0.0f) || !(dot(path.direction, normals.geometric) > 0.0f)) {
        absorb_all(path);
        return;
    }
    float const gain = exact::divide(bsdf.exponent + 2.0f, (bsdf.exponent + 1.0f) * bsdf.specular_share);
    for (int b = 0; b < Path::kBands; ++b) path.throughput[b] *= gain * cosine * bsdf.specular[find_band(path, b)];
}

template <int bands>
VOLPT_HD void reflect_at_conductor(SceneView const& scene, BsdfView const& bsdf, SurfacePoint const& point,
                                   SideNormals const& normals, PathState<bands>& path)
{
    scale_by_texture(scene, bsdf.diffuse, point, path);
    Vec3 const about_shading = mirror(path.direction, normals.shading);
    bool const is_possible = dot(about_shading, normals.geometric) > 0.0f;
    Vec3 const normal = is_possible ? normals.shading : normals.geometric;
    float const cosine = exact::max(0.0f, exact::min(-dot(path.direction, normal), 1.0f));
    path.direction = is_possible ? about_shading : mirror(path.direction, normals.geometric);
    if (bsdf.has_fresnel == 0u) return;
    for (int b = 0; b < bands; ++b) {
        std::uint32_t const band = find_band(path, b);
        path.throughput[b] *= compute_conductor_reflectance(cosine, bsdf.eta[band], bsdf.extinction[band]);
    }
}

/// A thin plate, with all reflections between its faces: R + T^2 R / (1 - R^2) is reflected, the rest goes straight on.
template <int bands>
VOLPT_HD bool cross_thin_plate(BsdfView const& bsdf, SideNormals const& normals, PathState<bands>& path)
{
    float const cosine = exact::max(0.0f, exact::min(-dot(path.direction, normals.shading), 1.0f));
    float const once = compute_fresnel(cosine, bsdf.boundary.int_over_ext).reflectance;
    float const reflectance = once < 1.0f ? exact::divide(2.0f * once, 1.0f + once) : 1.0f;
    if (!(to_unit(path.rng.draw()) < reflectance)) return true;
    Vec3 const about_shading = mirror(path.direction, normals.shading);
    path.direction =
        dot(about_shading, normals.geometric) > 0.0f ? about_shading : mirror(path.direction, normals.geometric);
    return false;
}

enum class Passage : std::uint32_t { reflected = 0, through = 1 };

// As in scatter.hd.h: what paths in scenes with emitters do besides.

/// At a diffuse surface or one of Phong's, which has weighted nothing yet. `normals` are on the path's side.
template <class Path>
VOLPT_HD void begin_reflection(SceneView const&, BsdfView const&, SurfacePoint const&, SideNormals const&, Path&)
{
}
/// After the new direction; the path may have ended.
template <class Path>
VOLPT_HD void end_reflection(SceneView const&, BsdfView const&, SideNormals const&, Vec3, Path&)
{
}
/// At a primitive of the surroundings, before what it does to light.
template <class Path>
VOLPT_HD void meet_emitter(SceneView const&, std::uint32_t, SurfacePoint const&, Path&)
{
}

/// Samples the new direction, with its weight; the path may end. `normals` are on its side.
template <class Path>
VOLPT_HD Passage scatter_at_bsdf(SceneView const& scene, BsdfView const& bsdf, SurfacePoint const& point,
                                 SideNormals const& normals, bool is_front, Path& path)
{
    if (bsdf.kind == BsdfKind::null) return Passage::through;
    if (bsdf.kind == BsdfKind::thin_dielectric)
        return cross_thin_plate(bsdf, normals, path) ? Passage::through : Passage::reflected;
    if (bsdf.kind == BsdfKind::dielectric) {
        float const eta = is_front ? bsdf.boundary.int_over_ext : bsdf.boundary.ext_over_int;
        return choose_interaction(bsdf.boundary, normals, point.has_shading != 0u, eta, path) ? Passage::through
                                                                                              : Passage::reflected;
    }
    if (!is_front && bsdf.two_sided == 0u) {
        absorb_all(path);
        return Passage::reflected;
    }
    if (bsdf.kind == BsdfKind::conductor) {
        reflect_at_conductor(scene, bsdf, point, normals, path);
        return Passage::reflected;
    }
    Vec3 const arriving = path.direction;
    begin_reflection(scene, bsdf, point, normals, path);
    if (bsdf.kind == BsdfKind::phong) {
        reflect_phong(scene, bsdf, point, normals, path);
    } else {
        scale_by_texture(scene, bsdf.diffuse, point, path);
        path.direction = sample_diffuse(normals, path.rng);
    }
    end_reflection(scene, bsdf, normals, arriving, path);
    return Passage::reflected;
}

/// The event of a path that meets a surface, and its position afterwards, on the side where it goes on. Roulette
/// follows, as after a collision. False if the surface does nothing: no event, as at index-matched triangles of a
/// solid.
template <class Path>
VOLPT_HD bool scatter_at_surface(SceneView const& scene, SurfacePoint const& point, Path& path)
{
    bool const is_front = dot(path.direction, point.geometric) < 0.0f;
    float const side = is_front ? 1.0f : -1.0f;
    SideNormals const normals{side * point.geometric, side * point.shading};
    BsdfView const& bsdf = scene.surroundings.bsdfs[point.bsdf];
    // A shading normal that faces away from the path is none.
    bool const is_usable = dot(path.direction, normals.shading) < 0.0f;
    SideNormals const used{normals.geometric, is_usable ? normals.shading : normals.geometric};
    Passage const passage = scatter_at_bsdf(scene, bsdf, point, used, is_front, path);
    float const away = (passage == Passage::through) != is_front ? 1.0f : -1.0f;
    path.position = move_along(point.position, away * point.offset_mm, point.geometric * scene.medium.inv_pitch);
    path.bounces += 1u;
    if (path.stage != Stage::ended) play_roulette(scene.roulette, path);
    return bsdf.kind != BsdfKind::null;
}

} // namespace volpt
