#include "libvolpt/print/mesh/nearest_point.h"

#include "libvolpt/volume/mesh/distance_search.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

using Point = NearestPointSearch::Point;

double dot(Point const& a, Point const& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Point subtract(Point const& a, Point const& b)
{
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Point to_point(Vec3 p)
{
    return {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
}

double divide(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/// Squared; 0 where they overlap.
double measure_between_boxes2_mm2(BoundingBox const& a, PointBox const& b, Point const& pitch_mm)
{
    Point const lower = to_point(a.lower), upper = to_point(a.upper);
    double sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double const below = lower[axis] - b.upper[axis], above = b.lower[axis] - upper[axis];
        double const gap = std::max(std::max(below, above), 0.0) * pitch_mm[axis];
        sum += gap * gap;
    }
    return sum;
}

struct Weights {
    double b, c;
};

/// Of the point of a triangle that is nearest to the origin (C. Ericson, Real-Time Collision Detection, 2005, 5.1.5).
Weights find_nearest_to_origin(Point const& a, Point const& ab, Point const& ac)
{
    double const ab_a = -dot(ab, a), ac_a = -dot(ac, a);
    if (ab_a <= 0 && ac_a <= 0) return {0, 0};
    double const ab_ab = dot(ab, ab), ab_ac = dot(ab, ac), ac_ac = dot(ac, ac);
    double const ab_b = ab_a - ab_ab, ac_b = ac_a - ab_ac;
    if (ab_b >= 0 && ac_b <= ab_b) return {1, 0};
    double const weight_c = ab_a * ac_b - ab_b * ac_a;
    if (weight_c <= 0 && ab_a >= 0 && ab_b <= 0) return {divide(ab_a, ab_ab), 0};
    double const ab_c = ab_a - ab_ac, ac_c = ac_a - ac_ac;
    if (ac_c >= 0 && ab_c <= ac_c) return {0, 1};
    double const weight_b = ab_c * ac_a - ab_a * ac_c;
    if (weight_b <= 0 && ac_a >= 0 && ac_c <= 0) return {0, divide(ac_a, ac_ac)};
    double const weight_a = ab_b * ac_c - ab_c * ac_b;
    if (weight_a <= 0 && ac_b - ab_b >= 0 && ab_c - ac_c >= 0) {
        double const share = divide(ac_b - ab_b, (ac_b - ab_b) + (ab_c - ac_c));
        return {1 - share, share};
    }
    double const sum = weight_a + weight_b + weight_c;
    return {divide(weight_b, sum), divide(weight_c, sum)};
}

} // namespace

std::vector<TrianglePlane> make_triangle_planes(std::span<LeafTriangle const> triangles,
                                                std::array<float, 3> const& pitch_mm)
{
    auto const to_mm = [&](Vec3 corner) {
        Point p = to_point(corner);
        for (std::size_t a = 0; a < 3; ++a) p[a] *= static_cast<double>(pitch_mm[a]);
        return p;
    };
    std::vector<TrianglePlane> planes;
    planes.reserve(triangles.size());
    for (LeafTriangle const& t : triangles) {
        Point const a = to_mm(t.a), ab = subtract(to_mm(t.b), a), ac = subtract(to_mm(t.c), a);
        Point normal{ab[1] * ac[2] - ab[2] * ac[1], ab[2] * ac[0] - ab[0] * ac[2], ab[0] * ac[1] - ab[1] * ac[0]};
        double const length = std::sqrt(dot(normal, normal));
        // Of slivers the direction of the normal is lost in rounding.
        bool const has_plane = length > 1e-6 * (dot(ab, ab) + dot(ac, ac));
        for (double& component : normal) component = has_plane ? component / length : 0;
        planes.push_back({normal, dot(normal, a)});
    }
    return planes;
}

NearestPointSearch::NearestPointSearch(BvhView const& bvh, std::span<TrianglePlane const> planes,
                                       std::array<float, 3> const& pitch_mm)
    : bvh_(bvh), planes_(planes), pitch_mm_{static_cast<double>(pitch_mm[0]), static_cast<double>(pitch_mm[1]),
                                            static_cast<double>(pitch_mm[2])}
{
    Point const upper = to_point(bvh.bounds.upper);
    for (std::size_t a = 0; a < 3; ++a) rounding_mm_ += 1e-8 * upper[a] * pitch_mm_[a];
}

void NearestPointSearch::begin(Point const& point_voxels, double most_mm)
{
    point_ = point_voxels;
    for (std::size_t a = 0; a < 3; ++a) point_mm_[a] = point_[a] * pitch_mm_[a];
    most2_ = most_mm * most_mm;
    nearest_ = {};
}

NearestPoint NearestPointSearch::find(Point const& point_voxels, double most_mm)
{
    begin(point_voxels, most_mm);
    take_nearer(place_);
    visit(bvh_.root);
    nearest_.distance2_mm2 = most2_;
    return nearest_;
}

void NearestPointSearch::take_nearer(std::uint32_t place)
{
    TrianglePlane const& plane = planes_[place];
    double const height_mm = std::abs(dot(plane.normal, point_mm_) - plane.offset_mm) - rounding_mm_;
    if (height_mm > 0 && height_mm * height_mm > most2_) return;
    measure(place);
}

void NearestPointSearch::measure(std::uint32_t place)
{
    LeafTriangle const& t = bvh_.triangles[place];
    auto const move = [&](Vec3 corner) {
        Point const p = subtract(to_point(corner), point_);
        return Point{p[0] * pitch_mm_[0], p[1] * pitch_mm_[1], p[2] * pitch_mm_[2]};
    };
    Point const a = move(t.a), ab = subtract(move(t.b), a), ac = subtract(move(t.c), a);
    Weights const weights = find_nearest_to_origin(a, ab, ac);
    Point const offset{a[0] + weights.b * ab[0] + weights.c * ac[0], a[1] + weights.b * ab[1] + weights.c * ac[1],
                       a[2] + weights.b * ab[2] + weights.c * ac[2]};
    double const distance2 = dot(offset, offset);
    if (distance2 > most2_ || (distance2 == most2_ && nearest_.triangle <= t.number)) return;
    most2_ = distance2;
    place_ = place;
    nearest_ = {t.number, distance2, weights.b, weights.c, offset};
}

void NearestPointSearch::visit(std::uint32_t reference)
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
    for (std::size_t const child : {first, 1 - first})
        if (gap2[child] <= most2_) visit(node.child[child]);
}

void NearestPointSearch::gather(PointBox const& box, double most_mm)
{
    candidates_.clear();
    candidate_ = 0;
    visit_near(bvh_.root, box, most_mm + rounding_mm_);
}

void NearestPointSearch::visit_near(std::uint32_t reference, PointBox const& box, double most_mm)
{
    if (is_leaf(reference)) {
        std::uint32_t const first = get_leaf_first(reference), end = first + get_leaf_count(reference);
        for (std::uint32_t place = first; place < end; ++place) add_candidate(place, box, most_mm);
        return;
    }
    BvhNode const& node = bvh_.nodes[reference];
    // Of a single triangle both children are the same leaf.
    std::size_t const children = node.child[0] == node.child[1] ? 1 : 2;
    for (std::size_t i = 0; i < children; ++i)
        if (measure_between_boxes2_mm2(node.box[i], box, pitch_mm_) <= most_mm * most_mm)
            visit_near(node.child[i], box, most_mm);
}

void NearestPointSearch::add_candidate(std::uint32_t place, PointBox const& box, double most_mm)
{
    LeafTriangle const& t = bvh_.triangles[place];
    BoundingBox const bounds{
        {std::min({t.a.x, t.b.x, t.c.x}), std::min({t.a.y, t.b.y, t.c.y}), std::min({t.a.z, t.b.z, t.c.z})},
        {std::max({t.a.x, t.b.x, t.c.x}), std::max({t.a.y, t.b.y, t.c.y}), std::max({t.a.z, t.b.z, t.c.z})}};
    if (measure_between_boxes2_mm2(bounds, box, pitch_mm_) > most_mm * most_mm) return;
    Candidate candidate{planes_[place], {}, 0, place};
    double height_mm = -candidate.plane.offset_mm, span_mm = 0;
    for (std::size_t a = 0; a < 3; ++a) {
        double const normal = candidate.plane.normal[a];
        height_mm += normal * 0.5 * (box.lower[a] + box.upper[a]) * pitch_mm_[a];
        span_mm += std::abs(normal) * 0.5 * (box.upper[a] - box.lower[a]) * pitch_mm_[a];
    }
    if (std::abs(height_mm) - span_mm > most_mm) return;
    // Around the middle of the longest edge: of triangles with a right angle or more the smallest disc.
    std::array<Point, 3> corners{to_point(t.a), to_point(t.b), to_point(t.c)};
    for (Point& corner : corners)
        for (std::size_t a = 0; a < 3; ++a) corner[a] *= pitch_mm_[a];
    double longest2 = -1;
    for (std::size_t i = 0; i < 3; ++i) {
        Point const &from = corners[i], &to = corners[(i + 1) % 3];
        Point const edge = subtract(to, from);
        if (dot(edge, edge) <= longest2) continue;
        longest2 = dot(edge, edge);
        for (std::size_t a = 0; a < 3; ++a) candidate.centre_mm[a] = 0.5 * (from[a] + to[a]);
        Point const beside = subtract(corners[(i + 2) % 3], candidate.centre_mm);
        candidate.radius_mm = std::sqrt(std::max(0.25 * longest2, dot(beside, beside))) + 4 * rounding_mm_;
    }
    candidates_.push_back(candidate);
}

NearestPoint NearestPointSearch::find_gathered(Point const& point_voxels, double most_mm)
{
    begin(point_voxels, most_mm);
    if (candidate_ < candidates_.size()) measure(candidates_[candidate_].place);
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        Candidate const& candidate = candidates_[i];
        double const height_mm =
            std::abs(dot(candidate.plane.normal, point_mm_) - candidate.plane.offset_mm) - rounding_mm_;
        if (height_mm > 0 && height_mm * height_mm > most2_) continue;
        // What is nearer lies on the plane within a disc around the point's foot.
        Point const apart = subtract(candidate.centre_mm, point_mm_);
        double const height2 = height_mm > 0 ? height_mm * height_mm : 0;
        double const far_mm = std::sqrt(most2_ - height2) + candidate.radius_mm;
        if (dot(apart, apart) - height2 > far_mm * far_mm) continue;
        std::uint32_t const before = nearest_.triangle;
        measure(candidate.place);
        if (nearest_.triangle != before) candidate_ = i;
    }
    nearest_.distance2_mm2 = most2_;
    return nearest_;
}

} // namespace volpt
