// Packs one plane: finds constant bricks, builds the table, keeps voxels in a scratch file until their Morton order is
// known.
#pragma once

#include "libvolpt/sys/container/sectioned_file.h"
#include "libvolpt/sys/scratch_file.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/pack/brick_row.h"

#include <filesystem>
#include <vector>

namespace volpt {

/// A row of bricks of one plane, filled and packed by one thread at a time.
struct PlaneRow {
    BrickRow codes;
    std::vector<std::uint32_t> entries; ///< of the table; slots count from 0 in the row
    std::vector<std::byte> bricks;      ///< those that are not constant, their voxels in Morton order
    std::vector<std::uint8_t> constant; ///< by brick

    bool is_constant(std::size_t brick_x) const { return constant[brick_x] != 0; }
};

class PlanePacker {
public:
    /// The scratch file is created in `folder`. The plane must not be absent (it has channels).
    PlanePacker(PlaneShape shape, std::array<int, 3> dims, std::array<int, 3> brick_counts,
                std::filesystem::path folder, vpk::PlaneSections sections);

    PlaneShape const& shape() const noexcept { return shape_; }
    PlaneRow make_row() const;
    /// Packs row.codes, which the caller has filled. From any thread.
    void pack_row(PlaneRow& row) const;
    /// Adds a packed row, in order. Error (input) if the voxels exceed 32-bit indices.
    void add_row(PlaneRow const& row);

    /// A view with the table only (constant bricks and their values); slots are those of the scratch file.
    PlaneView table_view() const;
    /// Assigns slots in Morton order and writes table and voxels, read back on up to `threads` threads.
    void write_sections(SectionedWriter& writer, int threads);

private:
    void append_table_entry(PlaneRow& row, std::uint32_t slot, int brick_x) const;
    /// The bricks at these slots of the scratch file, in this order. From any thread.
    void read_part(std::vector<std::uint32_t> const& arrivals, std::vector<std::byte>& part) const;

    PlaneShape shape_;
    std::array<int, 3> brick_counts_;
    vpk::PlaneSections sections_;
    int voxels_x_;
    ScratchFile scratch_;
    std::vector<std::uint32_t> table_;
    std::uint64_t stored_bricks_ = 0;
};

} // namespace volpt
