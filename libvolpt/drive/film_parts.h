// Sums of a rectangle on their way into the film.
#pragma once

#include "libvolpt/core/path.hd.h"
#include "libvolpt/cpu/render_block.h"
#include "libvolpt/film/film.h"

#include <vector>

namespace volpt {

/// Parts of `whole`, at most `edge` pixels along a side, row by row.
std::vector<RenderBlock> cut_block(RenderBlock const& whole, std::uint32_t edge);

/// Sums of `block`, planes [band][row][column] of the block itself.
struct PartSums {
    RenderBlock block;
    std::vector<std::uint64_t> sums;
    std::vector<std::uint64_t> squares;

    PartSums(RenderBlock const& b, std::uint32_t bands)
        : block(b), sums(std::size_t{b.x1 - b.x0} * (b.y1 - b.y0) * bands), squares(sums.size())
    {
    }
    BlockSumsView view() { return {sums.data(), squares.data()}; }
};

void add_part(Film& film, PartSums const& part);
void add_counts(FilmStatistics& statistics, PathCounts const& counts);

} // namespace volpt
