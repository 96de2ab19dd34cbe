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

class PlanePacker {
public:
    /// The scratch file is created in `folder`. The plane must not be absent (it has channels).
    PlanePacker(PlaneShape shape, std::array<int, 3> dims, std::array<int, 3> brick_counts,
                std::filesystem::path folder, vpk::PlaneSections sections);

    PlaneShape const& shape() const noexcept { return shape_; }
    /// To be filled by the caller with the codes of the next row of bricks.
    BrickRow& row() noexcept { return row_; }
    /// Packs the row. Clears `constant[i]` if brick i of the row is not constant in this plane. Error (input) if the
    /// voxels exceed 32-bit indices.
    void add_row(std::span<std::uint8_t> constant);

    /// A view with the table only (constant bricks and their values); slots are those of the scratch file.
    PlaneView table_view() const;
    /// Assigns slots in Morton order and writes table and voxels.
    void write_sections(SectionedWriter& writer);

private:
    void append_table_entry(std::uint32_t slot, int brick_x);
    /// Writes the bricks at these slots of the scratch file, in this order; clears the list.
    void write_part(std::vector<std::uint32_t>& arrivals, SectionedWriter& writer);

    PlaneShape shape_;
    std::array<int, 3> brick_counts_;
    vpk::PlaneSections sections_;
    BrickRow row_;
    ScratchFile scratch_;
    std::vector<std::uint32_t> table_;
    std::vector<std::byte> brick_;
    std::vector<std::byte> part_;
    std::vector<std::byte> run_; ///< bricks of consecutive slots
    std::uint64_t stored_bricks_ = 0;
};

} // namespace volpt
