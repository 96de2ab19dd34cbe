// Labels of voxels where solids nest: what exports show. Paths take the media of solids, not those of voxels.
#pragma once

#include "libvolpt/surface/triangle_mesh.h"
#include "libvolpt/volume/mesh/surface_mesh.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace volpt {

/// A voxel has the label of the solid that holds its centre; where none does, that of the first solid.
class NestedLabels {
public:
    /// `mesh_voxels` lies in a box of `dims` voxels.
    NestedLabels(std::array<int, 3> dims, TriangleMesh const& mesh_voxels, std::span<SolidBoundary const> solids,
                 std::span<SolidNesting const> nesting, int threads);

    /// Of the layers z_first .. z_first + z_count - 1, x fastest.
    void read_layers(int z_first, int z_count, std::vector<std::uint8_t>& labels) const;

private:
    /// Voxels of one label along z, up to `end`.
    struct Run {
        int end;
        std::uint8_t label;
    };

    std::vector<std::vector<Run>> columns_; ///< by x and y; the last run ends with the box
};

} // namespace volpt
