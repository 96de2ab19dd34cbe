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
        meta_.pitch_mm = mesh_.box.pitch_mm;
        meta_.placement = mesh_.box.placement;
        materials_ = medium->materials();
        source_metadata_json_ = medium->source_metadata_json();
        scene_hints_json_ = medium->scene_hints_json();
        surface_ = mesh_.view();
    }

    VoxelSlab read_slab(int z_first, int z_count) override { return {z_first, z_count, {}, {}, {}}; }

private:
    PlacedMesh mesh_;
};

class BoundedVolume final : public VoxelStream {
public:
    BoundedVolume(std::unique_ptr<VoxelStream> medium, PlacedMesh mesh)
        : medium_(std::move(medium)), mesh_(std::move(mesh))
    {
        meta_ = medium_->meta();
        materials_ = medium_->materials();
        source_metadata_json_ = medium_->source_metadata_json();
        scene_hints_json_ = medium_->scene_hints_json();
        surface_ = mesh_.view();
        surroundings_ = medium_->surroundings();
        emitters_ = medium_->emitters();
    }

    void use_threads(int threads) override { medium_->use_threads(threads); }
    int layers_at_a_time() const override { return medium_->layers_at_a_time(); }
    VoxelSlab read_slab(int z_first, int z_count) override { return medium_->read_slab(z_first, z_count); }
    std::vector<std::string> list_notices() const override { return medium_->list_notices(); }
    std::vector<std::string> list_facts() const override { return medium_->list_facts(); }
    std::string report_json() const override { return medium_->report_json(); }
    std::optional<SourceValues> source_values() const override { return medium_->source_values(); }

private:
    std::unique_ptr<VoxelStream> medium_;
    PlacedMesh mesh_;
};

} // namespace

std::unique_ptr<VoxelStream> bound_volume(std::unique_ptr<VoxelStream> medium, PlacedMesh mesh)
{
    return std::make_unique<BoundedVolume>(std::move(medium), std::move(mesh));
}

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
