// Shapes of a Mitsuba scene that bound a homogeneous medium and are closed meshes, or become one.
#pragma once

#include "formats/mitsuba/medium.h"
#include "formats/mitsuba/shape_mesh.h"
#include "formats/mitsuba/surroundings/surroundings.h"
#include "libvolpt/scene/scene_hints.h"
#include "libvolpt/volume/voxel_stream.h"

namespace volpt {

/// A shape and what it bounds, in the world.
struct MitsubaSolid {
    std::string name;  ///< "shape sphere 'ball'"
    std::string where; ///< "scene.xml at offset 123"
    ShapeMesh mesh;    ///< fronts outside; normals for shading if it has a boundary
    BoundarySpec boundary;
    MitsubaMedium medium;                  ///< constants alone
    MitsubaNode const* interior = nullptr; ///< that medium; null: it is empty
    MitsubaNode const* exterior = nullptr; ///< outside, if the shape names one that is inside of another
};

/// Cubes, spheres (an icosphere of equal volume, with a notice), .obj and .ply. Error (input) names shapes of other
/// types, which bound nothing, stretched spheres, and files that cannot be read. Whether a mesh is closed is not looked
/// at.
ShapeMesh read_solid_mesh(MitsubaTree const& tree, MitsubaNode const& shape, std::vector<std::string>& notices);

/// Whether all have the same interface.
bool share_boundary(std::span<MitsubaSolid const> solids);

struct SolidVolumeOptions {
    std::size_t bands = 1;
    std::optional<double> scale; ///< replaces those of the media
    std::optional<double> g;
    int bricks = 64; ///< along the longest side of the box
    int threads = 1;
};

/// The media within the solids, and `surroundings` around them. Where interfaces differ, the volume has them by solid.
/// Media that differ are voxels, each of which meets solids of one medium alone, unless solids lie in others: then
/// media, too, go with the solids. Error (input) names a solid whose mesh bounds none, or two that overlap, or that are
/// too near one another for the voxels, or of which one lies in the other and they disagree about what is between them.
std::unique_ptr<VoxelStream> make_solid_volume(std::vector<MitsubaSolid> solids,
                                               MitsubaSurroundings const& surroundings,
                                               SolidVolumeOptions const& options, std::string const& where,
                                               std::vector<std::string> notices, std::string scene_hints_json);

} // namespace volpt
