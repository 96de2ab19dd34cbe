// Where points and other surfaces lie relative to closed meshes.
#pragma once

#include "libvolpt/surface/bvh.h"

namespace volpt {

/// A surface relative to a solid: nothing of it within, some, or all.
enum class PlaceInSolid { outside, across, inside };

class SolidLocator {
public:
    /// `mesh` is one that check_mesh accepts, of finite coordinates. Its triangles are copied.
    explicit SolidLocator(TriangleMesh const& mesh, int threads = 1);

    SolidLocator(SolidLocator const&) = delete; // the view points into this object
    SolidLocator& operator=(SolidLocator const&) = delete;

    /// A triangle of the component that the point lies in: the next one along +z, met from the back. kNoTriangle if the
    /// point is outside; either on the surface itself.
    std::uint32_t find_enclosing(Vec3 point) const;

    /// The place of `surface`, which may be open. Where they only touch, within 1e-4 of an edge's length, it is not
    /// `across`.
    PlaceInSolid locate(TriangleMesh const& surface) const;

    /// The place of the surface of a ball.
    PlaceInSolid locate_sphere(Vec3 centre, float radius) const;

private:
    bool meets_edge_of(TriangleMesh const& mesh) const;

    TriangleMesh mesh_;
    Bvh bvh_;
    std::vector<LeafTriangle> triangles_;
    BvhView view_;
};

} // namespace volpt
