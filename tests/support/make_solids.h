// Volumes of several solids, each with its medium and its boundary.
#pragma once

#include "libvolpt/surface/make_mesh.h"
#include "libvolpt/volume/mesh/place_mesh.h"
#include "libvolpt/volume/mesh/solid_labels.h"
#include "libvolpt/volume/voxel_stream.h"
#include "tests/support/make_volume.h"

#include <stdexcept>

namespace volpt::test {

/// In mm, of one band.
struct MadeSolid {
    TriangleMesh mesh;
    Material medium;
    SolidBoundary boundary; ///< but for first_triangle
};

inline SolidBoundary make_dielectric(double ior, double alpha = 0)
{
    SolidBoundary boundary;
    boundary.kind = alpha > 0 ? 2 : 1;
    boundary.int_ior = ior;
    boundary.alpha = alpha;
    boundary.microfacets = 1; // lose nothing
    return boundary;
}

class MadeSolids final : public VoxelStream {
public:
    MadeSolids(std::vector<MadeSolid> const& solids, int bricks)
    {
        TriangleMesh all;
        std::vector<std::uint32_t> first;
        std::vector<std::uint8_t> labels;
        for (MadeSolid const& solid : solids) {
            first.push_back(static_cast<std::uint32_t>(all.triangles.size()));
            labels.push_back(static_cast<std::uint8_t>(labels.size()));
            materials_.push_back(solid.medium);
            boundaries_.push_back(solid.boundary);
            boundaries_.back().first_triangle = first.back();
            all = all.triangles.empty() ? solid.mesh : join_meshes(all, solid.mesh);
        }
        MeshPlaceOptions options;
        options.bricks = bricks;
        placed_ = place_mesh(std::move(all), options);
        if (!placed_.report.is_accepted()) throw std::logic_error("the solids overlap");
        surface_ = placed_.view();
        surface_.solids = boundaries_;
        meta_.dims = placed_.box.dims;
        meta_.pitch_mm = placed_.box.pitch_mm;
        meta_.placement = placed_.box.placement;
        meta_.extinction = meta_.albedo = meta_.anisotropy = Source::material;
        meta_.filter = Filter::nearest;
        labels_.emplace(meta_.dims, placed_.mesh, first, labels, 1);
    }

    SolidLabels const& labels() const { return *labels_; }
    PlacedMesh const& placed() const { return placed_; }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        labels_->read_layers(z_first, z_count, slab_);
        return {z_first, z_count, {}, {}, slab_};
    }

private:
    PlacedMesh placed_;
    std::vector<SolidBoundary> boundaries_;
    std::optional<SolidLabels> labels_;
    std::vector<std::uint8_t> slab_;
};

inline PackedVolume pack_solids(std::vector<MadeSolid> const& solids, int bricks = 16)
{
    TempFolder const folder;
    MadeSolids stream(solids, bricks);
    if (stream.labels().shared()) throw std::logic_error("the voxels are too large");
    pack_volume(stream, folder / "made.vpk", {}, {});
    return PackedVolume::open(folder / "made.vpk", VerifyLevel::full);
}

} // namespace volpt::test
