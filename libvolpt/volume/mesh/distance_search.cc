#include "libvolpt/volume/mesh/distance_search.h"

#include <algorithm>
#include <limits>

namespace volpt {
namespace {

using Point = DistanceSearch::Point;

/// Of the squared sine of a triangle's angle at its first corner: below, its plane is lost in rounding. Then its edges
/// are as near as its inside, to kDistanceError.
constexpr double kLeastSine2 = 0x1p-44;

Point to_point(Vec3 p)
{
    return {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
}
Point subtract(Point const& a, Point const& b)
{
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
double multiply(Point const& a, Point const& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Point span_normal(Point const& a, Point const& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Of the origin from the line between two points.
double measure_to_edge2(Point const& a, Point const& b)
{
    Point const along = subtract(b, a);
    double const length2 = multiply(along, along);
    double const t = length2 > 0 ? std::clamp(-multiply(a, along) / length2, 0.0, 1.0) : 0.0;
    Point const nearest{a[0] + t * along[0], a[1] + t * along[1], a[2] + t * along[2]};
    return multiply(nearest, nearest);
}

/// Of the origin from a triangle: from its plane if it lies above the inside, else from the nearest edge. `bound2`
/// where the plane already shows that it is not nearer.
double measure_to_triangle2(Point const& a, Point const& b, Point const& c, double bound2)
{
    Point const p = subtract(b, a), q = subtract(c, a);
    Point const normal = span_normal(p, q);
    double const normal2 = multiply(normal, normal);
    if (normal2 > kLeastSine2 * (multiply(p, p) * multiply(q, q))) {
        double const height = multiply(a, normal), height2 = height * height;
        if (height2 >= bound2 * normal2) return bound2;
        Point const turned = span_normal(normal, a);
        double const weight_b = -multiply(q, turned), weight_c = multiply(p, turned);
        if (weight_b >= 0 && weight_c >= 0 && weight_b + weight_c <= normal2) return height2 / normal2;
    }
    return std::min({measure_to_edge2(a, b), measure_to_edge2(b, c), measure_to_edge2(c, a)});
}

} // namespace

DistanceSearch::DistanceSearch(BvhView const& bvh, Vec3 pitch_mm) : bvh_(bvh), pitch_mm_(to_point(pitch_mm)) {}

double DistanceSearch::bound_nearest2_mm2(Point const& point_voxels)
{
    point_ = point_voxels;
    nearest2_ = std::numeric_limits<double>::infinity();
    skipped2_ = nearest2_;
    take_nearer(nearest_);
    visit(bvh_.root);
    return std::min(nearest2_, skipped2_);
}

void DistanceSearch::take_nearer(std::uint32_t place)
{
    LeafTriangle const& t = bvh_.triangles[place];
    auto const move = [&](Vec3 corner) {
        Point const p = subtract(to_point(corner), point_);
        return Point{p[0] * pitch_mm_[0], p[1] * pitch_mm_[1], p[2] * pitch_mm_[2]};
    };
    double const distance2 = measure_to_triangle2(move(t.a), move(t.b), move(t.c), nearest2_);
    if (!(distance2 < nearest2_)) return;
    nearest2_ = distance2;
    nearest_ = place;
}

void DistanceSearch::visit(std::uint32_t reference)
{
    if (is_leaf(reference)) {
        std::uint32_t const first = get_leaf_first(reference), end = first + get_leaf_count(reference);
        for (std::uint32_t place = first; place < end; ++place) take_nearer(place);
        return;
    }
    BvhNode const& node = bvh_.nodes[reference];
    std::array<double, 2> const gap2{measure_to_box2_mm2(node.box[0], point_, pitch_mm_),
                                     measure_to_box2_mm2(node.box[1], point_, pitch_mm_)};
    std::size_t const first = gap2[1] < gap2[0] ? 1 : 0;
    for (std::size_t const child : {first, 1 - first}) {
        if (gap2[child] < (1 - kDistanceLoss2) * nearest2_)
            visit(node.child[child]);
        else
            skipped2_ = std::min(skipped2_, gap2[child]);
    }
}

} // namespace volpt
