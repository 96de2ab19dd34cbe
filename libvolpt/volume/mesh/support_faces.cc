#include "libvolpt/volume/mesh/support_faces.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

using Triangle = std::array<std::uint32_t, 3>;

/// The voxel that the face of triangle a b c looks at; positions are those of corners of voxels.
std::array<int, 3> find_outer_voxel(Vec3 a, Vec3 b, Vec3 c)
{
    Vec3 const normal = cross(b - a, c - a);
    std::array<int, 3> voxel{};
    for (int axis = 0; axis < 3; ++axis) {
        float const least = std::min({get_axis(a, axis), get_axis(b, axis), get_axis(c, axis)});
        voxel[static_cast<std::size_t>(axis)] = static_cast<int>(least) - (get_axis(normal, axis) < 0 ? 1 : 0);
    }
    return voxel;
}

bool is_set(Occupancy const& voxels, std::array<int, 3> const& at)
{
    return voxels.is_occupied(at[0], at[1], at[2]);
}

/// The two voxels on both sides of the quadrilateral around the edge between their centres.
std::array<std::array<int, 3>, 2> find_edge(QuadMesh const& surface, std::array<std::uint32_t, 4> const& quad)
{
    std::array<int, 3> least{}, most{};
    for (int axis = 0; axis < 3; ++axis) {
        auto const a = static_cast<std::size_t>(axis);
        for (std::size_t i = 0; i < 4; ++i) {
            // The least of the cell's voxels.
            int const cell = static_cast<int>(std::floor(get_axis(surface.positions_voxels[quad[i]], axis) - 0.5f));
            least[a] = i == 0 ? cell : std::min(least[a], cell);
            most[a] = i == 0 ? cell : std::max(most[a], cell);
        }
    }
    // The cells are those on all sides of the edge: they differ across it, and not along it.
    std::array<std::array<int, 3>, 2> ends{most, most};
    for (std::size_t a = 0; a < 3; ++a)
        if (least[a] == most[a]) ++ends[1][a];
    return ends;
}

} // namespace

std::uint32_t put_supported_last(TriangleMesh& faces, Occupancy const& support)
{
    std::vector<Vec3> const& at = faces.positions_mm;
    // Both triangles of a face look at the same voxel.
    auto const last = std::stable_partition(faces.triangles.begin(), faces.triangles.end(), [&](Triangle const& t) {
        return !is_set(support, find_outer_voxel(at[t[0]], at[t[1]], at[t[2]]));
    });
    return static_cast<std::uint32_t>(faces.triangles.end() - last);
}

std::uint32_t put_supported_last(QuadMesh& surface, Occupancy const& occupied, Occupancy const& support)
{
    auto const last = std::stable_partition(surface.quads.begin(), surface.quads.end(), [&](auto const& quad) {
        auto const [a, b] = find_edge(surface, quad);
        return !((is_set(occupied, a) && is_set(support, b)) || (is_set(occupied, b) && is_set(support, a)));
    });
    return 2 * static_cast<std::uint32_t>(surface.quads.end() - last);
}

} // namespace volpt
