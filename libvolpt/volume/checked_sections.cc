#include "libvolpt/volume/checked_sections.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/parallel.h"
#include "libvolpt/volume/clearance/clearance.h"
#include "libvolpt/volume/morton_order.h"
#include "libvolpt/volume/stored_majorants.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace volpt {
namespace {

bool is_label_plane(vpk::PlaneSections sections)
{
    return sections.table == vpk::kLabel.table;
}

bool is_values_plane(vpk::PlaneSections sections)
{
    return sections.table == vpk::kValues.table;
}

bool is_in_range(vpk::PlaneSections sections, float value)
{
    if (is_values_plane(sections)) return std::isfinite(value);
    float const high = sections.table == vpk::kAlbedo.table     ? 1.0f
                       : sections.table == vpk::kEmission.table ? vpk::kMaxEmission
                                                                : std::numeric_limits<float>::max();
    return value >= 0.0f && value <= high;
}

bool is_negative_zero(Encoding encoding, std::uint32_t code)
{
    return (encoding == Encoding::f32 && code == 0x80000000u) || (encoding == Encoding::f16 && code == 0x8000u);
}

// Without this check, a damaged table could make a renderer read outside the mapping.
void check_slots(SectionedFile const& file, CheckedPlane const& plane)
{
    std::uint64_t const slots = plane.voxels.size() / plane.shape.brick_bytes();
    std::uint32_t const stride = plane.shape.table_stride;
    bool const is_label = is_label_plane(plane.sections);
    for (std::size_t entry = 0; entry < plane.table.size(); entry += stride) {
        std::uint32_t const slot = plane.table[entry];
        bool const is_constant = slot == kConstantBrick;
        if (is_constant ? is_label && plane.table[entry + 1] >= static_cast<std::uint32_t>(kMaxMaterials)
                        : slot >= slots) {
            refuse_section(file, plane.sections.table, entry * 4,
                           fmt::format("brick {} names {}, there are {}", entry / stride,
                                       is_constant ? fmt::format("label {}", plane.table[entry + 1])
                                                   : fmt::format("slot {}", slot),
                                       is_constant ? static_cast<std::uint64_t>(kMaxMaterials) : slots));
        }
    }
}

void check_order_and_constants(SectionedFile const& file, CheckedPlane const& plane, std::array<int, 3> brick_counts)
{
    std::uint32_t next_slot = 0;
    for_each_brick_in_morton_order(brick_counts, [&](std::uint64_t brick) {
        std::size_t const entry = brick * plane.shape.table_stride;
        if (plane.table[entry] != kConstantBrick) {
            if (plane.table[entry] != next_slot++) {
                refuse_section(file, plane.sections.table, entry * 4,
                               fmt::format("brick {} names slot {}, Morton order gives it {}", brick,
                                           plane.table[entry], next_slot - 1));
            }
            return;
        }
        for (std::uint32_t channel = 0; channel < plane.shape.channels && !is_label_plane(plane.sections); ++channel) {
            float const value = float_from_bits(plane.table[entry + 1 + channel]);
            if (!is_in_range(plane.sections, value)) {
                refuse_section(file, plane.sections.table, (entry + 1 + channel) * 4,
                               fmt::format("brick {} has the constant {}", brick, value));
            }
        }
    });
    if (next_slot != plane.voxels.size() / plane.shape.brick_bytes()) {
        refuse_section(file, plane.sections.voxels, next_slot * plane.shape.brick_bytes(),
                       "no table entry refers to its last bricks");
    }
}

constexpr std::size_t kBlock_voxels = std::size_t{1} << 20;

/// A voxel that is no finite number in range; end if there is none. Numbers are in the order of their codes, but that
/// -0, which is allowed, has the sign: mostly, the largest code decides. Kept numbers may be negative.
template <typename Code>
std::size_t find_bad_value(CheckedPlane const& plane, std::span<Code const> codes)
{
    auto const is_bad = [&](Code code) {
        bool const is_finite_half = plane.shape.encoding != Encoding::f16 || (code & 0x7c00u) != 0x7c00u;
        return !(is_finite_half &&
                 is_in_range(plane.sections, decode_element(plane.shape.encoding, plane.shape.value_scale, code)));
    };
    Code largest = 0;
    for (Code const code : codes) largest = std::max(largest, code);
    bool const is_ordered = !is_values_plane(plane.sections);
    if (is_ordered && !is_bad(largest) && !is_negative_zero(plane.shape.encoding, largest)) return codes.size();
    return static_cast<std::size_t>(std::find_if(codes.begin(), codes.end(), is_bad) - codes.begin());
}

template <typename Code>
void check_values(SectionedFile const& file, CheckedPlane const& plane, int threads)
{
    std::span<Code const> const codes(reinterpret_cast<Code const*>(plane.voxels.data()),
                                      plane.voxels.size() / sizeof(Code));
    parallel_for_joined(threads, (codes.size() + kBlock_voxels - 1) / kBlock_voxels, [&](std::size_t i, int) {
        std::size_t const first = i * kBlock_voxels;
        auto const block = codes.subspan(first, std::min(kBlock_voxels, codes.size() - first));
        std::size_t const bad = find_bad_value(plane, block);
        if (bad < block.size())
            refuse_section(file, plane.sections.voxels, (first + bad) * sizeof(Code),
                           "a voxel is negative, too large or not a number");
    });
}

} // namespace

