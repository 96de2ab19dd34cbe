#include "libvolpt/surface/winding/hole_caps.h"

#include "libvolpt/surface/mesh_topology.h"

#include <map>
#include <utility>

namespace volpt {
namespace {

/// Sets of vertices; the root is the lowest number.
class BoundaryParts {
public:
    std::uint32_t find(std::uint32_t vertex)
    {
        std::uint32_t root = vertex;
        while (parents_.try_emplace(root, root).first->second != root) root = parents_[root];
        while (vertex != root) vertex = std::exchange(parents_[vertex], root);
        return root;
    }

    void join(std::uint32_t a, std::uint32_t b)
    {
        a = find(a);
        b = find(b);
        parents_[std::max(a, b)] = std::min(a, b);
    }

    std::map<std::uint32_t, std::uint32_t> const& vertices() const { return parents_; }

private:
    std::map<std::uint32_t, std::uint32_t> parents_;
};

struct Mean {
    double x = 0, y = 0, z = 0, count = 0;
    std::uint32_t apex = 0;
};

} // namespace

HoleCaps cap_holes(TriangleMesh const& mesh, int threads)
{
    MeshTopology const topology = find_topology(mesh, threads);
    BoundaryParts parts;
    for (OddEdge const& edge : topology.odd_edges)
        if (edge.balance != 0) parts.join(edge.vertices[0], edge.vertices[1]);
    std::map<std::uint32_t, Mean> means;
    auto const vertices = parts.vertices();
    for (auto const& [vertex, parent] : vertices) {
        Vec3 const p = mesh.positions_mm[vertex];
        Mean& mean = means[parts.find(vertex)];
        mean.x += static_cast<double>(p.x);
        mean.y += static_cast<double>(p.y);
        mean.z += static_cast<double>(p.z);
        ++mean.count;
    }
    HoleCaps caps;
    for (auto& [root, mean] : means) {
        mean.apex = static_cast<std::uint32_t>(mesh.positions_mm.size() + caps.apexes.size());
        caps.apexes.push_back({static_cast<float>(mean.x / mean.count), static_cast<float>(mean.y / mean.count),
                               static_cast<float>(mean.z / mean.count)});
    }
    for (OddEdge const& edge : topology.odd_edges) {
        if (edge.balance == 0) continue;
        std::uint32_t const apex = means[parts.find(edge.vertices[0])].apex;
        auto [from, to] = edge.vertices; // where the mesh runs from `to` to `from`
        if (edge.balance > 0) std::swap(from, to);
        for (std::int32_t i = 0; i < std::abs(edge.balance); ++i) {
            caps.triangles.push_back({from, to, apex});
            caps.edges.push_back(edge.vertices);
        }
    }
    return caps;
}

} // namespace volpt
