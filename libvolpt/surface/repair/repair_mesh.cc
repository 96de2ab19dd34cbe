#include "libvolpt/surface/repair/repair_mesh.h"

#include "libvolpt/surface/mesh_topology.h"
#include "libvolpt/surface/repair/divide_flat_triangles.h"
#include "libvolpt/surface/repair/orient_triangles.h"
#include "libvolpt/surface/self_intersections.h"
#include "libvolpt/surface/weld_vertices.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace volpt {
namespace {

std::int64_t find_cell(double coordinate, double cell)
{
    return static_cast<std::int64_t>(std::clamp(std::floor(coordinate / cell), -0x1p60, 0x1p60));
}

std::uint64_t hash_cell(std::int64_t x, std::int64_t y, std::int64_t z)
{
    std::uint64_t h = static_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15ull;
    h = (h ^ (h >> 29) ^ static_cast<std::uint64_t>(y)) * 0xbf58476d1ce4e5b9ull;
    h = (h ^ (h >> 32) ^ static_cast<std::uint64_t>(z)) * 0x94d049bb133111ebull;
    return h ^ (h >> 31);
}

/// Vertices in lists by the hash of a cell of space; lists of different cells may be one.
class VertexGrid {
public:
    VertexGrid(std::vector<Vec3> const& positions, float tolerance)
        : positions_(positions), tolerance_(tolerance), mask_(std::bit_ceil(2 * positions.size() + 1) - 1),
          heads_(mask_ + 1, kEnd), next_(positions.size(), kEnd)
    {
    }

    /// The lowest vertex within the tolerance of p, or kEnd. Cells are twice as wide, so that eight hold all of them.
    std::uint32_t find(Vec3 p) const
    {
        std::uint32_t best = kEnd;
        for (unsigned corner = 0; corner < 8; ++corner) {
            auto const reach = [&](unsigned bit) { return (corner & bit) != 0 ? tolerance_ : -tolerance_; };
            for (std::uint32_t at = heads_[place({p.x + reach(1), p.y + reach(2), p.z + reach(4)})]; at != kEnd;
                 at = next_[at]) {
                if (at < best && is_near(positions_[at], p)) best = at;
            }
        }
        return best;
    }

    void add(std::uint32_t vertex)
    {
        Vec3 const p = positions_[vertex];
        std::uint32_t& head = heads_[place({p.x, p.y, p.z})];
        next_[vertex] = head;
        head = vertex;
    }

    static constexpr std::uint32_t kEnd = 0xffffffffu;

private:
    struct Place {
        double x, y, z;
    };

    std::size_t place(Place p) const
    {
        double const cell = 2 * tolerance_;
        return hash_cell(find_cell(p.x, cell), find_cell(p.y, cell), find_cell(p.z, cell)) & mask_;
    }

    bool is_near(Vec3 a, Vec3 b) const
    {
        double const x = static_cast<double>(a.x) - b.x;
        double const y = static_cast<double>(a.y) - b.y;
        double const z = static_cast<double>(a.z) - b.z;
        return x * x + y * y + z * z <= tolerance_ * tolerance_;
    }

    std::vector<Vec3> const& positions_;
    double tolerance_;
    std::size_t mask_;
    std::vector<std::uint32_t> heads_;
    std::vector<std::uint32_t> next_;
};

std::uint64_t merge_near_vertices(TriangleMesh& mesh, float tolerance)
{
    if (!(tolerance > 0)) return 0;
    VertexGrid grid(mesh.positions_mm, tolerance);
    std::vector<std::uint32_t> numbers(mesh.positions_mm.size());
    for (std::uint32_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = grid.find(mesh.positions_mm[i]);
        if (numbers[i] != VertexGrid::kEnd) continue;
        grid.add(i);
        numbers[i] = i;
    }
    // Made equal; welding makes them one.
    for (std::uint32_t i = 0; i < numbers.size(); ++i) mesh.positions_mm[i] = mesh.positions_mm[numbers[i]];
    return weld_vertices(mesh, 1);
}

template <typename Item>
void keep_items(std::vector<Item>& items, std::vector<std::uint8_t> const& keeps)
{
    if (items.empty()) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (keeps[i] != 0) items[kept++] = items[i];
    }
    items.resize(kept);
}

