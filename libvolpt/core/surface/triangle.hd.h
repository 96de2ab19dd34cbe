// Where a ray meets a triangle: watertight, in IEEE single precision alone.
//
// S. Woop, C. Benthin, I. Wald, Watertight Ray/Triangle Intersection, JCGT 2(1), 2013: vertices are moved into a space
// where the ray starts at the origin and runs along the third axis; what is left is whether the origin of a plane lies
// in a triangle. A vertex gets there by the same operations for all triangles that share it, so that the plane holds
// the same mesh, slightly moved. What decides there is exact: Woop's fallback to double precision is not needed.
#pragma once

#include "libvolpt/core/vec.hd.h"

namespace volpt {

/// The side of a triangle on which a ray may meet it. Corners are counter-clockwise as seen from the front.
enum class Facing : std::uint32_t { front, back, any };

/// A ray origin + t direction, prepared for triangles. Coordinates of rays and triangles are 0 or from 2^-40 to 2^40.
struct TriangleRay {
    Vec3 origin;
    Vec3 shear;         ///< (d_u / d_w, d_v / d_w, 1 / d_w)
    std::int32_t axis;  ///< w: where the direction is longest; u, v, w follow each other cyclically
    std::uint32_t down; ///< 1: d_w < 0
};

struct TriangleHit {
    bool met;
    float t;                  ///< in units of the direction's length
    float weight_b, weight_c; ///< barycentric; that of corner a is what is missing to 1
};

/// v with its components moved round, so that component `axis` is the third.
VOLPT_HD Vec3 turn_to_axis(Vec3 v, std::int32_t axis)
{
    return {axis == 0 ? v.y : axis == 1 ? v.z : v.x, axis == 0 ? v.z : axis == 1 ? v.x : v.y, get_axis(v, axis)};
}

/// The longest component of the direction is from 2^-30 to 2^30; others may be 0.
VOLPT_HD TriangleRay make_triangle_ray(Vec3 origin, Vec3 direction)
{
    float const x = exact::abs(direction.x);
    float const y = exact::abs(direction.y);
    float const z = exact::abs(direction.z);
    std::int32_t const axis = x > y ? (x > z ? 0 : 2) : (y > z ? 1 : 2);
    Vec3 const d = turn_to_axis(direction, axis);
    float const inverse = exact::reciprocal(d.z);
    return {origin, {d.x * inverse, d.y * inverse, inverse}, axis, d.z < 0.0f ? 1u : 0u};
}

/// A vertex in the space of the ray; z is t.
VOLPT_HD Vec3 move_to_ray(TriangleRay const& ray, Vec3 vertex)
{
    Vec3 const p = turn_to_axis(vertex - ray.origin, ray.axis);
    return {exact::fma(-ray.shear.x, p.z, p.x), exact::fma(-ray.shear.y, p.z, p.y), ray.shear.z * p.z};
}

/// a b - c d with a relative error below 2^-23, never of the wrong sign, and 0 only if it is 0 (W. Kahan; C.-P.
/// Jeannerod, N. Louvet, J.-M. Muller, Math. Comp. 82, 2013).
///
/// Sign: let q = fl(c d); e = q - c d is exact. Rounding is monotone and e is a float, so a b >= c d gives
/// f = fl(a b - q) >= c d - q = -e, and f + e >= 0; the other way round likewise. Zero: f = -e means that |a b - q| is
/// at most half a unit of q, up to rounding, which is at most 2^23 units of the last place of a b (the product of two
/// mantissas, below 2^48 of these, lies too far below a q of 2^48). So f is exact and a b = c d. Where a product
/// is below 2^-100, e underflows: the sign may then be 0, but is still not wrong, as the steps above are monotone.
VOLPT_HD float difference_of_products(float a, float b, float c, float d)
{
    float const q = c * d;
    float const e = exact::fma(-c, d, q);
    return exact::fma(a, b, -q) + e;
}

/// Whether the origin lies to the left of the line from b to c, whose double area with the origin is `area`. On the
/// line the origin counts as moved by (h, h^2), h > 0 as small as it takes (H. Edelsbrunner, E. Mucke, Simulation of
/// Simplicity, ACM Transactions on Graphics 9(1), 1990): a ray through an edge or a vertex meets one triangle of those
/// that meet there side by side, and crosses a closed mesh as often inwards as outwards.
VOLPT_HD bool lies_left(float area, Vec3 b, Vec3 c)
{
    if (area != 0.0f) return area > 0.0f;
    return b.y != c.y ? b.y > c.y : c.x > b.x;
}

/// Meets the triangle's plane anywhere on the line of the ray; t is for the caller to judge.
VOLPT_HD TriangleHit intersect_triangle(TriangleRay const& ray, Vec3 a, Vec3 b, Vec3 c, Facing facing)
{
    Vec3 const p = move_to_ray(ray, a);
    Vec3 const q = move_to_ray(ray, b);
    Vec3 const r = move_to_ray(ray, c);
    float const u = difference_of_products(q.x, r.y, q.y, r.x);
    float const v = difference_of_products(r.x, p.y, r.y, p.x);
    float const w = difference_of_products(p.x, q.y, p.y, q.x);
    bool const left = lies_left(u, q, r);
    // The axes are turned, not mirrored: seen along +w, a front is clockwise.
    bool const is_front = left == (ray.down != 0u);
    float const area = u + v + w;
    bool met = left == lies_left(v, r, p) && left == lies_left(w, p, q) && area != 0.0f;
    met = met && (facing == Facing::any || is_front == (facing == Facing::front));
    if (!met) return {false, 0.0f, 0.0f, 0.0f};
    // A power of two takes the area to 1 .. 2, where the reciprocal is the same on every processor.
    float const scale = float_from_bits(0x7f000000u - (bits_from_float(area) & 0x7f800000u));
    float const inverse = scale * exact::reciprocal(scale * area);
    float const weight_b = v * inverse;
    float const weight_c = w * inverse;
    return {true, exact::fma(u * inverse, p.z, exact::fma(weight_b, q.z, weight_c * r.z)), weight_b, weight_c};
}

} // namespace volpt
