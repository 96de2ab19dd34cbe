#include "libvolpt/volume/mesh/smooth_surface.h"

#include "libvolpt/surface/exact_predicates.h"
#include "libvolpt/surface/self_intersections.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

/// The pass band 1 / kShrink + 1 / kGrow is 0.03: the steps of voxels go, the shape stays. The area of spheres in 16,
/// 32, 64 and 96 voxels is off by 0.31, 0.16, 0.10 and 0.08 % after so many passes, by 2 to 3 % without; their volume
/// by 0.8, 0.2, 0.05 and 0.04 %.
constexpr float kShrink = 0.5f;
constexpr float kGrow = 1.0f / (0.03f - 1.0f / kShrink);
constexpr int kPasses = 128;

/// How far a vertex may go from the middle of its cell along an axis: less than half, so that those of neighbouring
/// cells never meet. With 0.45 the steps that a sphere has at its poles stay: 0.15 % of its area.
constexpr float kReach_voxels = 0.498f;
/// The same next to parts, or gaps, that are one or two voxels thick along the axis. Otherwise they would shrink to
/// lines: to smoothing, their thickness is but another step.
constexpr float kThinReach_voxels[] = {0.1f, 0.25f};

constexpr int kMostRounds = 12;
constexpr std::size_t kMostPairs = std::size_t{1} << 22;
constexpr std::size_t kSmoothedPerPiece = std::size_t{1} << 15;

/// Each vertex's neighbours along the sides of quadrilaterals: a side between two is there once in either direction.
class Neighbours {
public:
    Neighbours(QuadMesh const& surface) : first_(surface.positions_voxels.size() + 1)
    {
        for (auto const& quad : surface.quads)
            for (std::uint32_t const corner : quad) ++first_[corner + 1];
        for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
        all_.resize(4 * surface.quads.size());
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for (auto const& quad : surface.quads)
            for (std::size_t i = 0; i < 4; ++i) all_[next[quad[i]]++] = quad[(i + 1) % 4];
    }

    std::span<std::uint32_t const> of(std::size_t vertex) const
    {
        return std::span(all_).subspan(first_[vertex], first_[vertex + 1] - first_[vertex]);
    }

private:
    std::vector<std::uint32_t> first_;
    std::vector<std::uint32_t> all_;
};

/// Voxels in a row along `axis` that are alike, this one included: 1, 2, or 3 for more.
int measure_run(Occupancy const& occupied, std::array<int, 3> const& at, std::size_t axis)
{
    auto const is_alike = [&](int step) {
        std::array<int, 3> there = at;
        there[axis] += step;
        return occupied.is_occupied(there[0], there[1], there[2]) == occupied.is_occupied(at[0], at[1], at[2]);
    };
    bool const before = is_alike(-1), after = is_alike(1);
    if (before && after) return 3;
    if (!before && !after) return 1;
    return is_alike(before ? -2 : 2) ? 3 : 2;
}

/// Whether the corners of one kind are connected along the edges of the cell; bit 0 of a corner's number is x.
bool is_connected(unsigned corners)
{
    unsigned reached = corners & (0u - corners);
    for (unsigned before = 0; before != reached;) {
        before = reached;
        unsigned const along_x = (reached & 0x55u) << 1 | (reached & 0xaau) >> 1;
        unsigned const along_y = (reached & 0x33u) << 2 | (reached & 0xccu) >> 2;
        unsigned const along_z = (reached & 0x0fu) << 4 | (reached & 0xf0u) >> 4;
        reached |= (along_x | along_y | along_z) & corners;
    }
    return reached == corners;
}

/// Several sheets of the surface may go through a cell where voxels touch at an edge or a corner only.
bool may_have_sheets(Occupancy const& occupied, std::array<int, 3> const& first)
{
    unsigned corners = 0;
    for (int corner = 0; corner < 8; ++corner)
        if (occupied.is_occupied(first[0] + (corner & 1), first[1] + (corner >> 1 & 1), first[2] + (corner >> 2)))
            corners |= 1u << corner;
    return !is_connected(corners) || !is_connected(~corners & 0xffu);
}

/// Where a vertex may be. Sheets in one cell need all of its room not to meet.
BoundingBox find_room(Vec3 start, Occupancy const& occupied)
{
    std::array<float, 3> lower{}, upper{};
    std::array<int, 3> first{}; // the voxel at the least corner of the cell
    for (int axis = 0; axis < 3; ++axis)
        first[static_cast<std::size_t>(axis)] = static_cast<int>(std::floor(get_axis(start, axis) - 0.5f));
    bool const has_sheets = may_have_sheets(occupied, first);
    for (std::size_t a = 0; a < 3; ++a) {
        int run = 3;
        for (int corner = 0; corner < 8 && !has_sheets; ++corner)
            run = std::min(
                run, measure_run(occupied,
                                 {first[0] + (corner & 1), first[1] + (corner >> 1 & 1), first[2] + (corner >> 2)}, a));
        float const reach = run < 3 ? kThinReach_voxels[run - 1] : kReach_voxels;
        float const middle = static_cast<float>(first[a]) + 1.0f;
        lower[a] = std::max(0.0f, middle - reach);
        upper[a] = std::min(static_cast<float>(occupied.dims()[a]), middle + reach);
    }
    return {{lower[0], lower[1], lower[2]}, {upper[0], upper[1], upper[2]}};
}

