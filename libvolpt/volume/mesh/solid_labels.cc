#include "libvolpt/volume/mesh/solid_labels.h"

#include "libvolpt/core/volume_view.hd.h"
#include "libvolpt/surface/solid_locator.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

constexpr double kSolidReach_voxels = 0x1p-6;

using Corners = std::array<std::array<double, 3>, 3>;

/// A triangle has points in a cube with this corner and edge, by separating axes (T. Akenine-Möller, Fast 3D
/// triangle-box overlap testing, 2001). The cube is larger by kSolidReach_voxels on each side.
bool meets_cube(Corners corners, std::array<int, 3> const& low, int edge)
{
    double const half = 0.5 * edge + kSolidReach_voxels;
    for (auto& corner : corners)
        for (std::size_t i = 0; i < 3; ++i) corner[i] -= low[i] + 0.5 * edge;
    auto const separates = [&](double x, double y, double z) {
        double least = INFINITY, most = -INFINITY;
        for (auto const& c : corners) {
            double const along = x * c[0] + y * c[1] + z * c[2];
            least = std::min(least, along);
            most = std::max(most, along);
        }
        double const reach = half * (std::abs(x) + std::abs(y) + std::abs(z));
        return least > reach || most < -reach;
    };
    if (separates(1, 0, 0) || separates(0, 1, 0) || separates(0, 0, 1)) return false;
    Corners edges;
    for (std::size_t e = 0; e < 3; ++e)
        for (std::size_t i = 0; i < 3; ++i) edges[e][i] = corners[(e + 1) % 3][i] - corners[e][i];
    auto const& [u, v, w] = edges;
    if (separates(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])) return false;
    return std::ranges::none_of(edges, [&](auto const& e) {
        return separates(0, -e[2], e[1]) || separates(e[2], 0, -e[0]) || separates(-e[1], e[0], 0);
    });
}

/// Calls visit(cube) for each cube of edge `least`, at multiples of it from `low` on and before `end`, that the
/// triangle meets. `edge` is that of the cube at `low` that holds them all, `least` times a power of two.
template <typename Visit>
void visit_cubes(Corners const& corners, std::array<int, 3> const& low, int edge, int least,
                 std::array<int, 3> const& end, Visit const& visit)
{
    if (low[0] >= end[0] || low[1] >= end[1] || low[2] >= end[2] || !meets_cube(corners, low, edge)) return;
    if (edge == least) {
        visit(low);
        return;
    }
    int const half = edge / 2;
    for (int i = 0; i < 8; ++i)
        visit_cubes(corners, {low[0] + (i & 1) * half, low[1] + (i >> 1 & 1) * half, low[2] + (i >> 2) * half}, half,
                    least, end, visit);
}

Corners get_corners(TriangleMesh const& mesh, std::size_t triangle)
{
    Corners corners;
    for (std::size_t i = 0; i < 3; ++i) {
        Vec3 const p = mesh.positions_mm[mesh.triangles[triangle][i]];
        corners[i] = {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
    }
    return corners;
}

std::size_t find_solid(std::span<std::uint32_t const> first_triangles, std::uint32_t triangle)
{
    auto const after = std::ranges::upper_bound(first_triangles, triangle);
    return static_cast<std::size_t>(after - first_triangles.begin()) - 1;
}

constexpr std::uint16_t kNoSolid = 0xffff;
constexpr std::uint16_t kSeveral = 0xfffe;

/// By brick, the solid whose surface is in it; of solids of one label, the first.
class BricksOfSurfaces {
public:
    BricksOfSurfaces(std::array<int, 3> counts, TriangleMesh const& mesh, std::span<std::uint32_t const> first,
                     std::span<std::uint8_t const> labels)
        : solids(static_cast<std::size_t>(counts[0]) * static_cast<std::size_t>(counts[1]) *
                     static_cast<std::size_t>(counts[2]),
                 kNoSolid)
    {
        std::array<int, 3> const end{counts[0] * kBrickEdge, counts[1] * kBrickEdge, counts[2] * kBrickEdge};
        int edge = kBrickEdge;
        while (edge < *std::ranges::max_element(end)) edge *= 2;
        std::vector<std::pair<std::size_t, std::uint32_t>> all;
        for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
            auto const solid = static_cast<std::uint16_t>(find_solid(first, t));
            visit_cubes(get_corners(mesh, t), {0, 0, 0}, edge, kBrickEdge, end, [&](std::array<int, 3> const& low) {
                std::size_t const brick =
                    static_cast<std::size_t>(low[0] / kBrickEdge) +
                    static_cast<std::size_t>(counts[0]) *
                        (static_cast<std::size_t>(low[1] / kBrickEdge) +
                         static_cast<std::size_t>(counts[1]) * static_cast<std::size_t>(low[2] / kBrickEdge));
                all.emplace_back(brick, t);
                std::uint16_t& here = solids[brick];
                if (here == kNoSolid)
                    here = solid;
                else if (here != kSeveral && labels[here] != labels[solid])
                    here = kSeveral;
            });
        }
        for (auto const& [brick, triangle] : all)
            if (solids[brick] == kSeveral) triangles.emplace_back(brick, triangle);
        std::ranges::sort(triangles);
    }

    std::vector<std::uint16_t> solids;
    std::vector<std::pair<std::size_t, std::uint32_t>> triangles; ///< of bricks of several labels, by brick
};

} // namespace

