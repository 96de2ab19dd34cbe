// Random inputs for tests of core: reproducible, independent of core's own transformations. At most one draw a full
// expression: compilers differ in the order in which they evaluate arguments.
#pragma once

#include "libvolpt/core/vec.hd.h"

#include <random>

namespace volpt::test {

class RandomVectors {
public:
    explicit RandomVectors(unsigned seed) : engine_(seed) {}

    double uniform(double low, double high)
    {
        return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
    }
    float uniform_float(double low, double high) { return static_cast<float>(uniform(low, high)); }
    std::uint32_t bits() { return static_cast<std::uint32_t>(engine_() >> 32); }

    Vec3 point_in(Vec3 size)
    {
        float const x = size.x * uniform_float(0, 1), y = size.y * uniform_float(0, 1),
                    z = size.z * uniform_float(0, 1);
        return {x, y, z};
    }

    /// Uniform on the sphere, by rejection.
    Vec3 direction()
    {
        for (;;) {
            float const x = uniform_float(-1, 1), y = uniform_float(-1, 1), z = uniform_float(-1, 1);
            float const length2 = x * x + y * y + z * z;
            if (length2 > 0.01f && length2 < 1) return normalize({x, y, z});
        }
    }

private:
    std::mt19937_64 engine_;
};

struct DoubleVec {
    double x, y, z;
};

inline DoubleVec to_double(Vec3 v)
{
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}
inline double dot(DoubleVec a, DoubleVec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline double length(Vec3 v)
{
    return std::sqrt(dot(to_double(v), to_double(v)));
}
inline double dot_double(Vec3 a, Vec3 b)
{
    return dot(to_double(a), to_double(b));
}

} // namespace volpt::test
