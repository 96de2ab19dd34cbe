// The colour of each point of a mesh that is printed.
#pragma once

#include "libvolpt/image/image.h"
#include "libvolpt/print/mesh/nearest_point.h"
#include "libvolpt/surface/triangle_mesh.h"

#include <memory>
#include <string>

namespace volpt {

/// sRGB codes, 0xRRGGBB: what textures have, and few enough to separate each of them once.
class SurfaceColours {
public:
    virtual ~SurfaceColours() = default;
    /// May be called by several threads.
    virtual std::uint32_t find(NearestPoint const& point) const = 0;
};

std::unique_ptr<SurfaceColours> make_constant_colour(std::uint32_t srgb);

/// The colours of corners, linear in between in linear light. One triple per triangle.
std::unique_ptr<SurfaceColours> make_corner_colours(std::vector<std::array<std::uint32_t, 3>> colours);

/// A picture by the texture coordinates of `mesh_voxels`, which are finite; its first row is at v = 1. Beyond 0..1 it
/// is repeated. A point takes the pixel that it lies in; where pixels are smaller than voxels, a mean of 2^n x 2^n of
/// them in linear light, about as large as a voxel, n by triangle. Alpha blends over white. Error (input, at `where`)
/// as sample_target, or if the mesh has no texture coordinates.
std::unique_ptr<SurfaceColours> make_texture_colours(Image const& picture, std::string const& where,
                                                     TriangleMesh const& mesh_voxels,
                                                     std::array<float, 3> const& pitch_mm);

} // namespace volpt
