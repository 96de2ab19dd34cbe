// The colour of each point of a mesh that is printed.
#pragma once

#include "libvolpt/image/stored_image.h"
#include "libvolpt/print/mesh/nearest_point.h"
#include "libvolpt/surface/triangle_mesh.h"

#include <memory>
#include <string>
#include <vector>

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

/// sRGB codes, top row first.
struct TextureLevel {
    int width = 0, height = 0;
    std::vector<std::uint32_t> colours;
};

/// A picture, and means of 2^n x 2^n of its pixels in linear light, down to one: 5.3 bytes per pixel. Alpha blends over
/// white. Error (input, at `where`) as sample_target.
std::vector<TextureLevel> make_texture_levels(StoredImage const& picture, std::string const& where);

/// Pictures by the texture coordinates of `mesh_voxels`, which are finite; the first row is at v = 1. Beyond 0..1 they
/// are repeated. A point takes the pixel that it lies in; where pixels are smaller than voxels, a mean of 2^n x 2^n of
/// them, about as large as a voxel, n by triangle. mesh_voxels.pictures says which texture a triangle has, the first
/// one if it is empty; textures that no triangle has may be empty. Colours of corners, if there are some, multiply a
/// picture in linear light, and are those of triangles without one. Error (input, at `where`) if the mesh has no
/// texture coordinates.
std::unique_ptr<SurfaceColours> make_texture_colours(std::vector<std::vector<TextureLevel>> textures,
                                                     std::string const& where, TriangleMesh const& mesh_voxels,
                                                     std::array<float, 3> const& pitch_mm);

/// The same of one picture.
std::unique_ptr<SurfaceColours> make_texture_colours(StoredImage const& picture, std::string const& where,
                                                     TriangleMesh const& mesh_voxels,
                                                     std::array<float, 3> const& pitch_mm);

} // namespace volpt
