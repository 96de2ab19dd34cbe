// Volumes that a mesh bounds.
#pragma once

#include "libvolpt/surface/make_mesh.h"
#include "libvolpt/volume/mesh/mesh_volume.h"
#include "tests/support/make_volume.h"

#include <cmath>

namespace volpt::test {

/// Grey, extinction 1.
class HomogeneousMedium final : public VoxelStream {
public:
    explicit HomogeneousMedium(std::uint32_t bands = 1)
    {
        meta_.dims = {1, 1, 1};
        meta_.band_numbers.clear();
        for (std::uint32_t band = 0; band < bands; ++band) meta_.band_numbers.push_back(band);
        meta_.constant_extinction.assign(bands, 1.0f);
        meta_.constant_one_minus_albedo.assign(bands, 0.5f);
    }

    VoxelSlab read_slab(int z_first, int z_count) override { return {z_first, z_count, {}, {}, {}}; }
};

/// Normals along the positions and some texture coordinates.
inline TriangleMesh with_corner_values(TriangleMesh mesh)
{
    for (auto const& triangle : mesh.triangles) {
        std::array<Vec3, 3> normals;
        for (std::size_t c = 0; c < 3; ++c) {
            Vec3 const p = mesh.positions_mm[triangle[c]];
            normals[c] = (1.0f / std::sqrt(dot(p, p))) * p;
        }
        mesh.normals.push_back(normals);
        float const u = static_cast<float>(mesh.texture_coordinates.size());
        mesh.texture_coordinates.push_back({{{u, 0}, {u, 1}, {u + 1, 0.5f}}});
    }
    return mesh;
}

inline PackStatistics pack_mesh(std::filesystem::path const& path, TriangleMesh mesh,
                                MeshPlaceOptions const& options = {}, std::uint32_t bands = 1)
{
    auto const volume = make_mesh_volume(std::make_unique<HomogeneousMedium>(bands),
                                         place_mesh(std::move(mesh), options), path.string());
    return pack_volume(*volume, path, {}, {}, find_layer_memory(), options.threads);
}

} // namespace volpt::test
