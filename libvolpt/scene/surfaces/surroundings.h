// The surfaces that stand around a solid, ready for paths.
#pragma once

#include "libvolpt/scene/scene.h"
#include "libvolpt/surface/bvh.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/surroundings/surrounding_shapes.h"

namespace volpt {

/// Owns what a SurroundingsView points into.
class Surroundings {
public:
    /// `ground` lies below the solid, whose points are `solid_voxels` (the corners of its box, or its vertices), by
    /// 2^-12 of the box's longest side: light that leaves the solid downwards so enters it again from outside. Fails
    /// (input) as build_bvh does.
    Surroundings(GroundSpec const& ground, SurroundingShapes shapes, VolumeMeta const& meta,
                 std::span<Vec3 const> solid_voxels);

    Surroundings(Surroundings const&) = delete; // view() points into this object
    Surroundings& operator=(Surroundings const&) = delete;

    SurroundingsView const& view() const { return view_; }

private:
    void add_ground(GroundSpec const& ground, VolumeMeta const& meta, std::span<Vec3 const> solid_voxels);
    void fill_primitives(VolumeMeta const& meta);

    SurroundingShapes shapes_;
    std::vector<std::uint32_t> bsdf_of_;
    Bvh bvh_;
    std::vector<LeafTriangle> triangles_;
    std::vector<std::uint32_t> places_;
    std::vector<Vec3> normals_;
    std::vector<float> texture_coordinates_;
    SurroundingsView view_;
};

} // namespace volpt
