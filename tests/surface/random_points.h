#pragma once

#include "libvolpt/core/vec.hd.h"

#include <random>

namespace volpt::test {

inline float draw_number(std::mt19937& random, float low, float high)
{
    return low + (high - low) * static_cast<float>(random() >> 8) * 0x1p-24f;
}

/// In the cube from -size to size.
inline Vec3 draw_point(std::mt19937& random, float size)
{
    float const x = draw_number(random, -size, size);
    float const y = draw_number(random, -size, size);
    return {x, y, draw_number(random, -size, size)};
}

} // namespace volpt::test
