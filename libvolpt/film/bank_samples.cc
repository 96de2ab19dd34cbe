// Cuts sample ranges at the borders of banks.
#include "libvolpt/film/bank_samples.h"

#include "libvolpt/core/outcome.hd.h"

namespace volpt {

std::vector<BankRun> list_bank_runs(SampleRanges const& ranges)
{
    std::vector<BankRun> runs;
    auto const add = [&](std::uint64_t first, std::uint64_t banks, std::uint64_t samples) {
        if (banks == 0 || samples == 0) return;
        bool const same_bank = !runs.empty() && runs.back().first + runs.back().banks > first; // parts of one bank
        if (same_bank)
            runs.back().samples += samples;
        else
            runs.push_back({first, banks, samples});
    };
    for (SampleRange const& range : ranges) {
        std::uint64_t const end = range.first + range.count;
        std::uint64_t const full_first = (range.first + kBankSamples - 1) / kBankSamples, full_end = end / kBankSamples;
        if (full_first > full_end) { // within one bank, touching neither border
            add(full_end, 1, range.count);
            continue;
        }
        add(full_first - 1, 1, full_first * kBankSamples - range.first);
        add(full_first, full_end - full_first, kBankSamples);
        add(full_end, 1, end - full_end * kBankSamples);
    }
    return runs;
}

std::vector<BankInterval> list_banks(Film const& film)
{
    std::vector<BankInterval> intervals;
    SampleRanges const* last = nullptr; // most tiles have the ranges of the one before
    for (SampleRanges const& ranges : film.tile_ranges) {
        if (last != nullptr && *last == ranges) continue;
        last = &ranges;
        for (BankRun const& run : list_bank_runs(ranges)) intervals.push_back({run.first, run.first + run.banks});
    }
    std::ranges::sort(intervals, {}, &BankInterval::first);
    std::vector<BankInterval> joined;
    for (BankInterval const& interval : intervals) {
        if (joined.empty() || interval.first > joined.back().end)
            joined.push_back(interval);
        else
            joined.back().end = std::max(joined.back().end, interval.end);
    }
    return joined;
}

std::uint64_t count_tile_pixels(Film const& film, std::size_t tile)
{
    std::uint64_t const x = tile % film.tiles_x() * kFileTileEdge, y = tile / film.tiles_x() * kFileTileEdge;
    return std::min<std::uint64_t>(kFileTileEdge, film.width() - x) *
           std::min<std::uint64_t>(kFileTileEdge, film.height() - y);
}

} // namespace volpt
