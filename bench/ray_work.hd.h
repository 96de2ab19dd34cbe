// The rays of bench_rays and bench_rays_gpu: the same bits on both.
#pragma once

#include "libvolpt/core/surface/bvh.hd.h"

namespace volpt::bench {

/// Where paths go on from the triangle that they meet.
enum class Bounce : std::uint32_t { none, mirror, diffuse };

/// A camera on the z axis that looks down to the origin, and the mesh there.
struct RayScene {
    BvhView bvh;
    std::uint32_t const* places; ///< by number of the triangle: its place in bvh.triangles
    float distance_mm;
    float pixel_tangent; ///< size of a pixel at distance 1
    std::uint32_t width, height;
};

struct WorldRay {
    Vec3 origin;
    Vec3 direction; ///< unit
};

/// C. Wellons' lowbias32 (2018): every bit of the number changes every bit of the hash.
VOLPT_HD std::uint32_t hash_number(std::uint32_t number)
{
    number = (number ^ number >> 16) * 0x7feb352du;
    number = (number ^ number >> 15) * 0x846ca68bu;
    return number ^ number >> 16;
}

VOLPT_HD float to_unit_interval(std::uint32_t bits)
{
    return static_cast<float>(bits >> 8) * 0x1p-24f;
}

/// Path `number` is that of pixel number % pixels and sample number / pixels; its place in the pixel is random.
VOLPT_HD WorldRay make_primary_ray(RayScene const& scene, std::uint32_t number)
{
    std::uint32_t const pixel = number % (scene.width * scene.height);
    std::uint32_t const jitter_x = hash_number(2u * number);
    std::uint32_t const jitter_y = hash_number(2u * number + 1u);
    float const x = static_cast<float>(pixel % scene.width) + to_unit_interval(jitter_x);
    float const y = static_cast<float>(pixel / scene.width) + to_unit_interval(jitter_y);
    return {{0.0f, 0.0f, scene.distance_mm},
            normalize({(x - 0.5f * static_cast<float>(scene.width)) * scene.pixel_tangent,
                       (0.5f * static_cast<float>(scene.height) - y) * scene.pixel_tangent, -1.0f})};
}

/// From the point of `hit`: mirrored, or in a direction of the cosine's distribution about the triangle's normal.
VOLPT_HD WorldRay make_secondary_ray(RayScene const& scene, WorldRay const& ray, SurfaceHit const& hit, Bounce bounce,
                                     std::uint32_t number)
{
    LeafTriangle const triangle = scene.bvh.triangles[scene.places[hit.triangle]];
    float const weight_a = 1.0f - hit.weight_b - hit.weight_c;
    Vec3 const point =
        move_along(move_along(weight_a * triangle.a, hit.weight_b, triangle.b), hit.weight_c, triangle.c);
    Vec3 const normal = normalize(cross(triangle.b - triangle.a, triangle.c - triangle.a));
    if (bounce == Bounce::mirror)
        return {point, normalize(move_along(ray.direction, -2.0f * dot(ray.direction, normal), normal))};
    Frame const frame = make_frame(normal);
    float const height2 = to_unit_interval(hash_number(0x40000000u + 2u * number));
    exact::SinCos const turn = exact::sincos_turns(hash_number(0x40000001u + 2u * number));
    float const aside = exact::sqrt(1.0f - height2);
    Vec3 const along = move_along(aside * turn.cosine * frame.tangent, aside * turn.sine, frame.bitangent);
    return {point, normalize(move_along(along, exact::sqrt(height2) + 0x1p-12f, normal))};
}

inline constexpr float kRayEnd_mm = 0x1p60f;

/// The nearest triangle that the ray meets from the front.
VOLPT_HD SurfaceHit trace_ray(RayScene const& scene, WorldRay const& ray)
{
    return find_triangle(scene.bvh, make_bvh_ray(scene.bvh, ray.origin, ray.direction), Facing::front, 0.0f,
                         kRayEnd_mm);
}

/// Of all bits of a hit.
VOLPT_HD std::uint32_t hash_hit(SurfaceHit const& hit)
{
    std::uint32_t const weights = bits_from_float(hit.weight_b) * 0x9e3779b1u ^ bits_from_float(hit.weight_c);
    return hash_number((bits_from_float(hit.t) * 0x85ebca6bu ^ weights) * 0xc2b2ae35u ^ hit.triangle);
}

/// What the path `number` adds to the checksum of a picture, which so depends on no order.
VOLPT_HD std::uint64_t weigh_hash(std::uint32_t hash, std::uint32_t number)
{
    return static_cast<std::uint64_t>(hash) * (2u * hash_number(number) + 1u);
}

/// The path's pixel by the number of its thread: rows, or blocks of 8 x 8 pixels, rows of which are rows. Width and
/// height are multiples of 8.
enum class PixelOrder : std::uint32_t { rows, blocks };

VOLPT_HD std::uint32_t find_path_number(RayScene const& scene, PixelOrder order, std::uint32_t thread)
{
    if (order == PixelOrder::rows) return thread;
    std::uint32_t const pixels = scene.width * scene.height;
    std::uint32_t const pixel = thread % pixels;
    std::uint32_t const block = pixel / 64u;
    std::uint32_t const blocks_per_row = scene.width / 8u;
    std::uint32_t const x = block % blocks_per_row * 8u + pixel % 8u;
    std::uint32_t const y = block / blocks_per_row * 8u + pixel / 8u % 8u;
    return thread - pixel + y * scene.width + x;
}

} // namespace volpt::bench
