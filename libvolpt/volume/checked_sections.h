// Sections of a .vpk as typed views, after checks that no index in them leads outside.
#pragma once

#include "libvolpt/sys/container/sectioned_file.h"
#include "libvolpt/volume/meta.h"

#include <cstring>
#include <span>

namespace volpt {

/// Error (input) naming the file, the section and the offset in the file.
[[noreturn]] void refuse_section(SectionedFile const& file, std::string_view section, std::uint64_t offset_in_section,
                                 std::string const& what);

/// The bytes of a section; Error (input) unless it has this size.
std::span<std::byte const> read_sized(SectionedFile const& file, std::string_view section, std::uint64_t size_bytes);

template <typename T>
std::span<T const> read_array(SectionedFile const& file, std::string_view section, std::uint64_t count)
{
    auto const bytes = read_sized(file, section, count * sizeof(T));
    return {reinterpret_cast<T const*>(bytes.data()), count}; // sections are aligned to a page
}

template <typename T>
T read_record(SectionedFile const& file, std::string_view section)
{
    T record;
    std::memcpy(&record, read_sized(file, section, sizeof record).data(), sizeof record);
    return record;
}

/// A plane whose table has been checked.
struct CheckedPlane {
    PlaneShape shape;
    vpk::PlaneSections sections;
    std::span<std::uint32_t const> table;
    std::span<std::byte const> voxels;

    PlaneView view() const;
};

/// Sizes fit, slots and constant labels are in range. Returns an empty plane for an absent one.
CheckedPlane check_plane(SectionedFile const& file, vpk::PlaneSections sections, PlaneShape shape,
                         std::array<int, 3> brick_counts);

/// Error (input) unless slots ascend in the Morton order of bricks (so each is used once), and constants and voxels are
/// finite and in range. On up to `threads` threads (parallel_for_joined).
void check_plane_contents(SectionedFile const& file, CheckedPlane const& plane, std::array<int, 3> brick_counts,
                          int threads);

/// Error (input) unless every label has a material. On up to `threads` threads (parallel_for_joined).
void check_labels(SectionedFile const& file, CheckedPlane const& label, std::size_t material_count, int threads);

/// Error (input) unless `majorants` has exactly the bits that compute_majorants finds from the voxels of `volume`, and
/// the global majorant of each band is the largest of them, or the constant extinction: paths that meet more extinction
/// are biased.
void check_majorants(SectionedFile const& file, std::span<float const> majorants, VolumeView const& volume,
                     int threads);

/// Error (input) unless `clearance_mm` has exactly the bits that compute_clearance_mm finds from the tables of
/// `volume`: the steps of paths depend on them, and the data checksum does not cover them.
void check_clearance(SectionedFile const& file, std::span<float const> clearance_mm, VolumeView const& volume);

} // namespace volpt