void refuse_section(SectionedFile const& file, std::string_view section, std::uint64_t offset_in_section,
                    std::string const& what)
{
    auto const found = std::find_if(file.sections().begin(), file.sections().end(),
                                    [&](SectionInfo const& info) { return info.name == section; });
    std::uint64_t const start = found == file.sections().end() ? 0 : found->offset_bytes;
    fail_input(what,
               fmt::format("{}: section '{}', offset {}", file.path().string(), section, start + offset_in_section),
               "the file is damaged or was made by a faulty program", "pack the volume again");
}

std::span<std::byte const> read_sized(SectionedFile const& file, std::string_view section, std::uint64_t size_bytes)
{
    auto const bytes = file.section(section);
    if (bytes.size() != size_bytes) {
        refuse_section(file, section, 0, fmt::format("it has {} bytes instead of {}", bytes.size(), size_bytes));
    }
    return bytes;
}

PlaneView CheckedPlane::view() const
{
    // Lanes of the CPU backend read word 0 even if every brick is constant.
    static constexpr std::uint32_t kNoVoxels = 0;
    PlaneView plane;
    if (shape.channels == 0) return plane;
    plane.table = table.data();
    plane.words = voxels.empty() ? &kNoVoxels : reinterpret_cast<std::uint32_t const*>(voxels.data());
    plane.value_scale = shape.value_scale;
    plane.encoding = shape.encoding;
    plane.channels = shape.channels;
    plane.record_elements = shape.record_elements;
    plane.table_stride = shape.table_stride;
    return plane;
}

CheckedPlane check_plane(SectionedFile const& file, vpk::PlaneSections sections, PlaneShape shape,
                         std::array<int, 3> brick_counts)
{
    CheckedPlane plane{shape, sections, {}, {}};
    if (shape.channels == 0) return plane;
    std::uint64_t bricks = 1;
    for (int count : brick_counts) bricks *= static_cast<std::uint64_t>(count);
    plane.table = read_array<std::uint32_t>(file, sections.table, bricks * shape.table_stride);
    plane.voxels = file.section(sections.voxels);
    if (plane.voxels.size() % shape.brick_bytes() != 0 || plane.voxels.size() / 4 > vpk::kMaxWords) {
        refuse_section(file, sections.voxels, 0,
                       fmt::format("its {} bytes are not a whole number of bricks, or exceed 32-bit indices",
                                   plane.voxels.size()));
    }
    check_slots(file, plane);
    return plane;
}

