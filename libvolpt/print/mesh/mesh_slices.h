// Which voxels of a slice are coat, ink and core of a mesh that is printed, and the colours of the ink.
#pragma once

#include "libvolpt/print/mesh/layer_diffusion.h"
#include "libvolpt/print/mesh/surface_colours.h"
#include "libvolpt/volume/mesh/occupancy.h"
#include "libvolpt/volume/mesh/place_mesh.h"

#include <memory>
#include <span>

namespace volpt {

/// A hierarchy with its triangles, apart from the mesh that it is of.
struct OwnBvh {
    OwnBvh(PlacedMesh const& mesh, int threads);
    OwnBvh(OwnBvh const&) = delete; // the view points into this object
    OwnBvh& operator=(OwnBvh const&) = delete;

    std::vector<BvhNode> nodes;
    std::vector<LeafTriangle> triangles;
    BvhView view;
};

/// From the surface inwards.
struct ShellDepths {
    double coat_mm = 0;
    double ink_mm = 0.5;

    double ink_end_mm() const { return coat_mm + ink_mm; }
};

class MeshSlices {
public:
    /// `inside`: of a mesh that check_mesh does not accept, which voxels are inside; else null.
    MeshSlices(PlacedMesh const& mesh, std::shared_ptr<Occupancy const> inside, std::unique_ptr<SurfaceColours> colours,
               ShellDepths const& depths, int threads);

    /// In how many pieces fill_piece fills slices: layers of up to 8 slices of a few rows each.
    std::size_t count_pieces(std::size_t slices) const;

    /// One piece of the slices from `z_first` on, for any thread. Voxels whose centre is inside the mesh: coat at
    /// most coat_mm from it, ink up to ink_mm farther inwards, core beyond. Colour of ink: that of the nearest point of
    /// the mesh, of several the one on the triangle with the lowest number. The colours of other voxels stay.
    void fill_piece(std::span<PrintSlice> slices, int z_first, std::size_t piece) const;

private:
    struct Block;
    void fill_insides(Block& block) const;
    void list_occupied_runs(int y, int z, std::vector<std::array<int, 2>>& runs) const;
    int fill_chunk(Block const& block, NearestPointSearch& search, int x) const;
    void fill_shells(Block const& block, NearestPointSearch& search, int x, int x_end) const;
    std::uint16_t find_place(NearestPoint const& point) const;

    OwnBvh bvh_;
    std::shared_ptr<Occupancy const> inside_;
    std::array<int, 3> dims_;
    std::array<float, 3> pitch_mm_;
    std::vector<TrianglePlane> planes_;
    std::unique_ptr<SurfaceColours> colours_;
    ShellDepths depths_;
};

} // namespace volpt