/// Returns how many went.
std::uint64_t keep_triangles(TriangleMesh& mesh, std::vector<std::uint8_t> const& keeps)
{
    std::size_t const before = mesh.triangles.size();
    keep_items(mesh.normals, keeps);
    keep_items(mesh.texture_coordinates, keeps);
    keep_items(mesh.colours, keeps);
    keep_items(mesh.pictures, keeps);
    keep_items(mesh.triangles, keeps);
    return before - mesh.triangles.size();
}

std::uint64_t remove_collapsed(TriangleMesh& mesh)
{
    std::vector<std::uint8_t> keeps(mesh.triangles.size());
    std::transform(mesh.triangles.begin(), mesh.triangles.end(), keeps.begin(),
                   [](auto const& t) { return t[0] != t[1] && t[1] != t[2] && t[2] != t[0] ? 1 : 0; });
    return keep_triangles(mesh, keeps);
}

/// Of triangles with the same vertices, those of opposite orientation go in pairs, and of what is left one stays.
std::uint64_t remove_duplicates(TriangleMesh& mesh, int threads)
{
    struct Group {
        int balance = 1; ///< of those like the first one less the others
        std::uint32_t opposite = 0;
    };
    std::map<std::uint32_t, Group> groups;
    std::vector<std::uint8_t> keeps(mesh.triangles.size(), 1);
    for (CoincidentTriangle const& found : find_coincident_triangles(mesh, threads)) {
        keeps[found.triangle] = 0;
        Group& group = groups[found.first];
        group.balance += found.is_opposite ? -1 : 1;
        if (found.is_opposite) group.opposite = found.triangle;
    }
    for (auto const& [first, group] : groups) {
        if (group.balance <= 0) keeps[first] = 0;
        if (group.balance < 0) keeps[group.opposite] = 1;
    }
    return keep_triangles(mesh, keeps);
}

} // namespace

RepairReport repair_mesh(TriangleMesh& mesh, RepairOptions const& options)
{
    RepairReport report;
    report.merged_vertices = weld_vertices(mesh, options.threads);
    report.merged_vertices += merge_near_vertices(mesh, options.tolerance_mm);
    report.collapsed_triangles = remove_collapsed(mesh);
    report.flat_triangles = divide_flat_triangles(mesh);
    report.duplicate_triangles = remove_duplicates(mesh, options.threads);
    OrientReport const oriented = orient_triangles(mesh, options.threads);
    report.turned_triangles = oriented.turned_triangles;
    report.turned_components = oriented.turned_components;
    report.unorientable_patches = oriented.unorientable_patches;
    return report;
}

std::uint64_t remove_inner_shells(TriangleMesh& mesh, int threads)
{
    MeshTopology const topology = find_topology(mesh, threads);
    std::vector<double> const volumes = measure_volumes(mesh, topology);
    Bvh const bvh = build_bvh(mesh, {BvhNodeOrder::pre_order, threads});
    Enclosures const enclosures = find_enclosures(mesh, bvh, topology.component_of, volumes.size(), threads);
    if (!enclosures.is_complete) return 0;
    std::vector<std::uint8_t> stays(volumes.size());
    std::uint64_t removed = 0;
    for (std::size_t i = 0; i < volumes.size(); ++i) {
        int const before = enclosures.of_component[i], behind = before + (volumes[i] < 0 ? -1 : 1);
        stays[i] = (before >= 1) != (behind >= 1) ? 1 : 0;
        removed += 1 - stays[i];
    }
    std::vector<std::uint8_t> keeps(mesh.triangles.size());
    for (std::size_t i = 0; i < keeps.size(); ++i) keeps[i] = stays[topology.component_of[i]];
    keep_triangles(mesh, keeps);
    return removed;
}

} // namespace volpt
