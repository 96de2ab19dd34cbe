#include "libvolpt/job/merge/expected_samples.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::size_t kTilesShown = 8;
constexpr std::size_t kRangesShown = 16;

std::string describe_first_ranges(SampleRanges const& ranges)
{
    if (ranges.size() <= kRangesShown) return describe_ranges(ranges);
    return fmt::format("{} and {} more ranges", describe_ranges({ranges.begin(), ranges.begin() + kRangesShown}),
                       ranges.size() - kRangesShown);
}

/// Adds the tasks that have a sample in one of the ranges, each once.
void add_tasks(SampleRanges& tasks, SampleRanges const& ranges, ExpectedSamples const& expected)
{
    std::uint64_t const chunk = *expected.chunk, end_of_all = expected.samples.first + expected.samples.count;
    for (SampleRange const& range : ranges) {
        std::uint64_t const first = std::max(range.first, expected.samples.first);
        std::uint64_t const end = std::min(range.first + range.count, end_of_all);
        if (first >= end) continue;
        std::uint64_t const task = (first - expected.samples.first) / chunk;
        SampleRange const run{task, (end - 1 - expected.samples.first) / chunk + 1 - task};
        for (SampleRange const& part : missing_ranges(tasks, run)) insert_range(tasks, part);
    }
}

/// " lacks 2:3", or, where nothing is missing, " has more: 0:9".
std::string describe_difference(SampleRanges const& have, SampleRanges const& missing)
{
    return missing.empty() ? " has more: " + describe_first_ranges(have) : " lacks " + describe_first_ranges(missing);
}

/// The tasks of `missing` that are in `begun` too.
SampleRanges find_begun(SampleRanges const& missing, SampleRanges const& begun)
{
    SampleRanges both;
    for (SampleRange const& run : missing)
        for (SampleRange const& part : missing_ranges(missing_ranges(begun, run), run)) insert_range(both, part);
    return both;
}

} // namespace

SampleDeviation find_deviation(std::optional<Film> const& head, ExpectedSamples const& expected)
{
    SampleRange const& samples = expected.samples;
    std::vector<SampleRanges> const none(1);
    std::vector<SampleRanges> const& tiles = head ? head->tile_ranges : none;
    SampleDeviation deviation;
    deviation.only_lacks = true;
    SampleRanges begun;
    std::string text;
    std::size_t differing = 0;
    for (std::size_t tile = 0; tile < tiles.size(); ++tile) {
        SampleRanges const& have = tiles[tile];
        // Most tiles have the same samples as the one before.
        bool const is_new = tile == 0 || have != tiles[tile - 1];
        if (expected.chunk && is_new) add_tasks(begun, have, expected);
        if (have == SampleRanges{samples}) continue;
        SampleRanges const missing = missing_ranges(have, samples);
        if (expected.chunk && is_new) add_tasks(deviation.missing_tasks, missing, expected);
        bool const has_more = count_samples(have) + count_samples(missing) > samples.count;
        deviation.only_lacks = deviation.only_lacks && !has_more;
        if (++differing > kTilesShown || !head) continue;
        text += fmt::format("; tile {},{}{}", tile % head->tiles_x(), tile / head->tiles_x(),
                            describe_difference(have, missing));
    }
    if (differing == 0) return deviation;
    deviation.resumable_tasks = find_begun(deviation.missing_tasks, begun);
    deviation.text = fmt::format("samples {}:{} were expected, ", samples.first, samples.count);
    if (!head)
        deviation.text += "there is no film";
    else
        deviation.text += fmt::format("{} of {} tiles differ{}{}", differing, tiles.size(), text,
                                      differing > kTilesShown ? "; ..." : "");
    return deviation;
}

std::string format_task_array(SampleRanges const& tasks)
{
    std::string text;
    for (SampleRange const& run : tasks) {
        if (!text.empty()) text += ',';
        text +=
            run.count == 1 ? fmt::format("{}", run.first) : fmt::format("{}-{}", run.first, run.first + run.count - 1);
    }
    return text;
}

} // namespace volpt
