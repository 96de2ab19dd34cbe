// Which banks of outcomes (core/outcome.hd.h) a film's samples have taken long steps from.
#pragma once

#include "libvolpt/film/film.h"

#include <algorithm>
#include <span>

namespace volpt {

/// Banks [first, first + banks), of each of which there are `samples` samples.
struct BankRun {
    std::uint64_t first;
    std::uint64_t banks;
    std::uint64_t samples; ///< 1 .. kBankSamples
    bool operator==(BankRun const&) const = default;
};

/// Of sorted, disjoint ranges: every bank that any of them has samples of, once, ascending.
std::vector<BankRun> list_bank_runs(SampleRanges const& ranges);

/// Banks [first, end).
struct BankInterval {
    std::uint64_t first;
    std::uint64_t end;
};

/// Banks that any tile has samples of: sorted, disjoint, joined where they touch.
std::vector<BankInterval> list_banks(Film const& film);

/// Pixels of a tile, which is narrower at the right and bottom edge.
std::uint64_t count_tile_pixels(Film const& film, std::size_t tile);

/// For each of `banks` (ascending), the sum over tiles of weights[tile] times the tile's samples of that bank. Exact
/// for unsigned numbers.
template <class Number>
std::vector<Number> add_up_by_bank(Film const& film, std::span<std::uint32_t const> banks,
                                   std::span<Number const> weights)
{
    std::vector<Number> sums(banks.size() + 1);
    for (std::size_t tile = 0; tile < film.tile_ranges.size(); ++tile)
        for (BankRun const& run : list_bank_runs(film.tile_ranges[tile])) {
            Number const weight = weights[tile] * static_cast<Number>(run.samples);
            sums[static_cast<std::size_t>(std::ranges::lower_bound(banks, run.first) - banks.begin())] += weight;
            sums[static_cast<std::size_t>(std::ranges::lower_bound(banks, run.first + run.banks) - banks.begin())] -=
                weight;
        }
    for (std::size_t i = 1; i < sums.size(); ++i) sums[i] += sums[i - 1];
    sums.pop_back();
    return sums;
}

} // namespace volpt
