#include "libvolpt/surface/repair/orient_triangles.h"

#include "libvolpt/surface/mesh_topology.h"
#include "libvolpt/surface/self_intersections.h"

#include <algorithm>
#include <utility>

namespace volpt {
namespace {

void turn_triangle(TriangleMesh& mesh, std::size_t i)
{
    auto& t = mesh.triangles[i];
    std::swap(t[1], t[2]);
    if (!mesh.texture_coordinates.empty()) std::swap(mesh.texture_coordinates[i][1], mesh.texture_coordinates[i][2]);
    if (!mesh.colours.empty()) std::swap(mesh.colours[i][1], mesh.colours[i][2]);
    if (mesh.normals.empty()) return;
    // Files often have normals that look outwards at triangles that do not.
    Vec3 const a = mesh.positions_mm[t[0]];
    Vec3 const front = cross(mesh.positions_mm[t[1]] - a, mesh.positions_mm[t[2]] - a);
    auto& normals = mesh.normals[i];
    std::swap(normals[1], normals[2]);
    for (Vec3& normal : normals) normal = dot(normal, front) < 0 ? -normal : normal;
}

/// Whether triangles of a patch agree with its first one: 1 yes, 2 no.
class PatchWalk {
public:
    PatchWalk(std::vector<TrianglePair> const& pairs, std::size_t triangles)
        : pairs_(pairs), first_(triangles + 1, 0), sides_(triangles, 0)
    {
        for (TrianglePair const& pair : pairs) {
            ++first_[pair.a];
            ++first_[pair.b];
        }
        std::size_t sum = 0;
        for (std::size_t& count : first_) sum = std::exchange(count, sum) + sum;
        entries_.resize(sum);
        std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            entries_[next[pairs[i].a]++] = i;
            entries_[next[pairs[i].b]++] = i;
        }
    }

    bool is_reached(std::size_t triangle) const { return sides_[triangle] != 0; }

    /// The triangles of the patch to turn; sets `conflicts` if they cannot agree.
    std::vector<std::uint32_t> walk(std::uint32_t start, bool& conflicts)
    {
        std::vector<std::uint32_t> patch = {start};
        sides_[start] = 1;
        conflicts = false;
        for (std::size_t at = 0; at < patch.size(); ++at) {
            std::uint32_t const triangle = patch[at];
            for (std::size_t e = first_[triangle]; e < first_[triangle + 1]; ++e) {
                TrianglePair const& pair = pairs_[entries_[e]];
                std::uint32_t const other = pair.a == triangle ? pair.b : pair.a;
                auto const side = static_cast<std::uint8_t>(pair.agrees ? sides_[triangle] : 3 - sides_[triangle]);
                if (sides_[other] == 0) {
                    sides_[other] = side;
                    patch.push_back(other);
                } else if (sides_[other] != side) {
                    conflicts = true;
                }
            }
        }
        auto const ones =
            static_cast<std::size_t>(std::count_if(patch.begin(), patch.end(), [&](auto t) { return sides_[t] == 1; }));
        std::uint8_t const smaller = 2 * ones < patch.size() ? 1 : 2;
        std::erase_if(patch, [&](std::uint32_t t) { return sides_[t] != smaller; });
        return patch;
    }

private:
    std::vector<TrianglePair> const& pairs_;
    std::vector<std::size_t> first_;
    std::vector<std::size_t> entries_;
    std::vector<std::uint8_t> sides_;
};

void orient_patches(TriangleMesh& mesh, int threads, OrientReport& report)
{
    std::vector<TrianglePair> const pairs = find_triangle_pairs(mesh, threads);
    if (std::all_of(pairs.begin(), pairs.end(), [](TrianglePair const& pair) { return pair.agrees; })) return;
    PatchWalk walk(pairs, mesh.triangles.size());
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
        if (walk.is_reached(i)) continue;
        bool conflicts = false;
        std::vector<std::uint32_t> const to_turn = walk.walk(i, conflicts);
        if (conflicts) {
            ++report.unorientable_patches;
            continue;
        }
        for (std::uint32_t const triangle : to_turn) turn_triangle(mesh, triangle);
        report.turned_triangles += to_turn.size();
    }
}

} // namespace

OrientReport orient_triangles(TriangleMesh& mesh, int threads)
{
    OrientReport report;
    if (mesh.triangles.empty()) return report;
    orient_patches(mesh, threads, report);
    MeshTopology const topology = find_topology(mesh, threads);
    std::vector<double> const volumes = measure_volumes(mesh, topology);
    std::vector<int> enclosures(volumes.size(), 0);
    if (volumes.size() > 1) {
        Bvh const bvh = build_bvh(mesh, {BvhNodeOrder::pre_order, threads});
        Enclosures found = find_enclosures(mesh, bvh, topology.component_of, volumes.size(), threads);
        if (found.is_complete) enclosures = std::move(found.of_component); // else check_mesh refuses the mesh
    }
    std::vector<std::uint8_t> turns(volumes.size());
    for (std::size_t i = 0; i < volumes.size(); ++i) {
        // Whichever way the others face, the parity is the same.
        turns[i] = topology.is_closed[i] != 0 && volumes[i] < 0 && enclosures[i] % 2 == 0 ? 1 : 0;
        report.turned_components += turns[i];
    }
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        if (turns[topology.component_of[i]] != 0) turn_triangle(mesh, i);
    }
    return report;
}

} // namespace volpt
