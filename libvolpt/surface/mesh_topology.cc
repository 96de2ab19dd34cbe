#include "libvolpt/surface/mesh_topology.h"

#include "libvolpt/sys/threads/task_arenas.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <oneapi/tbb/parallel_sort.h>
#include <tuple>
#include <utility>

namespace volpt {
namespace {

struct Vec3Double {
    double x, y, z;
};

Vec3Double subtract_points(Vec3 a, Vec3 b)
{
    return {static_cast<double>(a.x) - b.x, static_cast<double>(a.y) - b.y, static_cast<double>(a.z) - b.z};
}

Vec3Double cross_vectors(Vec3Double a, Vec3Double b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

struct EdgeUse {
    std::array<std::uint32_t, 2> vertices; ///< lower, higher
    std::uint32_t triangle;
    std::int32_t sign;

    auto key() const { return std::tuple(vertices[0], vertices[1], triangle, sign); }
};

/// A total order of `key`, so that the result is the same for any number of threads.
template <typename Items>
void sort_by_key(Items& items, int threads)
{
    run_in_arena(threads, [&] {
        tbb::parallel_sort(items.begin(), items.end(), [](auto const& a, auto const& b) { return a.key() < b.key(); });
    });
}

std::vector<EdgeUse> list_edge_uses(TriangleMesh const& mesh)
{
    std::vector<EdgeUse> uses;
    uses.reserve(3 * mesh.triangles.size());
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
        auto const& t = mesh.triangles[i];
        for (std::size_t side = 0; side < 3; ++side) {
            std::uint32_t const from = t[side];
            std::uint32_t const to = t[(side + 1) % 3];
            if (from == to) continue;
            uses.push_back({{std::min(from, to), std::max(from, to)}, i, from < to ? 1 : -1});
        }
    }
    return uses;
}

/// Sets of triangles; the root is the lowest number.
class TriangleSets {
public:
    explicit TriangleSets(std::size_t count) : parents_(count) { std::iota(parents_.begin(), parents_.end(), 0u); }

    std::uint32_t find(std::uint32_t triangle)
    {
        while (parents_[triangle] != triangle) {
            parents_[triangle] = parents_[parents_[triangle]];
            triangle = parents_[triangle];
        }
        return triangle;
    }

    void join(std::uint32_t a, std::uint32_t b)
    {
        a = find(a);
        b = find(b);
        parents_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::uint32_t> parents_;
};

struct TriangleVertices {
    std::array<std::uint32_t, 3> vertices; ///< ascending
    std::uint32_t triangle;
    bool is_odd; ///< as a permutation

    auto key() const { return std::tuple(vertices, triangle); }
};

TriangleVertices sort_vertices(std::array<std::uint32_t, 3> v, std::uint32_t triangle)
{
    bool is_odd = false;
    auto const order = [&](std::uint32_t& a, std::uint32_t& b) {
        if (a <= b) return;
        std::swap(a, b);
        is_odd = !is_odd;
    };
    order(v[0], v[1]);
    order(v[1], v[2]);
    order(v[0], v[1]);
    return {v, triangle, is_odd};
}

} // namespace

MeshTopology find_topology(TriangleMesh const& mesh, int threads)
{
    std::vector<EdgeUse> uses = list_edge_uses(mesh);
    sort_by_key(uses, threads);
    MeshTopology topology;
    TriangleSets sets(mesh.triangles.size());
    for (std::size_t first = 0; first < uses.size(); ++topology.edges) {
        std::size_t end = first;
        std::int32_t balance = 0;
        for (; end < uses.size() && uses[end].vertices == uses[first].vertices; ++end) {
            balance += uses[end].sign;
            sets.join(uses[first].triangle, uses[end].triangle);
        }
        if (end - first != 2 || balance != 0) {
            topology.odd_edges.push_back(
                {uses[first].triangle, uses[first].vertices, static_cast<std::uint32_t>(end - first), balance});
        }
        first = end;
    }
    std::sort(topology.odd_edges.begin(), topology.odd_edges.end(), [](OddEdge const& a, OddEdge const& b) {
        return std::tie(a.triangle, a.vertices) < std::tie(b.triangle, b.vertices);
    });
    topology.component_of.resize(mesh.triangles.size());
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
        std::uint32_t const root = sets.find(i);
        if (root == i) {
            topology.component_of[i] = static_cast<std::uint32_t>(topology.is_closed.size());
            topology.is_closed.push_back(1);
        } else {
            topology.component_of[i] = topology.component_of[root];
        }
    }
    for (OddEdge const& edge : topology.odd_edges) {
        if (edge.balance != 0) topology.is_closed[topology.component_of[edge.triangle]] = 0;
    }
    return topology;
}

std::vector<TrianglePair> find_triangle_pairs(TriangleMesh const& mesh, int threads)
{
    std::vector<EdgeUse> uses = list_edge_uses(mesh);
    sort_by_key(uses, threads);
    std::vector<TrianglePair> pairs;
    for (std::size_t first = 0; first < uses.size();) {
        std::size_t end = first;
        while (end < uses.size() && uses[end].vertices == uses[first].vertices) ++end;
        if (end - first == 2) {
            pairs.push_back({uses[first].triangle, uses[first + 1].triangle, uses[first].sign != uses[first + 1].sign});
        }
        first = end;
    }
    return pairs;
}

double measure_area(Vec3 a, Vec3 b, Vec3 c)
{
    Vec3Double const normal = cross_vectors(subtract_points(b, a), subtract_points(c, a));
    return 0.5 * std::sqrt(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);
}

std::vector<double> measure_volumes(TriangleMesh const& mesh, MeshTopology const& topology)
{
    std::vector<double> volumes(topology.is_closed.size(), 0.0);
    std::vector<Vec3> origins(volumes.size());
    std::vector<bool> has_origin(volumes.size());
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
        auto const& t = mesh.triangles[i];
        Vec3 const a = mesh.positions_mm[t[0]];
        // Relative to a vertex of the component: far from the origin little would be left of its volume.
        std::uint32_t const component = topology.component_of[i];
        if (!has_origin[component]) origins[component] = a;
        has_origin[component] = true;
        Vec3Double const p = subtract_points(a, origins[component]);
        Vec3Double const normal =
            cross_vectors(subtract_points(mesh.positions_mm[t[1]], a), subtract_points(mesh.positions_mm[t[2]], a));
        volumes[component] += (p.x * normal.x + p.y * normal.y + p.z * normal.z) / 6;
    }
    return volumes;
}

std::vector<CoincidentTriangle> find_coincident_triangles(TriangleMesh const& mesh, int threads)
{
    std::vector<TriangleVertices> sorted;
    sorted.reserve(mesh.triangles.size());
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
        TriangleVertices const triangle = sort_vertices(mesh.triangles[i], i);
        auto const& v = triangle.vertices;
        if (v[0] != v[1] && v[1] != v[2]) sorted.push_back(triangle);
    }
    sort_by_key(sorted, threads);
    std::vector<CoincidentTriangle> found;
    std::size_t first = 0;
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        if (sorted[i].vertices != sorted[first].vertices) {
            first = i;
        } else {
            found.push_back({sorted[i].triangle, sorted[first].triangle, sorted[i].is_odd != sorted[first].is_odd});
        }
    }
    std::sort(found.begin(), found.end(),
              [](CoincidentTriangle const& a, CoincidentTriangle const& b) { return a.triangle < b.triangle; });
    return found;
}

} // namespace volpt
