// A triangle mesh in memory, as readers hand it over and as the packer stores it.
#pragma once

#include "libvolpt/core/vec.hd.h"

#include <array>
#include <cstdint>
#include <vector>

namespace volpt {

struct TextureCoordinates {
    float u = 0, v = 0; ///< v upwards
};

/// Corners of a triangle are counter-clockwise as seen from outside. What belongs to corners is stored per corner, not
/// per vertex: vertices at equal positions can be one although their normals or texture coordinates differ.
struct TriangleMesh {
    static constexpr std::uint16_t kNoPicture = 0xffff;

    std::vector<Vec3> positions_mm;
    std::vector<std::array<std::uint32_t, 3>> triangles; ///< indices of positions_mm
    std::vector<std::array<Vec3, 3>> normals;            ///< for shading, unit, per triangle; empty if there are none
    std::vector<std::array<TextureCoordinates, 3>> texture_coordinates; ///< per triangle; empty if there are none
    std::vector<std::array<std::uint32_t, 3>> colours; ///< sRGB, 0xRRGGBB, per triangle; empty if there are none
    /// Per triangle: which of a list of pictures has its colours, or kNoPicture; empty if there are none.
    std::vector<std::uint16_t> pictures = {};
};

} // namespace volpt
