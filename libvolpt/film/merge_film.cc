// Merging films of disjoint samples: integer addition, all or nothing.
#include "libvolpt/film/film.h"
#include "libvolpt/sys/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace volpt {
namespace {

void check_same_render(Film const& into, Film const& from)
{
    std::string const why = "only films of one scene and one seed add up";
    if (into.scene_hash() != from.scene_hash()) {
        std::string fields;
        for (SceneDifference const& difference : compare_scenes(into.scene(), from.scene()))
            fields += fmt::format("{}{} ({} and {})", fields.empty() ? "" : ", ", difference.field, difference.left,
                                  difference.right);
        fail_input("the films are of different scenes, in " + fields, {}, why);
    }
    if (into.seed() != from.seed())
        fail_input(fmt::format("the films have different seeds, {} and {}", into.seed(), from.seed()), {}, why);
    if (into.sum_log2() != from.sum_log2() || into.square_log2() != from.square_log2())
        fail_input(fmt::format("the films have different fixed-point scales, 2^{} and 2^{} (squares 2^{} and 2^{})",
                               into.sum_log2(), from.sum_log2(), into.square_log2(), from.square_log2()),
                   {}, why, "render both with one version of volpt");
}

/// Linear in the number of ranges: files may hold many.
SampleRanges unite_ranges(SampleRanges const& left, SampleRanges const& right)
{
    SampleRanges sorted(left.size() + right.size());
    std::ranges::merge(left, right, sorted.begin(), {}, &SampleRange::first, &SampleRange::first);
    SampleRanges joined;
    for (SampleRange const& range : sorted) insert_range(joined, range);
    return joined;
}

std::vector<SampleRanges> unite_tile_ranges(Film const& into, Film const& from)
{
    std::vector<SampleRanges> united(into.tile_ranges.size());
    for (std::size_t tile = 0; tile < united.size(); ++tile) {
        try {
            united[tile] = unite_ranges(into.tile_ranges[tile], from.tile_ranges[tile]);
        } catch (Error const& error) {
            throw error.within(fmt::format("tile {},{}", tile % into.tiles_x(), tile / into.tiles_x()));
        }
    }
    return united;
}

FilmStatistics add_statistics(FilmStatistics sum, FilmStatistics const& more)
{
    for (auto const field : {&FilmStatistics::paths, &FilmStatistics::extensions, &FilmStatistics::tentative_collisions,
                             &FilmStatistics::cut_paths, &FilmStatistics::cut_throughput})
        if (__builtin_add_overflow(sum.*field, more.*field, &(sum.*field)))
            fail_input("the films' statistics do not fit 64 bits", {}, "one of the films is damaged");
    return sum;
}

LongStepTotals add_long_steps(LongStepTotals sum, LongStepTotals const& more)
{
    for (auto const field : {&LongStepTotals::steps, &LongStepTotals::collisions})
        if (__builtin_add_overflow(sum.*field, more.*field, &(sum.*field)))
            fail_input("the films' totals of long steps do not fit 64 bits", {}, "one of the films is damaged");
    for (auto const& [bank, sums] : more.bank_sums) {
        std::vector<Wide>& into = sum.bank_sums[bank];
        into.resize(sums.size());
        for (std::size_t band = 0; band < sums.size(); ++band) into[band] += sums[band];
    }
    return sum;
}

enum class Carry { none, lost };

/// Adds modulo 2^64, which `subtract_plane` undoes exactly, and says whether a carry was lost.
Carry add_plane(std::vector<std::uint64_t>& into, std::vector<std::uint64_t> const& from)
{
    bool lost = false;
    for (std::size_t i = 0; i < into.size(); ++i) {
        into[i] += from[i];
        lost |= into[i] < from[i];
    }
    return lost ? Carry::lost : Carry::none;
}

void subtract_plane(std::vector<std::uint64_t>& into, std::vector<std::uint64_t> const& from)
{
    for (std::size_t i = 0; i < into.size(); ++i) into[i] -= from[i];
}

} // namespace

void merge_film(Film& into, Film const& from)
{
    check_same_render(into, from);
    std::vector<SampleRanges> united = unite_tile_ranges(into, from);
    FilmStatistics const statistics = add_statistics(into.statistics, from.statistics);
    LongStepTotals long_steps = add_long_steps(into.long_steps, from.long_steps);

    Carry const sums = add_plane(into.sums, from.sums);
    Carry const squares = add_plane(into.squares, from.squares);
    if (sums == Carry::lost || squares == Carry::lost) {
        subtract_plane(into.sums, from.sums);
        subtract_plane(into.squares, from.squares);
        fail_input("the films' sums do not fit 64 bits", {}, "one of the films is damaged",
                   "check both with volinfo --verify full");
    }
    into.tile_ranges = std::move(united);
    into.statistics = statistics;
    into.long_steps = std::move(long_steps);
}

} // namespace volpt
