// Camera rays and where they enter the box.
#pragma once

#include "libvolpt/core/rng.hd.h"
#include "libvolpt/core/scene_view.hd.h"

namespace volpt {

struct Ray {
    Vec3 origin;    ///< voxels
    Vec3 direction; ///< unit, box axes
};

/// The ray through picture point (px, py) in pixels from the top left corner.
VOLPT_HD Ray make_camera_ray(SceneView const& scene, float px, float py)
{
    CameraView const& camera = scene.camera;
    float const sx = exact::fma(2.0f * scene.inv_width, px, -1.0f);
    float const sy = exact::fma(-2.0f * scene.inv_height, py, 1.0f);
    Vec3 const offset = move_along(sx * camera.right, sy, camera.up);
    return {camera.origin + camera.parallel * offset, normalize(camera.forward + (1.0f - camera.parallel) * offset)};
}

struct DiscPoint {
    float x;
    float y;
};

/// A uniform point of the unit disc by the concentric map, which keeps strata compact (P. Shirley & K. Chiu, A Low
/// Distortion Map Between Disk and Square, JGT 2, 1997).
VOLPT_HD DiscPoint sample_disc(std::uint32_t x_bits, std::uint32_t y_bits)
{
    float const a = exact::fma(2.0f, to_unit(x_bits), -1.0f);
    float const b = exact::fma(2.0f, to_unit(y_bits), -1.0f);
    bool const by_a = exact::abs(a) > exact::abs(b);
    float const radius = by_a ? a : b;
    float const other = by_a ? b : a;
    float const ratio = other / (radius == 0.0f ? 1.0f : radius);
    // An eighth of a turn is 2^29.
    auto const eighth = static_cast<std::uint32_t>(static_cast<std::int32_t>(ratio * 0x1p29f));
    exact::SinCos const angle = exact::sincos_turns(by_a ? eighth : 0x40000000u - eighth);
    return {radius * angle.cosine, radius * angle.sine};
}

/// The ray of picture point (px, py) through a point of the lens.
VOLPT_HD Ray make_lens_ray(SceneView const& scene, float px, float py, DiscPoint on_lens)
{
    CameraView const& camera = scene.camera;
    float const sx = exact::fma(2.0f * scene.inv_width, px, -1.0f);
    float const sy = exact::fma(-2.0f * scene.inv_height, py, 1.0f);
    Vec3 const to_focus = camera.forward + move_along(sx * camera.right, sy, camera.up);
    Vec3 const aside = move_along(on_lens.x * scene.lens.right, on_lens.y, scene.lens.up);
    return {camera.origin + aside * scene.lens.focus_voxels, normalize(to_focus - aside)};
}

/// Flags are numbers: loops over lanes that return a struct with a bool do not vectorise.
struct BoxEntry {
    std::uint32_t hits = 0;          ///< 1 if the ray meets the box
    std::uint32_t starts_inside = 0; ///< 1 if its origin lies in it
    Vec3 position;                   ///< voxels; exactly on the face unless the origin lies inside
};

/// Distances in mm between which a ray is inside the slab of one axis; empty (1, -1) if it never is.
struct SlabInterval {
    float first;
    float last;
};

VOLPT_HD SlabInterval meet_slab(float origin, float velocity, float size)
{
    bool const parallel = velocity == 0.0f;
    bool const beside = parallel & ((origin < 0.0f) | (origin > size));
    float const divisor = parallel ? 1.0f : velocity;
    float const a = (0.0f - origin) / divisor;
    float const b = (size - origin) / divisor;
    float const first = parallel ? -3.0e38f : exact::min(a, b);
    float const last = parallel ? 3.0e38f : exact::max(a, b);
    return {beside ? 1.0f : first, beside ? -1.0f : last};
}

/// Slab test in voxels (T. Kay & J. Kajiya, Ray Tracing Complex Scenes, SIGGRAPH 1986), without branches. A ray that
/// only grazes an edge misses.
VOLPT_HD BoxEntry enter_box(Ray const& ray, Vec3 inv_pitch, Vec3 size)
{
    Vec3 const velocity = ray.direction * inv_pitch;
    SlabInterval const x = meet_slab(ray.origin.x, velocity.x, size.x);
    SlabInterval const y = meet_slab(ray.origin.y, velocity.y, size.y);
    SlabInterval const z = meet_slab(ray.origin.z, velocity.z, size.z);
    float const first = exact::max(x.first, exact::max(y.first, z.first));
    float const last = exact::min(x.last, exact::min(y.last, z.last));
    bool const inside = first < 0.0f; // on a face is outside: the boundary is still ahead
    float const t = exact::max(0.0f, first);
    Vec3 const p = move_along(ray.origin, t, velocity);
    bool const by_x = !inside & (x.first == first);
    bool const by_y = !inside & !by_x & (y.first == first);
    bool const by_z = !inside & !by_x & !by_y;
    BoxEntry entry;
    entry.hits = t < last ? 1u : 0u;
    entry.starts_inside = inside ? 1u : 0u;
    entry.position = {by_x ? (velocity.x > 0.0f ? 0.0f : size.x) : exact::max(0.0f, exact::min(p.x, size.x)),
                      by_y ? (velocity.y > 0.0f ? 0.0f : size.y) : exact::max(0.0f, exact::min(p.y, size.y)),
                      by_z ? (velocity.z > 0.0f ? 0.0f : size.z) : exact::max(0.0f, exact::min(p.z, size.z))};
    return entry;
}

} // namespace volpt