SolidLabels::SolidLabels(std::array<int, 3> dims, TriangleMesh const& mesh, std::span<std::uint32_t const> first,
                         std::span<std::uint8_t const> labels, int threads)
    : dims_(dims), brick_counts_{(dims[0] + kBrickEdge - 1) / kBrickEdge, (dims[1] + kBrickEdge - 1) / kBrickEdge,
                                 (dims[2] + kBrickEdge - 1) / kBrickEdge}
{
    BricksOfSurfaces const surfaces(brick_counts_, mesh, first, labels);
    SolidLocator const locator(mesh, threads);
    std::size_t const bricks = surfaces.solids.size();
    auto const row = static_cast<std::size_t>(brick_counts_[0]);
    label_of_brick_.resize(bricks);
    voxels_of_brick_.assign(bricks, kUniform);
    auto const corner_of = [&](std::size_t brick) {
        return std::array<int, 3>{
            static_cast<int>(brick % row) * kBrickEdge,
            static_cast<int>(brick / row % static_cast<std::size_t>(brick_counts_[1])) * kBrickEdge,
            static_cast<int>(brick / row / static_cast<std::size_t>(brick_counts_[1])) * kBrickEdge};
    };
    parallel_for_joined(threads, bricks / row, [&](std::size_t line, int) {
        for (std::size_t brick = line * row; brick < (line + 1) * row; ++brick) {
            std::uint16_t const solid = surfaces.solids[brick];
            if (solid == kSeveral) continue;
            auto const corner = corner_of(brick);
            constexpr float kMiddle = 0.5f * kBrickEdge;
            std::uint32_t const triangle = solid != kNoSolid
                                               ? kNoTriangle
                                               : locator.find_enclosing({static_cast<float>(corner[0]) + kMiddle,
                                                                         static_cast<float>(corner[1]) + kMiddle,
                                                                         static_cast<float>(corner[2]) + kMiddle});
            if (solid != kNoSolid)
                label_of_brick_[brick] = labels[solid];
            else if (triangle != kNoTriangle)
                label_of_brick_[brick] = labels[find_solid(first, triangle)];
        }
    });
    for (auto at = surfaces.triangles.begin(); at != surfaces.triangles.end() && !shared_;) {
        std::size_t const brick = at->first;
        auto const corner = corner_of(brick);
        std::array<std::uint16_t, 512> solids;
        solids.fill(kNoSolid);
        auto const end = std::array<int, 3>{corner[0] + kBrickEdge, corner[1] + kBrickEdge, corner[2] + kBrickEdge};
        std::size_t first_shared = 512;
        for (; at != surfaces.triangles.end() && at->first == brick; ++at) {
            auto const solid = static_cast<std::uint16_t>(find_solid(first, at->second));
            visit_cubes(get_corners(mesh, at->second), corner, kBrickEdge, 1, end, [&](std::array<int, 3> const& v) {
                auto const voxel = static_cast<std::size_t>(
                    (v[0] - corner[0]) + kBrickEdge * ((v[1] - corner[1]) + kBrickEdge * (v[2] - corner[2])));
                if (solids[voxel] == kNoSolid) {
                    solids[voxel] = solid;
                } else if (labels[solids[voxel]] != labels[solid] && voxel < first_shared) {
                    first_shared = voxel;
                    shared_ = {std::min<std::size_t>(solids[voxel], solid), std::max<std::size_t>(solids[voxel], solid),
                               v};
                }
            });
        }
        voxels_of_brick_[brick] = static_cast<std::uint32_t>(mixed_.size());
        auto& voxels = mixed_.emplace_back();
        for (int i = 0; i < 512; ++i) {
            auto const v = static_cast<std::size_t>(i);
            std::uint32_t triangle = kNoTriangle;
            if (solids[v] == kNoSolid)
                triangle = locator.find_enclosing({static_cast<float>(corner[0] + i % kBrickEdge) + 0.5f,
                                                   static_cast<float>(corner[1] + i / kBrickEdge % kBrickEdge) + 0.5f,
                                                   static_cast<float>(corner[2] + i / kBrickEdge / kBrickEdge) + 0.5f});
            if (triangle != kNoTriangle) solids[v] = static_cast<std::uint16_t>(find_solid(first, triangle));
        }
        // What no solid meets has the label of one that is there, so that the brick's majorant is not larger.
        std::uint16_t const any = *std::ranges::find_if(solids, [](std::uint16_t solid) { return solid != kNoSolid; });
        for (std::size_t v = 0; v < 512; ++v) voxels[v] = labels[solids[v] != kNoSolid ? solids[v] : any];
    }
}

void SolidLabels::read_layers(int z_first, int z_count, std::vector<std::uint8_t>& labels) const
{
    auto const width = static_cast<std::size_t>(dims_[0]), height = static_cast<std::size_t>(dims_[1]);
    labels.resize(width * height * static_cast<std::size_t>(z_count));
    for (int z = z_first; z < z_first + z_count; ++z) {
        for (int y = 0; y < dims_[1]; ++y) {
            std::size_t const row = static_cast<std::size_t>(brick_counts_[0]) *
                                    static_cast<std::size_t>(y / kBrickEdge + brick_counts_[1] * (z / kBrickEdge));
            auto* const to =
                labels.data() + width * (static_cast<std::size_t>(y) + height * static_cast<std::size_t>(z - z_first));
            auto const in_brick =
                static_cast<std::size_t>(kBrickEdge * (y % kBrickEdge + kBrickEdge * (z % kBrickEdge)));
            for (int x = 0; x < dims_[0]; ++x) {
                std::size_t const brick = row + static_cast<std::size_t>(x / kBrickEdge);
                std::uint32_t const voxels = voxels_of_brick_[brick];
                to[x] = voxels == kUniform ? label_of_brick_[brick]
                                           : mixed_[voxels][in_brick + static_cast<std::size_t>(x % kBrickEdge)];
            }
        }
    }
}

} // namespace volpt
