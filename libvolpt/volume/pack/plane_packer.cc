// Constant bricks go to the table, others to a scratch file in order of arrival and from there to the file in Morton
// order.
#include "libvolpt/volume/pack/plane_packer.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/parallel.h"
#include "libvolpt/volume/morton_order.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace volpt {
namespace {

constexpr std::size_t kReorder_bytes = std::size_t{8} << 20;
// Each has a part of kReorder_bytes; hashing and writing, which one does at a time, keep up with no more.
constexpr int kMostReaders = 4;
constexpr std::size_t kPendingParts = 64; ///< lists of slots, 4 bytes a brick

} // namespace

PlanePacker::PlanePacker(PlaneShape shape, std::array<int, 3> dims, std::array<int, 3> brick_counts,
                         std::filesystem::path folder, vpk::PlaneSections sections)
    : shape_(shape), brick_counts_(brick_counts), sections_(sections), voxels_x_(dims[0]), scratch_(std::move(folder))
{
}

PlaneRow PlanePacker::make_row() const
{
    return {BrickRow(voxels_x_, shape_.channels, 1u << element_log2_bytes(shape_.encoding)), {}, {}, {}};
}

// Constants are stored decoded: reading them needs neither scale nor encoding. Labels are integers.
void PlanePacker::append_table_entry(PlaneRow& row, std::uint32_t slot, int brick_x) const
{
    std::size_t const entry = row.entries.size();
    row.entries.resize(entry + shape_.table_stride);
    row.entries[entry] = slot;
    if (slot != kConstantBrick) return;
    bool const is_label = sections_.table == vpk::kLabel.table;
    for (std::uint32_t channel = 0; channel < shape_.channels; ++channel) {
        std::uint32_t const code = row.codes.first_code(brick_x, channel);
        row.entries[entry + 1 + channel] =
            is_label ? code : bits_from_float(decode_element(shape_.encoding, shape_.value_scale, code));
    }
}

void PlanePacker::pack_row(PlaneRow& row) const
{
    row.entries.clear();
    row.constant.assign(static_cast<std::size_t>(brick_counts_[0]), 0);
    std::size_t const brick_bytes = shape_.brick_bytes();
    row.bricks.resize(static_cast<std::size_t>(brick_counts_[0]) * brick_bytes);
    std::uint32_t stored = 0;
    for (int x = 0; x < brick_counts_[0]; ++x) {
        bool const is_constant = row.codes.is_constant(x);
        row.constant[static_cast<std::size_t>(x)] = is_constant ? 1 : 0;
        append_table_entry(row, is_constant ? kConstantBrick : stored, x);
        if (is_constant) continue;
        auto const brick = std::span(row.bricks).subspan(stored++ * brick_bytes, brick_bytes);
        row.codes.gather_morton(x, shape_.record_elements, brick);
    }
    row.bricks.resize(stored * brick_bytes);
}

void PlanePacker::add_row(PlaneRow const& row)
{
    std::uint64_t const first = stored_bricks_;
    stored_bricks_ += row.bricks.size() / shape_.brick_bytes();
    if (stored_bricks_ * shape_.brick_bytes() / 4 > vpk::kMaxWords)
        fail_input(fmt::format("the voxels need more than {} GiB", vpk::kMaxWords * 4 >> 30),
                   std::string(sections_.voxels), "voxels are found by 32-bit indices",
                   "use a smaller encoding or split the volume");
    std::size_t const begin = table_.size();
    table_.insert(table_.end(), row.entries.begin(), row.entries.end());
    for (std::size_t entry = begin; entry < table_.size(); entry += shape_.table_stride)
        if (table_[entry] != kConstantBrick) table_[entry] += static_cast<std::uint32_t>(first);
    scratch_.append(row.bricks);
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
void PlanePacker::write_sections(SectionedWriter& writer, int threads)
{
    scratch_.flush();
    writer.begin_section(sections_.voxels);
    std::size_t const part_bricks = std::max<std::size_t>(1, kReorder_bytes / shape_.brick_bytes());
    int const readers = std::clamp(threads, 1, kMostReaders);
    std::vector<std::vector<std::byte>> parts(static_cast<std::size_t>(readers));
    std::vector<std::vector<std::uint32_t>> pending;
    auto const write_pending = [&] {
        parallel_for_ordered(
            readers, pending.size(),
            [&](std::size_t i, int reader) { read_part(pending[i], parts[static_cast<std::size_t>(reader)]); },
            [&](std::size_t, int reader) { writer.append(parts[static_cast<std::size_t>(reader)]); });
        pending.clear();
    };
    std::uint32_t next_slot = 0;
    for_each_brick_in_morton_order(brick_counts_, [&](std::uint64_t brick) {
        std::uint32_t& slot = table_[brick * shape_.table_stride];
        if (slot == kConstantBrick) return;
        if (pending.empty() || pending.back().size() == part_bricks) {
            if (pending.size() == kPendingParts) write_pending();
            pending.emplace_back().reserve(part_bricks);
        }
        pending.back().push_back(slot);
        slot = next_slot++;
    });
    write_pending();
    writer.write_section(sections_.table, std::as_bytes(std::span(table_)));
}

void PlanePacker::read_part(std::vector<std::uint32_t> const& arrivals, std::vector<std::byte>& part) const
{
    std::size_t const brick_bytes = shape_.brick_bytes();
    std::vector<std::uint32_t> by_arrival(arrivals.size());
    std::iota(by_arrival.begin(), by_arrival.end(), 0u);
    std::sort(by_arrival.begin(), by_arrival.end(),
              [&](std::uint32_t a, std::uint32_t b) { return arrivals[a] < arrivals[b]; });
    part.resize(arrivals.size() * brick_bytes);
    std::vector<iovec> run;
    for (std::size_t first = 0; first < by_arrival.size();) {
        std::uint32_t const slot = arrivals[by_arrival[first]];
        run.clear();
        for (std::size_t i = first; i < by_arrival.size() && arrivals[by_arrival[i]] == slot + run.size(); ++i)
            run.push_back({part.data() + by_arrival[i] * brick_bytes, brick_bytes});
        first += run.size();
        scratch_.read_at(std::uint64_t{slot} * brick_bytes, run);
    }
}

} // namespace volpt
