// Area and volume, in mm, of meshes whose unit is a voxel.
#include "libvolpt/volume/mesh/place_mesh.h"

#include <algorithm>
#include <cmath>

namespace volpt {

double measure_area_mm2(std::span<Vec3 const> vertices_voxels, std::span<std::array<std::uint32_t, 3> const> triangles,
                        std::array<float, 3> const& pitch_mm)
{
    auto const x = static_cast<double>(pitch_mm[0]), y = static_cast<double>(pitch_mm[1]),
               z = static_cast<double>(pitch_mm[2]);
    auto const widen = [](Vec3 v) {
        return std::array{static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
    };
    double area_mm2 = 0;
    for (auto const& t : triangles) {
        if (std::max({t[0], t[1], t[2]}) >= vertices_voxels.size()) continue;
        auto const a = widen(vertices_voxels[t[0]]), b = widen(vertices_voxels[t[1]]), c = widen(vertices_voxels[t[2]]);
        std::array const p{(b[0] - a[0]) * x, (b[1] - a[1]) * y, (b[2] - a[2]) * z};
        std::array const q{(c[0] - a[0]) * x, (c[1] - a[1]) * y, (c[2] - a[2]) * z};
        double const nx = p[1] * q[2] - p[2] * q[1], ny = p[2] * q[0] - p[0] * q[2], nz = p[0] * q[1] - p[1] * q[0];
        area_mm2 += 0.5 * std::sqrt(nx * nx + ny * ny + nz * nz);
    }
    return area_mm2;
}

void scale_figures(MeshReport& report, TriangleMesh const& mesh_voxels, std::array<float, 3> const& pitch_mm)
{
    auto const x = static_cast<double>(pitch_mm[0]), y = static_cast<double>(pitch_mm[1]),
               z = static_cast<double>(pitch_mm[2]);
    report.volume_mm3 *= x * y * z;
    if (pitch_mm[0] == pitch_mm[1] && pitch_mm[0] == pitch_mm[2])
        report.area_mm2 *= x * x;
    else
        report.area_mm2 = measure_area_mm2(mesh_voxels.positions_mm, mesh_voxels.triangles, pitch_mm);
}

} // namespace volpt
