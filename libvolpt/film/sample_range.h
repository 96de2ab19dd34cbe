// Sets of sample numbers: ranges that are sorted, disjoint, and joined where they touch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

/// Part of the .vpf format: sample numbers lie below this, so that a pixel's sum fits 64 bits (core/fixed_point.hd.h).
inline constexpr std::uint64_t kSampleLimit = std::uint64_t{1} << 32;

/// Samples [first, first + count) of every pixel of a tile.
struct SampleRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    bool operator==(SampleRange const&) const = default;
};

/// Sorted, disjoint, joined where they touch.
using SampleRanges = std::vector<SampleRange>;

/// Inserts a range; an empty one changes nothing. Error (input) if it overlaps one that is there or passes
/// kSampleLimit.
void insert_range(SampleRanges& ranges, SampleRange range);
/// insert_range for each range of `more`, in linear time.
void insert_ranges(SampleRanges& ranges, SampleRanges const& more);
/// The first samples that are in both sets.
std::optional<SampleRange> find_shared(SampleRanges const& left, SampleRanges const& right);
/// Those that are in both.
SampleRanges intersect_ranges(SampleRanges const& left, SampleRanges const& right);
/// Those of `ranges` that are not in `without`.
SampleRanges subtract_ranges(SampleRanges const& ranges, SampleRanges const& without);
std::uint64_t count_samples(SampleRanges const& ranges);
/// The parts of `wanted` that are not in `have`, sorted.
SampleRanges missing_ranges(SampleRanges const& have, SampleRange wanted);
/// "0:64, 128:32" (first:count, as --samples has it), "none" if empty.
std::string describe_ranges(SampleRanges const& ranges);

} // namespace volpt
