#include "libvolpt/volume/mesh/mesh_volume.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/volume/meta.h"

namespace volpt {
namespace {

class MeshVolume final : public VoxelStream {
public:
    MeshVolume(std::unique_ptr<VoxelStream> medium, PlacedMesh mesh) : mesh_(std::move(mesh))
    {
        meta_ = medium->meta();
        meta_.dims = mesh_.box.dims;
        meta_.pitch_mm.fill(mesh_.box.pitch_mm);
        meta_.placement = {};
        meta_.placement.origin_world_mm = mesh_.box.corner_mm;
        materials_ = medium->materials();
        source_metadata_json_ = medium->source_metadata_json();
        scene_hints_json_ = medium->scene_hints_json();
        surface_ = mesh_.view();
    }

    VoxelSlab read_slab(int z_first, int z_count) override { return {z_first, z_count, {}, {}, {}}; }

private:
    PlacedMesh mesh_;
};

} // namespace

std::unique_ptr<VoxelStream> make_mesh_volume(std::unique_ptr<VoxelStream> medium, PlacedMesh mesh,
                                              std::string const& path)
{
    auto volume = std::make_unique<MeshVolume>(std::move(medium), std::move(mesh));
    if (std::string const found = find_extent_contradiction(volume->meta()); !found.empty())
        fail_input("the mesh cannot be placed: " + found, path, "no camera could see it",
                   "change its unit with --mesh-scale, or move it towards the origin");
    return volume;
}

} // namespace volpt