Vec3 clamp_to_box(Vec3 p, BoundingBox const& box)
{
    return {std::clamp(p.x, box.lower.x, box.upper.x), std::clamp(p.y, box.lower.y, box.upper.y),
            std::clamp(p.z, box.lower.z, box.upper.z)};
}

/// Calls visit(vertex) for all of them.
template <typename Visit>
void visit_vertices(std::size_t count, int threads, Visit const& visit)
{
    parallel_for_joined(threads, (count + kSmoothedPerPiece - 1) / kSmoothedPerPiece, [&](std::size_t piece, int) {
        std::size_t const end = std::min(count, (piece + 1) * kSmoothedPerPiece);
        for (std::size_t i = piece * kSmoothedPerPiece; i < end; ++i) visit(i);
    });
}

std::vector<Vec3> smooth(QuadMesh const& surface, Occupancy const& occupied, int threads, SurfaceTarget const& target)
{
    Neighbours const neighbours(surface);
    std::vector<Vec3> const& start = surface.positions_voxels;
    std::vector<BoundingBox> rooms(start.size());
    visit_vertices(start.size(), threads, [&](std::size_t i) { rooms[i] = find_room(start[i], occupied); });
    std::vector<Vec3> now = start, next = start;
    auto const move_all = [&](float share) {
        visit_vertices(start.size(), threads, [&](std::size_t i) {
            auto const around = neighbours.of(i);
            if (around.empty()) return;
            Vec3 sum{0, 0, 0};
            for (std::uint32_t const j : around) sum = sum + now[j];
            Vec3 const to = now[i] + share * ((1.0f / static_cast<float>(around.size())) * sum - now[i]);
            next[i] = clamp_to_box(to, rooms[i]);
        });
        std::swap(now, next);
    };
    for (int pass = 0; pass < kPasses; ++pass) {
        move_all(kShrink);
        move_all(kGrow);
    }
    if (target)
        visit_vertices(start.size(), threads, [&](std::size_t i) { now[i] = clamp_to_box(target(now[i]), rooms[i]); });
    return now;
}

/// Triangles 2 i and 2 i + 1 are those of quadrilateral i.
TriangleMesh divide_quads(QuadMesh const& surface, std::vector<Vec3> const& positions)
{
    TriangleMesh mesh{positions, {}, {}, {}, {}};
    mesh.triangles.reserve(2 * surface.quads.size());
    for (auto const& q : surface.quads) {
        Vec3 const even = positions[q[2]] - positions[q[0]], odd = positions[q[3]] - positions[q[1]];
        std::size_t const first = dot(odd, odd) < dot(even, even) ? 1 : 0;
        mesh.triangles.push_back({q[first], q[first + 1], q[(first + 2) % 4]});
        mesh.triangles.push_back({q[first], q[(first + 2) % 4], q[(first + 3) % 4]});
    }
    return mesh;
}

/// Triangles that intersect others, or have no area.
std::vector<std::uint32_t> find_wrong_triangles(PlacedMesh const& placed, int threads)
{
    TriangleMesh const& mesh = placed.mesh;
    std::vector<std::uint32_t> wrong;
    std::vector<std::uint8_t> is_degenerate(mesh.triangles.size());
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
        auto const& t = mesh.triangles[i];
        if (!are_collinear(mesh.positions_mm[t[0]], mesh.positions_mm[t[1]], mesh.positions_mm[t[2]])) continue;
        is_degenerate[i] = 1;
        wrong.push_back(i);
    }
    for (auto const& [a, b] : find_self_intersections(mesh, placed.bvh, is_degenerate, kMostPairs, threads).pairs) {
        wrong.push_back(a);
        wrong.push_back(b);
    }
    return wrong;
}

} // namespace

SmoothedMesh place_smoothed(MeshBox const& box, QuadMesh const& surface, Occupancy const& occupied, int threads,
                            SurfaceTarget const& target)
{
    std::vector<Vec3> positions = smooth(surface, occupied, threads, target);
    std::vector<std::uint8_t> is_kept(positions.size());
    SmoothedMesh result;
    for (int round = 0; round < kMostRounds; ++round) {
        result.placed = place_voxel_mesh(box, divide_quads(surface, positions), threads);
        MeshReport const& report = result.placed.report;
        if (report.is_accepted() || result.placed.bvh.nodes.empty()) break;
        bool is_changed = false;
        for (std::uint32_t const triangle : find_wrong_triangles(result.placed, threads))
            for (std::uint32_t const vertex : surface.quads[triangle / 2]) {
                if (is_kept[vertex] != 0) continue;
                is_kept[vertex] = 1;
                positions[vertex] = surface.positions_voxels[vertex];
                is_changed = true;
            }
        if (!is_changed) break;
    }
    result.kept_vertices = static_cast<std::uint64_t>(std::ranges::count(is_kept, 1));
    return result;
}

} // namespace volpt
