#pragma once

#include "libvolpt/core/surface/bvh.hd.h"

#include <algorithm>
#include <array>

namespace volpt {

/// Squared distance in mm of a point from a box, both in voxels; 0 inside.
inline double measure_to_box2_mm2(BoundingBox const& box, std::array<double, 3> const& point,
                                  std::array<double, 3> const& pitch_mm)
{
    std::array<float, 3> const lower{box.lower.x, box.lower.y, box.lower.z},
        upper{box.upper.x, box.upper.y, box.upper.z};
    double sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double const below = static_cast<double>(lower[axis]) - point[axis];
        double const above = point[axis] - static_cast<double>(upper[axis]);
        double const gap = std::max(std::max(below, above), 0.0) * pitch_mm[axis];
        sum += gap * gap;
    }
    return sum;
}

/// Of the square of a distance: what a search may give away. Around the centre of a sphere all triangles are equally
/// near; a search that must tell them apart visits all of them, and a mesh of a million triangles takes ten times as
/// long.
inline constexpr double kDistanceLoss2 = 0x1p-5;

/// Of the longest side in mm of the box that holds point and triangles: the most by which rounding raises a distance of
/// 2^-17 of that side or more.
inline constexpr double kDistanceError = 0x1p-26;

/// Lower bounds in mm of distances between points and the triangles of a hierarchy in voxels, which it refers to. In
/// double precision, with the same bits on every host.
class DistanceSearch {
public:
    using Point = std::array<double, 3>;

    DistanceSearch(BvhView const& bvh, Vec3 pitch_mm);

    /// 1 - kDistanceLoss2 to 1 times the square of the distance to the nearest triangle. Begins with the triangle that
    /// the last call found: calls for points next to each other are faster. The bound depends on the calls before.
    double bound_nearest2_mm2(Point const& point_voxels);

private:
    void take_nearer(std::uint32_t place);
    void visit(std::uint32_t reference);

    BvhView const& bvh_;
    Point pitch_mm_;
    Point point_{}; ///< in voxels
    double nearest2_ = 0;
    double skipped2_ = 0;       ///< no box that was not visited is nearer
    std::uint32_t nearest_ = 0; ///< its place in bvh_.triangles
};

} // namespace volpt
