// The point of a mesh that is nearest to a point.
#pragma once

#include "libvolpt/core/surface/bvh.hd.h"

#include <array>
#include <span>
#include <vector>

namespace volpt {

/// Of a triangle: the points p in mm with normal * p = offset_mm; a unit normal, or 0 of triangles without area.
struct TrianglePlane {
    std::array<double, 3> normal;
    double offset_mm;
};

/// In the order of `triangles`, which are in voxels.
std::vector<TrianglePlane> make_triangle_planes(std::span<LeafTriangle const> triangles,
                                                std::array<float, 3> const& pitch_mm);

struct NearestPoint {
    std::uint32_t triangle = kNoTriangle; ///< in the mesh; kNoTriangle: nothing is so near
    double distance2_mm2 = 0;
    double weight_b = 0, weight_c = 0; ///< barycentric, of the triangle's second and third corner
    std::array<double, 3> offset_mm{}; ///< from the point asked for
};

/// In double precision, anisotropic voxels as they are in mm.
class NearestPointSearch {
public:
    using Point = std::array<double, 3>;

    /// `bvh` is in voxels; it and the planes of its triangles have to outlive this object.
    NearestPointSearch(BvhView const& bvh, std::span<TrianglePlane const> planes, std::array<float, 3> const& pitch_mm);

    /// Of the points within `most_mm`; of equally near triangles, the one with the lowest number. Begins with the
    /// triangle that the last call found, so that calls for points next to each other are faster.
    NearestPoint find(Point const& point_voxels, double most_mm);

private:
    void take_nearer(std::uint32_t place);
    void visit(std::uint32_t reference);

    BvhView const& bvh_;
    std::span<TrianglePlane const> planes_;
    Point pitch_mm_;
    double rounding_mm_ = 0; ///< of a distance to a plane, at most
    Point point_{};          ///< in voxels
    Point point_mm_{};
    double most2_ = 0; ///< nearest yet
    NearestPoint nearest_;
    std::uint32_t place_ = 0; ///< of the last triangle that was found
};

} // namespace volpt