void check_plane_contents(SectionedFile const& file, CheckedPlane const& plane, std::array<int, 3> brick_counts,
                          int threads)
{
    if (plane.shape.channels == 0) return;
    check_order_and_constants(file, plane, brick_counts);
    switch (plane.shape.encoding) {
    case Encoding::u8:
        return check_values<std::uint8_t>(file, plane, threads);
    case Encoding::u16:
    case Encoding::f16:
        return check_values<std::uint16_t>(file, plane, threads);
    case Encoding::f32:
        return check_values<std::uint32_t>(file, plane, threads);
    }
}

void check_labels(SectionedFile const& file, CheckedPlane const& label, std::size_t material_count, int threads)
{
    parallel_for_joined(threads, (label.voxels.size() + kBlock_voxels - 1) / kBlock_voxels, [&](std::size_t i, int) {
        std::size_t const first = i * kBlock_voxels;
        auto const block = label.voxels.subspan(first, std::min(kBlock_voxels, label.voxels.size() - first));
        std::byte largest{};
        for (std::byte const value : block) largest = std::max(largest, value);
        if (std::to_integer<std::size_t>(largest) < material_count) return;
        auto const stored = std::find_if(block.begin(), block.end(), [&](std::byte value) {
            return std::to_integer<std::size_t>(value) >= material_count;
        });
        refuse_section(
            file, label.sections.voxels, first + static_cast<std::uint64_t>(stored - block.begin()),
            fmt::format("label {} has no material; there are {}", std::to_integer<int>(*stored), material_count));
    });
    for (std::size_t entry = 0; entry < label.table.size(); entry += label.shape.table_stride) {
        if (label.table[entry] == kConstantBrick && label.table[entry + 1] >= material_count) {
            refuse_section(
                file, label.sections.table, 4 * (entry + 1),
                fmt::format("label {} has no material; there are {}", label.table[entry + 1], material_count));
        }
    }
}

void check_majorants(SectionedFile const& file, std::span<float const> majorants, VolumeView const& volume, int threads)
{
    std::vector<float> const due = compute_majorants(volume, threads);
    auto const wrong = std::mismatch(majorants.begin(), majorants.end(), due.begin(), [](float a, float b) {
                           return bits_from_float(a) == bits_from_float(b);
                       }).first;
    std::size_t const bricks = due.size() / volume.majorant_bands;
    if (wrong != majorants.end()) {
        auto const entry = static_cast<std::size_t>(wrong - majorants.begin());
        refuse_section(
            file, vpk::kMajorants, 4 * entry,
            fmt::format("the majorant of brick {} is {}, but {} by the voxels", entry % bricks, *wrong, due[entry]));
    }
    for (std::uint32_t band = 0; band < volume.bands; ++band) {
        auto const row = std::span<float const>(due).subspan(bricks * volume.majorant_index[band], bricks);
        float const largest =
            row.empty() ? volume.constant_extinction[band] : *std::max_element(row.begin(), row.end());
        if (largest != volume.global_majorant[band])
            refuse_section(file, band < vpk::kMetaBands ? vpk::kMeta : vpk::kMoreBands, 0,
                           fmt::format("the global majorant of band {} is {}, the largest extinction is {}", band,
                                       volume.global_majorant[band], largest));
    }
}

void check_clearance(SectionedFile const& file, std::span<float const> clearance_mm, VolumeView const& volume)
{
    std::vector<float> const due_mm = compute_clearance_mm(volume, 0);
    if (due_mm.empty()) refuse_section(file, vpk::kClearance, 0, "a volume without planes has no clearance");
    auto const wrong = std::mismatch(clearance_mm.begin(), clearance_mm.end(), due_mm.begin(), [](float a, float b) {
                           return bits_from_float(a) == bits_from_float(b);
                       }).first;
    if (wrong == clearance_mm.end()) return;
    auto const brick = static_cast<std::size_t>(wrong - clearance_mm.begin());
    refuse_section(
        file, vpk::kClearance, 4 * brick,
        fmt::format("the clearance of brick {} is {} mm, but {} mm by the tables", brick, *wrong, due_mm[brick]));
}

} // namespace volpt
