// Which voxels of a volume belong to the solid.
#pragma once

#include "libvolpt/volume/voxel_stream.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace volpt {

/// One bit per voxel.
class Occupancy {
public:
    explicit Occupancy(std::array<int, 3> dims);

    std::array<int, 3> const& dims() const noexcept { return dims_; }
    /// Of a row along x, in words of 64 voxels.
    int words_per_row() const noexcept { return words_per_row_; }

    /// False outside the box.
    bool is_occupied(int x, int y, int z) const;
    void occupy(int x, int y, int z);
    /// Voxels x_first to before x_end of a row, within the box.
    void occupy_run(int x_first, int x_end, int y, int z);
    /// Voxels 64 word .. 64 word + 63 of a row, the first in the lowest bit; 0 outside the box.
    std::uint64_t get_word(int word, int y, int z) const;

    std::uint64_t count() const;
    std::uint64_t size_bytes() const noexcept { return words_.size() * sizeof(std::uint64_t); }

private:
    std::size_t find_word(int word, int y, int z) const;

    std::array<int, 3> dims_;
    int words_per_row_;
    std::vector<std::uint64_t> words_;
};

struct SolidVoxels {
    Occupancy occupied;
    std::optional<Occupancy> support; ///< those of support material, if the volume may have any
};

/// By label: of the materials that are air, those that the source metadata name as support ("materials.support").
std::vector<bool> find_support_labels(VoxelStream const& volume);

/// Reads the whole volume. Occupied are voxels of a density above `threshold` (before the volume's scale); of a volume
/// of labels, where `threshold` has no meaning, those whose material is not air. Error (input, at `where`) if the
/// volume is homogeneous, or if all or none of its voxels are occupied: then there is no surface but the box's. A sink
/// that asks to stop gives an Error (system). Threads are those of the stream.
SolidVoxels find_occupied_voxels(VoxelStream& volume, float threshold, ProgressSink const& progress,
                                 std::string const& where);

} // namespace volpt
