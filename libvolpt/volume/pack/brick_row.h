// The codes of one row of bricks (8 layers of 8 rows) of one plane, and queries of its bricks.
#pragma once

#include "libvolpt/core/morton.hd.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace volpt {

/// Rows of codes, x fastest, `channels` elements per voxel; rows and voxels beyond the volume repeat the last.
class BrickRow {
public:
    BrickRow(int voxels_x, std::uint32_t channels, std::uint32_t element_bytes);

    /// The place for the codes of row (y, z), both 0..7 inside the brick row: voxels_x * channels elements.
    std::byte* row_codes(int y, int z);
    /// To be called after the `rows_y` x `rows_z` existing rows are written: repeats the last voxel and the last rows.
    void replicate_edges(int rows_y, int rows_z);

    /// True if all 512 voxels of brick `x` of the row have equal codes.
    bool is_constant(int brick_x) const;
    /// Code `channel` of the first voxel of the brick.
    std::uint32_t first_code(int brick_x, std::uint32_t channel) const;
    /// The brick's records in Morton order, `record_elements` each, padding zero; 512 records.
    void gather_morton(int brick_x, std::uint32_t record_elements, std::span<std::byte> brick) const;
    /// Codes of one-channel planes widened to integers, x fastest.
    void widen(int brick_x, std::array<std::uint32_t, kBrickVoxels>& codes) const;

private:
    std::byte const* brick_codes(int brick_x, int y, int z) const;

    std::size_t voxels_x_;
    std::size_t voxel_bytes_;
    std::uint32_t channels_;
    std::uint32_t element_bytes_;
    std::size_t row_bytes_;
    std::vector<std::byte> codes_;
    std::array<std::size_t, 64> row_offset_{}; ///< [z * 8 + y]
};

} // namespace volpt
