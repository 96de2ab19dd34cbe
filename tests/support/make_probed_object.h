// Packed volumes that a mesh with texture coordinates bounds, and the probe of its texture.
#pragma once

#include "libvolpt/volume/mesh/mesh_volume.h"
#include "tests/support/make_charts.h"
#include "tests/support/make_scene.h"

namespace volpt::test {

/// One voxel of the volume that `meta` describes.
class ConstantMedium final : public VoxelStream {
public:
    explicit ConstantMedium(VolumeMeta meta)
    {
        meta_ = std::move(meta);
        meta_.dims = {1, 1, 1};
    }

    VoxelSlab read_slab(int z_first, int z_count) override { return {z_first, z_count, {}, {}, {}}; }
};

/// `mesh` in its own box, with the constant medium of `meta`, whose extinction is 1: scenes scale it.
inline PackedVolume make_object(TriangleMesh mesh, VolumeMeta const& meta)
{
    TempFolder const folder;
    std::filesystem::path const path = folder / "object.vpk";
    auto const volume = make_mesh_volume(std::make_unique<ConstantMedium>(meta),
                                         place_mesh(std::move(mesh), {.bricks = 8}), path.string());
    pack_volume(*volume, path, {}, {}, find_layer_memory(), 1);
    return PackedVolume::open(path, VerifyLevel::full);
}

/// Grey, of one band.
inline VolumeMeta make_constant_meta(float one_minus_albedo, float g = 0)
{
    VolumeMeta meta;
    meta.constant_one_minus_albedo = {one_minus_albedo};
    meta.g = g;
    return meta;
}

/// A probe of the texture through a smooth boundary of n 1.5.
inline Scene make_texture_probe(PackedVolume const& object, std::uint32_t width, std::uint32_t height,
                                float extinction_per_mm)
{
    Scene scene = make_probe(object, width, height);
    scene.camera.probe_target = ProbeTarget::texture;
    scene.scale = extinction_per_mm;
    return scene;
}

} // namespace volpt::test
