// Constant bricks go to the table, others to a scratch file in order of arrival and from there to the file in Morton
// order.
#include "libvolpt/volume/pack/plane_packer.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/volume/morton_order.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <numeric>

namespace volpt {
namespace {

constexpr std::size_t kReorder_bytes = std::size_t{8} << 20;

} // namespace

PlanePacker::PlanePacker(PlaneShape shape, std::array<int, 3> dims, std::array<int, 3> brick_counts,
                         std::filesystem::path folder, vpk::PlaneSections sections)
    : shape_(shape), brick_counts_(brick_counts), sections_(sections),
      row_(dims[0], shape.channels, 1u << element_log2_bytes(shape.encoding)), scratch_(std::move(folder)),
      brick_(shape.brick_bytes())
{
}

// Constants are stored decoded: reading them needs neither scale nor encoding. Labels are integers.
void PlanePacker::append_table_entry(std::uint32_t slot, int brick_x)
{
    std::size_t const entry = table_.size();
    table_.resize(entry + shape_.table_stride);
    table_[entry] = slot;
    if (slot != kConstantBrick) return;
    bool const is_label = sections_.table == vpk::kLabel.table;
    for (std::uint32_t channel = 0; channel < shape_.channels; ++channel) {
        std::uint32_t const code = row_.first_code(brick_x, channel);
        table_[entry + 1 + channel] =
            is_label ? code : bits_from_float(decode_element(shape_.encoding, shape_.value_scale, code));
    }
}

void PlanePacker::add_row(std::span<std::uint8_t> constant)
{
    for (int x = 0; x < brick_counts_[0]; ++x) {
        if (row_.is_constant(x)) {
            append_table_entry(kConstantBrick, x);
            continue;
        }
        constant[static_cast<std::size_t>(x)] = 0;
        if ((stored_bricks_ + 1) * shape_.brick_bytes() / 4 > vpk::kMaxWords) {
            fail_input(fmt::format("the voxels need more than {} GiB", vpk::kMaxWords * 4 >> 30),
                       std::string(sections_.voxels), "voxels are found by 32-bit indices",
                       "use a smaller encoding or split the volume");
        }
        append_table_entry(static_cast<std::uint32_t>(stored_bricks_++), x);
        row_.gather_morton(x, shape_.record_elements, brick_);
        scratch_.append(brick_);
    }
}

PlaneView PlanePacker::table_view() const
{
    PlaneView view;
    view.table = table_.data();
    view.channels = shape_.channels;
    view.table_stride = shape_.table_stride;
    return view;
}

// Reading back single bricks would cost one system call per brick (2048^3 u8: 17 million). Instead, parts of the Morton
// order of kReorder_bytes are read with one call per run of consecutive slots.
void PlanePacker::write_sections(SectionedWriter& writer)
{
    writer.begin_section(sections_.voxels);
    std::size_t const part_bricks = std::max<std::size_t>(1, kReorder_bytes / shape_.brick_bytes());
    std::vector<std::uint32_t> arrivals;
    arrivals.reserve(part_bricks);
    std::uint32_t next_slot = 0;
    for_each_brick_in_morton_order(brick_counts_, [&](std::uint64_t brick) {
        std::uint32_t& slot = table_[brick * shape_.table_stride];
        if (slot == kConstantBrick) return;
        arrivals.push_back(slot);
        slot = next_slot++;
        if (arrivals.size() == part_bricks) write_part(arrivals, writer);
    });
    write_part(arrivals, writer);
    writer.write_section(sections_.table, std::as_bytes(std::span(table_)));
}

void PlanePacker::write_part(std::vector<std::uint32_t>& arrivals, SectionedWriter& writer)
{
    std::size_t const brick_bytes = shape_.brick_bytes();
    std::vector<std::uint32_t> by_arrival(arrivals.size());
    std::iota(by_arrival.begin(), by_arrival.end(), 0u);
    std::sort(by_arrival.begin(), by_arrival.end(),
              [&](std::uint32_t a, std::uint32_t b) { return arrivals[a] < arrivals[b]; });
    part_.resize(arrivals.size() * brick_bytes);
    for (std::size_t first = 0; first < by_arrival.size();) {
        std::uint32_t const slot = arrivals[by_arrival[first]];
        std::size_t count = 1;
        while (first + count < by_arrival.size() && arrivals[by_arrival[first + count]] == slot + count) ++count;
        run_.resize(count * brick_bytes);
        scratch_.read_at(slot * brick_bytes, run_);
        for (std::size_t i = 0; i < count; ++i)
            std::memcpy(part_.data() + by_arrival[first + i] * brick_bytes, run_.data() + i * brick_bytes, brick_bytes);
        first += count;
    }
    writer.append(part_);
    arrivals.clear();
}

} // namespace volpt
