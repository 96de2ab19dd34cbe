// Which solid a voxel belongs to, where a mesh bounds several.
#pragma once

#include "libvolpt/surface/triangle_mesh.h"

#include <optional>
#include <span>
#include <vector>

namespace volpt {

/// A voxel that two solids of different labels meet.
struct SharedVoxel {
    std::size_t first = 0, second = 0; ///< solids, ascending
    std::array<int, 3> voxel{};
};

/// Labels by voxel, so that every point of a solid lies in a voxel of its label. A brick that solids of one label meet
/// has that label throughout; labels of voxels that no solid meets have no meaning.
class SolidLabels {
public:
    /// `mesh_voxels` is one that check_mesh accepts, in a box of `dims` voxels. Triangles of solid i are those from
    /// first_triangles[i] on; first_triangles[0] is 0. Solids come within 2^-6 voxels of a voxel that they meet, which
    /// is more than rounding moves a path.
    SolidLabels(std::array<int, 3> dims, TriangleMesh const& mesh_voxels,
                std::span<std::uint32_t const> first_triangles, std::span<std::uint8_t const> labels, int threads);

    /// The first one by z, then y, then x of the bricks and within a brick. If there is one, labels do not say where
    /// the medium of a solid ends.
    std::optional<SharedVoxel> const& shared() const { return shared_; }

    /// Of the layers z_first .. z_first + z_count - 1, x fastest.
    void read_layers(int z_first, int z_count, std::vector<std::uint8_t>& labels) const;

private:
    static constexpr std::uint32_t kUniform = 0xffffffffu;

    std::array<int, 3> dims_;
    std::array<int, 3> brick_counts_;
    std::vector<std::uint8_t> label_of_brick_;
    std::vector<std::uint32_t> voxels_of_brick_; ///< index of mixed_ or kUniform
    std::vector<std::array<std::uint8_t, 512>> mixed_;
    std::optional<SharedVoxel> shared_;
};

} // namespace volpt
