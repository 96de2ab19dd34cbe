#include "libvolpt/film/sample_range.h"

#include "libvolpt/sys/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace volpt {
namespace {

std::uint64_t end_of(SampleRange range)
{
    return range.first + range.count;
}

} // namespace

void insert_range(SampleRanges& ranges, SampleRange range)
{
    if (range.count == 0) return;
    if (range.first >= kSampleLimit || range.count > kSampleLimit - range.first)
        fail_input(fmt::format("samples {}:{} pass the limit of {}", range.first, range.count, kSampleLimit), {},
                   "a pixel's sums could overflow");
    auto const next = std::lower_bound(ranges.begin(), ranges.end(), range.first,
                                       [](SampleRange const& r, std::uint64_t first) { return end_of(r) <= first; });
    if (next != ranges.end() && next->first < end_of(range)) {
        std::uint64_t const first = std::max(next->first, range.first);
        std::uint64_t const count = std::min(end_of(*next), end_of(range)) - first;
        fail_input(fmt::format("samples {}:{} are there already", first, count), {}, "they would count twice");
    }
    bool const joins_previous = next != ranges.begin() && end_of(*(next - 1)) == range.first;
    bool const joins_next = next != ranges.end() && next->first == end_of(range);
    if (joins_previous) {
        (next - 1)->count += range.count + (joins_next ? next->count : 0);
        if (joins_next) ranges.erase(next);
    } else if (joins_next) {
        next->first = range.first;
        next->count += range.count;
    } else
        ranges.insert(next, range);
}

void insert_ranges(SampleRanges& ranges, SampleRanges const& more)
{
    // Each single insertion moves the ranges behind it; many ranges are merged in one pass.
    constexpr std::size_t kFew = 4;
    if (more.size() <= kFew) {
        for (SampleRange const& range : more) insert_range(ranges, range);
        return;
    }
    SampleRanges sorted(ranges.size() + more.size());
    std::ranges::merge(ranges, more, sorted.begin(), {}, &SampleRange::first, &SampleRange::first);
    ranges.clear();
    for (SampleRange const& range : sorted) insert_range(ranges, range);
}

std::optional<SampleRange> find_shared(SampleRanges const& left, SampleRanges const& right)
{
    SampleRanges const& few = left.size() < right.size() ? left : right;
    SampleRanges const& many = left.size() < right.size() ? right : left;
    for (SampleRange const& range : few) {
        auto const other =
            std::lower_bound(many.begin(), many.end(), range.first,
                             [](SampleRange const& r, std::uint64_t first) { return end_of(r) <= first; });
        if (other == many.end() || other->first >= end_of(range)) continue;
        std::uint64_t const first = std::max(other->first, range.first);
        return SampleRange{first, std::min(end_of(*other), end_of(range)) - first};
    }
    return std::nullopt;
}

SampleRanges intersect_ranges(SampleRanges const& left, SampleRanges const& right)
{
    SampleRanges shared;
    for (SampleRange const& a : left)
        for (SampleRange const& b : right) {
            std::uint64_t const first = std::max(a.first, b.first);
            std::uint64_t const end = std::min(a.first + a.count, b.first + b.count);
            if (first < end) insert_range(shared, {first, end - first});
        }
    return shared;
}

SampleRanges subtract_ranges(SampleRanges const& ranges, SampleRanges const& without)
{
    SampleRanges left;
    for (SampleRange const& range : ranges)
        for (SampleRange const& missing : missing_ranges(without, range)) insert_range(left, missing);
    return left;
}

std::uint64_t count_samples(SampleRanges const& ranges)
{
    std::uint64_t count = 0;
    for (SampleRange const& range : ranges) count += range.count;
    return count;
}

SampleRanges missing_ranges(SampleRanges const& have, SampleRange wanted)
{
    SampleRanges missing;
    std::uint64_t first = wanted.first;
    std::uint64_t const end = end_of(wanted);
    for (SampleRange const& range : have) {
        if (range.first >= end) break;
        if (range.first > first) missing.push_back({first, range.first - first});
        first = std::max(first, end_of(range));
    }
    if (first < end) missing.push_back({first, end - first});
    return missing;
}

std::string describe_ranges(SampleRanges const& ranges)
{
    std::string text;
    for (SampleRange const& range : ranges)
        text += fmt::format("{}{}:{}", text.empty() ? "" : ", ", range.first, range.count);
    return text.empty() ? "none" : text;
}

} // namespace volpt
