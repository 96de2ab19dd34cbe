// Packs one plane: tells constant bricks from others, keeps the table, parks voxels until their Morton order is known.
#pragma once

#include "libvolpt/sys/scratch_file.h"
#include "libvolpt/sys/sectioned_file.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/pack/brick_row.h"

#include <filesystem>
#include <vector>

namespace volpt {

class PlanePacker {
public:
    /// `folder` gets the scratch file. `name` is for messages. Absent planes (no channels) are not to be packed.
    PlanePacker(PlaneShape shape, std::array<int, 3> dims, std::array<int, 3> brick_counts,
                std::filesystem::path folder, vpk::PlaneSections sections);

    PlaneShape const& shape() const noexcept { return shape_; }
    /// To be filled with the codes of the next row of bricks.
    BrickRow& row() noexcept { return row_; }
    /// Packs the row. `constant[i]` is cleared if brick i of the row is not constant in this plane. Error (input) when
    /// the voxels outgrow what 32-bit indices reach.
    void add_row(std::span<std::uint8_t> constant);

    /// The table alone: which bricks are constant, and what; slots are those of the scratch file.
    PlaneView table_view() const;
    /// Assigns slots in Morton order and writes table and voxels.
    void write_sections(SectionedWriter& writer);

private:
    void append_table_entry(std::uint32_t slot, int brick_x);
    /// Bricks of these places in the scratch file, in this order; clears the list.
    void write_part(std::vector<std::uint32_t>& arrivals, SectionedWriter& writer);

    PlaneShape shape_;
    std::array<int, 3> brick_counts_;
    vpk::PlaneSections sections_;
    BrickRow row_;
    ScratchFile scratch_;
    std::vector<std::uint32_t> table_;
    std::vector<std::byte> brick_;
    std::vector<std::byte> part_;
    std::vector<std::byte> run_; ///< bricks that arrived one after the other
    std::uint64_t stored_bricks_ = 0;
};

} // namespace volpt
