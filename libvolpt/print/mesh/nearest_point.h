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

/// Points in voxels from `lower` to `upper`.
struct PointBox {
    std::array<double, 3> lower, upper;
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

    /// Gathers all triangles that are nearest to some point of `box` and at most `most_mm` away from it; others may be
    /// among them.
    void gather(PointBox const& box, double most_mm);

    /// find among those that were gathered last, for a point in their box and a distance up to theirs: the same point
    /// but for rounding, of which this one depends on nothing else. The faster, the more points a box holds.
    NearestPoint find_gathered(Point const& point_voxels, double most_mm);

private:
    /// A triangle by its plane and a disc around it, which lies in the plane if there is one.
    struct Candidate {
        TrianglePlane plane;
        Point centre_mm;
        double radius_mm;
        std::uint32_t place;
    };

    void begin(Point const& point_voxels, double most_mm);
    void take_nearer(std::uint32_t place);
    void measure(std::uint32_t place);
    void visit(std::uint32_t reference);
    void visit_near(std::uint32_t reference, PointBox const& box, double most_mm);
    void add_candidate(std::uint32_t place, PointBox const& box, double most_mm);

    BvhView const& bvh_;
    std::span<TrianglePlane const> planes_;
    Point pitch_mm_;
    double rounding_mm_ = 0; ///< of a distance to a plane, at most
    Point point_{};          ///< in voxels
    Point point_mm_{};
    double most2_ = 0; ///< nearest yet
    NearestPoint nearest_;
    std::uint32_t place_ = 0; ///< of the last triangle that was found
    std::vector<Candidate> candidates_;
    std::size_t candidate_ = 0; ///< the last one that was found
};

} // namespace volpt
