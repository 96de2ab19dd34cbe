// Merging films of disjoint samples: integer addition, all or nothing.
#include "libvolpt/film/film.h"
#include "libvolpt/sys/error.h"

#include <fmt/format.h>

#include <limits>

namespace volpt {
namespace {

FilmStatistics add_statistics(FilmStatistics sum, FilmStatistics const& more)
{
    for (auto const field : {&FilmStatistics::paths, &FilmStatistics::extensions, &FilmStatistics::tentative_collisions,
                             &FilmStatistics::cut_paths, &FilmStatistics::cut_throughput})
        if (__builtin_add_overflow(sum.*field, more.*field, &(sum.*field)))
            fail_input("the films' statistics do not fit 64 bits", {}, "one of the films is damaged");
    return sum;
}

void check_long_steps(LongStepTotals const& sum, LongStepTotals const& more)
{
    for (auto const field : {&LongStepTotals::steps, &LongStepTotals::collisions})
        if (sum.*field > std::numeric_limits<std::uint64_t>::max() - more.*field)
            fail_input("the films' totals of long steps do not fit 64 bits", {}, "one of the films is damaged");
}

/// In place: ten thousand films of a bank each would copy the banks before them.
void add_long_steps(LongStepTotals& sum, LongStepTotals const& more)
{
    sum.steps += more.steps;
    sum.collisions += more.collisions;
    for (auto const& [bank, sums] : more.bank_sums) {
        std::vector<Wide>& into = sum.bank_sums[bank];
        into.resize(sums.size());
        for (std::size_t band = 0; band < sums.size(); ++band) into[band] += sums[band];
    }
}

void check_disjoint(Film const& into, Film const& from)
{
    auto const overlap = find_overlap(into, from);
    if (!overlap) return;
    fail_input(fmt::format("samples {}:{} are there already", overlap->samples.first, overlap->samples.count),
               fmt::format("tile {},{}", overlap->tile % into.tiles_x(), overlap->tile / into.tiles_x()),
               "they would count twice");
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

std::optional<FilmOverlap> find_overlap(Film const& left, Film const& right)
{
    for (std::size_t tile = 0; tile < left.tile_ranges.size(); ++tile)
        if (auto const shared = find_shared(left.tile_ranges[tile], right.tile_ranges[tile]))
            return FilmOverlap{tile, *shared};
    return std::nullopt;
}

void merge_heads(Film& into, Film const& from)
{
    check_same_render(into, from);
    check_disjoint(into, from);
    check_long_steps(into.long_steps, from.long_steps);
    into.statistics = add_statistics(into.statistics, from.statistics);
    for (std::size_t tile = 0; tile < into.tile_ranges.size(); ++tile)
        insert_ranges(into.tile_ranges[tile], from.tile_ranges[tile]);
    add_long_steps(into.long_steps, from.long_steps);
}

void merge_film(Film& into, Film const& from)
{
    // Whatever can be refused is refused before the planes change; a carry, which only damage makes, is taken back.
    check_same_render(into, from);
    check_disjoint(into, from);
    check_long_steps(into.long_steps, from.long_steps);
    add_statistics(into.statistics, from.statistics);
    Carry const sums = add_plane(into.sums, from.sums);
    Carry const squares = add_plane(into.squares, from.squares);
    if (sums == Carry::lost || squares == Carry::lost) {
        subtract_plane(into.sums, from.sums);
        subtract_plane(into.squares, from.squares);
        fail_input("the films' sums do not fit 64 bits", {}, "one of the films is damaged",
                   "check both with volinfo --verify full");
    }
    merge_heads(into, from);
}

} // namespace volpt
