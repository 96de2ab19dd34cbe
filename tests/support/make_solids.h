// Volumes of several solids, each with its medium and its boundary.
#pragma once

#include "libvolpt/surface/make_mesh.h"
#include "libvolpt/volume/mesh/nesting/nested_labels.h"
#include "libvolpt/volume/mesh/nesting/nested_solids.h"
#include "libvolpt/volume/mesh/place_mesh.h"
#include "libvolpt/volume/mesh/solid_labels.h"
#include "libvolpt/volume/voxel_stream.h"
#include "tests/support/make_volume.h"

#include <stdexcept>

namespace volpt::test {

/// In mm, of one band or three.
struct MadeSolid {
    TriangleMesh mesh;
    Material medium;
    SolidBoundary boundary; ///< but for first_triangle
};

inline SolidBoundary make_dielectric(double ior, double alpha = 0, double ext_ior = 1)
{
    SolidBoundary boundary;
    boundary.kind = alpha > 0 ? BoundaryKindView::rough : BoundaryKindView::smooth;
    boundary.int_ior = ior;
    boundary.ext_ior = ext_ior;
    boundary.alpha = alpha;
    boundary.microfacets = MicrofacetsView::multiple; // lose nothing
    return boundary;
}

/// Solids that are apart, or some of which lie in others.
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
        options.enclosed = EnclosedComponents::allowed;
        placed_ = place_mesh(std::move(all), options);
        if (!placed_.report.is_accepted(options.enclosed)) throw std::logic_error("the solids overlap");
        surface_ = placed_.view();
        surface_.solids = boundaries_;
        meta_.dims = placed_.box.dims;
        meta_.pitch_mm = placed_.box.pitch_mm;
        meta_.placement = placed_.box.placement;
        meta_.extinction = meta_.albedo = meta_.anisotropy = Source::material;
        meta_.filter = Filter::nearest;
        if (solids[0].medium.sigma_t.size() == 3) set_three_bands(meta_);
        if (placed_.report.is_accepted())
            labels_.emplace(meta_.dims, placed_.mesh, first, labels, 1);
        else
            nest(first, labels);
    }

    /// Of solids that are apart.
    SolidLabels const& labels() const { return *labels_; }
    PlacedMesh const& placed() const { return placed_; }
    bool nests() const { return !nesting_.empty(); }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        if (nested_labels_)
            nested_labels_->read_layers(z_first, z_count, slab_);
        else
            labels_->read_layers(z_first, z_count, slab_);
        return {z_first, z_count, {}, {}, slab_};
    }

private:
    void nest(std::vector<std::uint32_t> const& first, std::vector<std::uint8_t> const& labels)
    {
        std::vector<std::uint32_t> const around = find_solids_around(placed_.mesh, first);
        for (std::size_t i = 0; i < first.size(); ++i) nesting_.push_back({around[i], labels[i]});
        surface_.nesting = nesting_;
        surface_.volume_mm3 = measure_outer_volume_mm3(placed_.mesh, boundaries_, nesting_, placed_.box.pitch_mm);
        nested_labels_.emplace(meta_.dims, placed_.mesh, boundaries_, nesting_, 1);
    }

    PlacedMesh placed_;
    std::vector<SolidBoundary> boundaries_;
    std::vector<SolidNesting> nesting_;
    std::optional<SolidLabels> labels_;
    std::optional<NestedLabels> nested_labels_;
    std::vector<std::uint8_t> slab_;
};

inline PackedVolume pack_solids(std::vector<MadeSolid> const& solids, int bricks = 16)
{
    TempFolder const folder;
    MadeSolids stream(solids, bricks);
    if (!stream.nests() && stream.labels().shared()) throw std::logic_error("the voxels are too large");
    pack_volume(stream, folder / "made.vpk", {}, {});
    return PackedVolume::open(folder / "made.vpk", VerifyLevel::full);
}

} // namespace volpt::test
