#include "libvolpt/scene/solid_surface.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace volpt {
namespace {

using Point = std::array<double, 3>;

Point scale(Vec3 p, Vec3 by)
{
    return {static_cast<double>(p.x) * static_cast<double>(by.x), static_cast<double>(p.y) * static_cast<double>(by.y),
            static_cast<double>(p.z) * static_cast<double>(by.z)};
}
Point subtract(Point const& a, Point const& b)
{
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
double multiply(Point const& a, Point const& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
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

/// Of the origin from a triangle: from its plane if it lies above the inside, else from the nearest edge.
double measure_to_triangle2(Point const& a, Point const& b, Point const& c)
{
    double const to_edges2 = std::min(measure_to_edge2(a, b), std::min(measure_to_edge2(b, c), measure_to_edge2(c, a)));
    Point const p = subtract(b, a), q = subtract(c, a);
    double const pp = multiply(p, p), pq = multiply(p, q), qq = multiply(q, q);
    double const area2 = pp * qq - pq * pq;
    double const v = -multiply(a, p) * qq + multiply(a, q) * pq, w = -multiply(a, q) * pp + multiply(a, p) * pq;
    if (!(area2 > 0) || v < 0 || w < 0 || v + w > area2) return to_edges2;
    Point const foot{a[0] + (v * p[0] + w * q[0]) / area2, a[1] + (v * p[1] + w * q[1]) / area2,
                     a[2] + (v * p[2] + w * q[2]) / area2};
    return multiply(foot, foot);
}

/// Squared distances in mm between a point and what a hierarchy in voxels holds.
class DistanceSearch {
public:
    DistanceSearch(BvhView const& bvh, Vec3 pitch_mm) : bvh_(bvh), pitch_mm_(pitch_mm) {}

    double find_nearest2(Point const& centre_mm)
    {
        centre_ = centre_mm;
        nearest2_ = std::numeric_limits<double>::infinity();
        visit(bvh_.root);
        return nearest2_;
    }

private:
    double measure_to_box2(BoundingBox const& box) const
    {
        Point const low = subtract(scale(box.lower, pitch_mm_), centre_),
                    high = subtract(centre_, scale(box.upper, pitch_mm_));
        double sum = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            double const gap = std::max({low[axis], high[axis], 0.0});
            sum += gap * gap;
        }
        return sum;
    }

    void visit(std::uint32_t reference)
    {
        if (is_leaf(reference)) {
            for (std::uint32_t i = 0; i < get_leaf_count(reference); ++i) {
                LeafTriangle const& t = bvh_.triangles[get_leaf_first(reference) + i];
                auto const move = [&](Vec3 p) { return subtract(scale(p, pitch_mm_), centre_); };
                nearest2_ = std::min(nearest2_, measure_to_triangle2(move(t.a), move(t.b), move(t.c)));
            }
            return;
        }
        BvhNode const& node = bvh_.nodes[reference];
        std::array<double, 2> const gap2{measure_to_box2(node.box[0]), measure_to_box2(node.box[1])};
        std::size_t const first = gap2[1] < gap2[0] ? 1 : 0;
        for (std::size_t const child : {first, 1 - first})
            if (gap2[child] < nearest2_) visit(node.child[child]);
    }

    BvhView const& bvh_;
    Vec3 pitch_mm_;
    Point centre_{};
    double nearest2_ = 0;
};

} // namespace

SolidSurface::SolidSurface(TriangleMesh const& mesh_voxels, MediumView const& medium, int threads)
    : bvh_(build_bvh(mesh_voxels, {.threads = threads})),
      triangles_(gather_leaf_triangles(mesh_voxels, bvh_.order, threads))
{
    for (auto const& corners : mesh_voxels.normals) normals_.insert(normals_.end(), corners.begin(), corners.end());
    fill_view({bvh_.nodes.data(), triangles_.data(), bvh_.bounds, bvh_.root}, bvh_.nodes.size(),
              normals_.empty() ? nullptr : normals_.data(), medium);
    set_clearance_mm(
        std::vector<float>(static_cast<std::size_t>(brick_counts_[0]) * static_cast<std::size_t>(brick_counts_[1]) *
                           static_cast<std::size_t>(brick_counts_[2])));
}

SolidSurface::SolidSurface(SurfaceMeshView const& mesh, MediumView const& medium, int threads)
    : triangles_(gather_leaf_triangles(mesh.vertices_voxels, mesh.triangles, mesh.bvh_order, threads))
{
    fill_view({mesh.bvh_nodes.data(), triangles_.data(), mesh.bounds_voxels, 0}, mesh.bvh_nodes.size(),
              mesh.normals.empty() ? nullptr : mesh.normals.front().data(), medium);
    // The way from a brick's centre to the surface leaves the brick after half an edge. Of what SurfaceView wants less,
    // the stored bound has a quarter (compute_mesh_clearance_mm).
    float const pitch_mm = view_.pitch_mm.x;
    float const gain_mm = (0.5f * static_cast<float>(kBrickEdge) - 4.0f * view_.margin_voxels) * pitch_mm;
    std::vector<float> clearance_mm(mesh.clearance_mm.begin(), mesh.clearance_mm.end());
    for (float& value : clearance_mm) value = value > 0.0f ? value + gain_mm : 0.0f;
    set_clearance_mm(std::move(clearance_mm));
}

void SolidSurface::fill_view(BvhView const& bvh, std::size_t nodes, Vec3 const* normals, MediumView const& medium)
{
    std::copy(std::begin(medium.brick_counts), std::end(medium.brick_counts), brick_counts_.begin());
    places_.resize(triangles_.size());
    for (std::uint32_t place = 0; place < triangles_.size(); ++place) places_[triangles_[place].number] = place;
    view_.on = 1;
    view_.bvh = bvh;
    view_.triangle_count = static_cast<std::uint32_t>(triangles_.size());
    view_.node_count = static_cast<std::uint32_t>(nodes);
    view_.places = places_.data();
    view_.normals = normals;
    view_.pitch_mm = {1.0f / medium.inv_pitch.x, 1.0f / medium.inv_pitch.y, 1.0f / medium.inv_pitch.z};
    view_.margin_voxels = measure_margin_voxels(medium.size_voxels);
}

void SolidSurface::set_clearance_mm(std::vector<float> clearance_mm)
{
    clearance_mm_ = std::move(clearance_mm);
    view_.clearance_mm = clearance_mm_.data();
}

std::vector<float> SolidSurface::compute_clearance_mm() const
{
    DistanceSearch search(view_.bvh, view_.pitch_mm);
    float const longest_mm = std::max({view_.pitch_mm.x, view_.pitch_mm.y, view_.pitch_mm.z});
    double const margin_mm = 4 * static_cast<double>(view_.margin_voxels) * static_cast<double>(longest_mm);
    std::vector<float> clearance_mm;
    for (std::int32_t z = 0; z < brick_counts_[2]; ++z)
        for (std::int32_t y = 0; y < brick_counts_[1]; ++y)
            for (std::int32_t x = 0; x < brick_counts_[0]; ++x) {
                Vec3 const centre{static_cast<float>(x * kBrickEdge + kBrickEdge / 2),
                                  static_cast<float>(y * kBrickEdge + kBrickEdge / 2),
                                  static_cast<float>(z * kBrickEdge + kBrickEdge / 2)};
                double const gap_mm = std::sqrt(search.find_nearest2(scale(centre, view_.pitch_mm))) - margin_mm;
                clearance_mm.push_back(static_cast<float>(std::max(0.0, gap_mm * (1 - 0x1p-22))));
            }
    return clearance_mm;
}

} // namespace volpt
