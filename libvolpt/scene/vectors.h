// Vectors in double precision, for what a scene is made of before it is rounded.
#pragma once

#include "libvolpt/core/vec.hd.h"
#include "libvolpt/scene/scene.h"

#include <cmath>

namespace volpt {

inline Vec3 round_vector(Vec3d const& v)
{
    return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

inline Vec3d make_precise(Vec3 v)
{
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

inline Vec3d find_difference(Vec3d const& a, Vec3d const& b)
{
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

inline Vec3d find_cross(Vec3d const& a, Vec3d const& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline double find_dot(Vec3d const& a, Vec3d const& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline double measure_length(Vec3d const& v)
{
    return std::sqrt(find_dot(v, v));
}

} // namespace volpt
