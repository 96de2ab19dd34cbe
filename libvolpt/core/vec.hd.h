// Three-component float vectors.
#pragma once

#include "libvolpt/core/exact_math.hd.h"

namespace volpt {

struct Vec3 {
    float x = 0, y = 0, z = 0;
};

VOLPT_HD Vec3 operator+(Vec3 a, Vec3 b)
{
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
VOLPT_HD Vec3 operator-(Vec3 a, Vec3 b)
{
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
VOLPT_HD Vec3 operator-(Vec3 a)
{
    return {-a.x, -a.y, -a.z};
}
VOLPT_HD Vec3 operator*(Vec3 a, Vec3 b)
{
    return {a.x * b.x, a.y * b.y, a.z * b.z};
}
VOLPT_HD Vec3 operator*(float s, Vec3 a)
{
    return {s * a.x, s * a.y, s * a.z};
}

VOLPT_HD float dot(Vec3 a, Vec3 b)
{
    return exact::fma(a.x, b.x, exact::fma(a.y, b.y, a.z * b.z));
}

VOLPT_HD Vec3 cross(Vec3 a, Vec3 b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// p + s * d, each component rounded once.
VOLPT_HD Vec3 move_along(Vec3 p, float s, Vec3 d)
{
    return {exact::fma(s, d.x, p.x), exact::fma(s, d.y, p.y), exact::fma(s, d.z, p.z)};
}

/// a * b + c, each component rounded once.
VOLPT_HD Vec3 multiply_add(Vec3 a, Vec3 b, Vec3 c)
{
    return {exact::fma(a.x, b.x, c.x), exact::fma(a.y, b.y, c.y), exact::fma(a.z, b.z, c.z)};
}

VOLPT_HD Vec3 clamp_to_box(Vec3 p, Vec3 size)
{
    return {exact::max(0.0f, exact::min(p.x, size.x)), exact::max(0.0f, exact::min(p.y, size.y)),
            exact::max(0.0f, exact::min(p.z, size.z))};
}

/// `a` scaled to length 1; its length is from 2^-50 to 2^50.
VOLPT_HD Vec3 normalize(Vec3 a)
{
    return exact::reciprocal(exact::sqrt(dot(a, a))) * a;
}

/// Two unit vectors that complete the unit vector `n` to a right-handed frame; no branch, no singularity.
/// T. Duff et al., Building an Orthonormal Basis, Revisited, JCGT 6(1), 2017.
struct Frame {
    Vec3 tangent;
    Vec3 bitangent;
};

VOLPT_HD Frame make_frame(Vec3 n)
{
    float const sign = exact::copysign(1.0f, n.z);
    float const a = -exact::reciprocal(sign + n.z);
    float const b = n.x * n.y * a;
    return {{1.0f + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}};
}

VOLPT_HD float get_axis(Vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

VOLPT_HD Vec3 with_axis(Vec3 v, int axis, float value)
{
    return {axis == 0 ? value : v.x, axis == 1 ? value : v.y, axis == 2 ? value : v.z};
}

} // namespace volpt
