// Where a point that sends light appears on the film, and how brightly.
//
// P. Dutre, E. Lafortune, Y. Willems, Monte Carlo Light Tracing with Direct Computation of Pixel Intensities
// (Compugraphics 1993). The film is the mean over samples of all that the particles of its pixels add: with N pixels,
// each of them stands for reference_power_w / N, and a pixel's share of the film is 1 / N, so that N cancels.
#pragma once

#include "libvolpt/core/scene_view.hd.h"

namespace volpt {

/// PathState::slot of a particle that adds nothing to the film.
inline constexpr std::uint32_t kNoSlot = 0xffffffffu;

/// A point as the film sees it.
struct FilmPoint {
    std::uint32_t slot = kNoSlot; ///< the pixel, y * width + x; kNoSlot: it does not appear
    Vec3 direction;               ///< unit, from the point to the film
    float distance_mm = 0;
    float gain = 0; ///< film value per sr^-1 of a particle of weight 1 that goes on into `direction`
};

/// The pixel at (sx, sy) of CameraView; kNoSlot beside the film.
VOLPT_HD std::uint32_t find_pixel(SceneView const& scene, float sx, float sy)
{
    if (!(sx >= -1.0f && sx < 1.0f && sy > -1.0f && sy <= 1.0f)) return kNoSlot;
    float const width = static_cast<float>(scene.width), height = static_cast<float>(scene.height);
    auto const x = static_cast<std::uint32_t>(exact::to_index(0.5f * (sx + 1.0f) * width, width - 1.0f));
    auto const y = static_cast<std::uint32_t>(exact::to_index(0.5f * (1.0f - sy) * height, height - 1.0f));
    return y * scene.width + x;
}

/// The pixel at (sx, sy), where `offset` is sx right + sy up + a part perpendicular to both.
VOLPT_HD std::uint32_t find_pixel_at(SceneView const& scene, Vec3 offset)
{
    CameraView const& camera = scene.camera;
    Vec3 const normal = cross(camera.right, camera.up);
    float const scale = exact::reciprocal(dot(normal, normal));
    return find_pixel(scene, scale * dot(cross(offset, camera.up), normal),
                      scale * dot(cross(camera.right, offset), normal));
}

/// A pinhole camera: a film area A in a plane at distance h, whose points are at distance r, covers the solid angle
/// A h / r^3 from the pinhole; light of a point at distance d falls as 1 / d^2.
VOLPT_HD FilmPoint find_pinhole_point(SceneView const& scene, Vec3 position)
{
    CameraView const& camera = scene.camera;
    Vec3 const from_mm = (position - camera.origin) * scene.lights.pitch_mm;
    float const distance_mm = exact::sqrt(dot(from_mm, from_mm));
    FilmPoint point;
    if (!(distance_mm > 0x1p-30f)) return point;
    Vec3 const seen = exact::reciprocal(distance_mm) * from_mm;
    Vec3 const normal = cross(camera.right, camera.up);
    float const height = dot(camera.forward, normal), slope = dot(seen, normal);
    if (!(exact::abs(slope) > 0x1p-20f * exact::abs(height)) || (slope > 0.0f) != (height > 0.0f)) return point;
    float const reach = exact::divide(height, slope);
    point.slot = find_pixel_at(scene, reach * seen - camera.forward);
    point.direction = -seen;
    point.distance_mm = distance_mm;
    float const shrinks = exact::divide(reach, distance_mm);
    point.gain = scene.lights.reference_power_w * exact::divide(shrinks * shrinks * reach, 4.0f * exact::abs(height));
    return point;
}

/// The film's area in mm^2, as seen along `direction`, of a camera whose rays are parallel.
VOLPT_HD float measure_film_mm2(SceneView const& scene, Vec3 direction)
{
    Vec3 const pitch = scene.lights.pitch_mm;
    return 4.0f * exact::abs(dot(cross(scene.camera.right * pitch, scene.camera.up * pitch), direction));
}

/// Parallel rays: the film sees all that the point sends along them.
VOLPT_HD FilmPoint find_orthographic_point(SceneView const& scene, Vec3 position)
{
    CameraView const& camera = scene.camera;
    Vec3 const along = normalize(camera.forward);
    Vec3 const pitch = scene.lights.pitch_mm;
    Vec3 const right = camera.right * pitch, up = camera.up * pitch;
    Vec3 const normal = cross(right, up);
    Vec3 const from_mm = (position - camera.origin) * pitch;
    float const distance_mm = exact::divide(dot(from_mm, normal), dot(along, normal));
    FilmPoint point;
    if (!(distance_mm > 0.0f)) return point;
    Vec3 const on_film_mm = move_along(from_mm, -distance_mm, along);
    point.slot = find_pixel_at(scene, on_film_mm * scene.medium.inv_pitch);
    point.direction = -along;
    point.distance_mm = distance_mm;
    point.gain = exact::divide(scene.lights.reference_power_w, measure_film_mm2(scene, along));
    return point;
}

/// The film point of `position` (voxels), if its light may reach the film in a straight line. Probes have none.
VOLPT_HD FilmPoint find_film_point(SceneView const& scene, Vec3 position)
{
    if (scene.camera.aim != Aim::pixel || scene.texture_probe != nullptr) return {};
    return scene.camera.parallel != 0.0f ? find_orthographic_point(scene, position)
                                         : find_pinhole_point(scene, position);
}

/// The film point of a particle that leaves the solid at `position` on its surface, for a diffuse view of a probed
/// face: pi times the film value is the power per area. The gain is per weight of the particle, without a BSDF.
VOLPT_HD FilmPoint find_probe_point(SceneView const& scene, Vec3 position, Vec3 direction)
{
    CameraView const& camera = scene.camera;
    FilmPoint point;
    if (camera.aim != Aim::hemisphere || scene.texture_probe != nullptr) return point;
    Vec3 const from = position - camera.origin;
    bool const is_on_face = exact::abs(dot(from, camera.forward)) <= measure_margin_voxels(scene.medium.size_voxels);
    if (!is_on_face || !(dot(direction, camera.forward) < 0.0f)) return point;
    point.slot = find_pixel_at(scene, from);
    point.gain = exact::divide(kInversePi * scene.lights.reference_power_w, measure_film_mm2(scene, camera.forward));
    return point;
}

} // namespace volpt
