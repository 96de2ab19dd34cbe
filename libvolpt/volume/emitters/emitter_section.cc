#include "libvolpt/volume/emitters/emitter_section.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/volume/checked_sections.h"
#include "libvolpt/volume/emitters/check_emitter.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::uint32_t kFirstEmittersMajor = 5;
constexpr std::uint64_t kMostEmitters = 1u << 16;

vpk::EmitterRecord to_record(Emitter const& emitter)
{
    vpk::EmitterRecord record{};
    record.kind = static_cast<std::uint32_t>(emitter.kind);
    record.unit = static_cast<std::uint32_t>(emitter.unit);
    record.profile = static_cast<std::uint32_t>(emitter.profile);
    record.amounts = static_cast<std::uint32_t>(emitter.amount.size());
    record.origin_world = emitter.origin_world;
    record.direction_world = emitter.direction_world;
    record.u_axis_mm = emitter.u_axis_mm;
    record.v_axis_mm = emitter.v_axis_mm;
    record.radius_mm = emitter.radius_mm;
    record.angle_deg = emitter.angle_deg;
    record.inner_angle_deg = emitter.inner_angle_deg;
    record.first_triangle = emitter.first_triangle;
    record.triangle_count = emitter.triangle_count;
    std::ranges::copy(emitter.amount, record.amount.begin());
    return record;
}

/// `record.amounts` is at most kMaxBands.
Emitter from_record(vpk::EmitterRecord const& record)
{
    Emitter emitter;
    emitter.kind = static_cast<EmitterKind>(record.kind);
    emitter.unit = static_cast<EmitterUnit>(record.unit);
    emitter.profile = static_cast<BeamProfile>(record.profile);
    emitter.amount.assign(record.amount.begin(), record.amount.begin() + record.amounts);
    emitter.origin_world = record.origin_world;
    emitter.direction_world = record.direction_world;
    emitter.u_axis_mm = record.u_axis_mm;
    emitter.v_axis_mm = record.v_axis_mm;
    emitter.radius_mm = record.radius_mm;
    emitter.angle_deg = record.angle_deg;
    emitter.inner_angle_deg = record.inner_angle_deg;
    emitter.first_triangle = record.first_triangle;
    emitter.triangle_count = record.triangle_count;
    return emitter;
}

} // namespace

void keep_bands(std::vector<Emitter>& emitters, std::span<std::size_t const> kept)
{
    for (Emitter& emitter : emitters) {
        if (emitter.amount.size() == 1) continue;
        std::vector<float> amount;
        for (std::size_t const band : kept) amount.push_back(emitter.amount[band]);
        emitter.amount = std::move(amount);
    }
    auto const is_dark = [](Emitter const& emitter) { return std::ranges::max(emitter.amount) <= 0; };
    if (!std::ranges::all_of(emitters, is_dark)) std::erase_if(emitters, is_dark);
}

void write_emitter_section(SectionedWriter& writer, std::span<Emitter const> emitters, VolumeMeta const& meta,
                           SurroundingShapes const& shapes)
{
    std::string problem = find_emitters_problem(emitters, meta.bands(), shapes);
    if (emitters.size() > kMostEmitters)
        problem = fmt::format("there are {} emitters, at most {}", emitters.size(), kMostEmitters);
    if (!problem.empty())
        fail_input(problem, "the emitters of the volume", "no light can start from it", "correct the scene");
    std::vector<vpk::EmitterRecord> records;
    for (Emitter const& emitter : emitters) records.push_back(to_record(emitter));
    writer.write_section(vpk::kEmitters, std::as_bytes(std::span(records)));
}

std::vector<Emitter> read_emitter_section(SectionedFile const& file, VolumeMeta const& meta,
                                          SurroundingShapes const& shapes)
{
    if (!file.has(vpk::kEmitters)) return {};
    if (file.version() >> 16 < kFirstEmittersMajor)
        refuse_section(file, vpk::kEmitters, 0, "a file of version 4 has none: its readers would not render them");
    std::uint64_t const size_bytes = file.section(vpk::kEmitters).size();
    std::uint64_t const count = size_bytes / sizeof(vpk::EmitterRecord);
    if (count == 0 || count > kMostEmitters)
        refuse_section(file, vpk::kEmitters, 0, fmt::format("its {} bytes are {} emitters", size_bytes, count));
    std::vector<Emitter> emitters;
    for (vpk::EmitterRecord const& record : read_array<vpk::EmitterRecord>(file, vpk::kEmitters, count)) {
        if (record.amounts == 0 || record.amounts > kMaxBands)
            refuse_section(file, vpk::kEmitters, emitters.size() * sizeof record,
                           fmt::format("emitter {} has {} amounts", emitters.size(), record.amounts));
        emitters.push_back(from_record(record));
    }
    if (std::string const problem = find_emitters_problem(emitters, meta.bands(), shapes); !problem.empty())
        refuse_section(file, vpk::kEmitters, 0, problem);
    return emitters;
}

} // namespace volpt
