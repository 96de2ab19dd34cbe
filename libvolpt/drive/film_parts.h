// Sums of a rectangle on their way into the film.
#pragma once

#include "libvolpt/core/outcome.hd.h"
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

/// A unit of work must not mix samples of two groups of so many, counted from sample 0: they have different banks. 0: no groups.
inline std::uint32_t count_grouped_samples(Scene const& scene)
{
    return scene.long_steps == LongSteps::on ? kBankSamples : 0;
}

void add_part(Film& film, PartSums const& part);
/// A part's sums besides, where all its samples are of one bank of a scene with long steps.
void add_to_bank(Film& film, std::uint32_t bank, PartSums const& part);
void add_counts(Film& film, PathCounts const& counts);

} // namespace volpt
