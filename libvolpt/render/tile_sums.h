// Sums of a rectangle on their way into the film.
#pragma once

#include "libvolpt/core/outcome.hd.h"
#include "libvolpt/core/path.hd.h"
#include "libvolpt/cpu/render_block.h"
#include "libvolpt/film/film.h"

#include <vector>

namespace volpt {

/// Parts of `whole`, at most `edge` pixels along a side, row by row.
std::vector<RenderTile> cut_block(RenderTile const& whole, std::uint32_t edge);

/// Sums of `block` that lie elsewhere, planes [band][row][column] of the block itself.
struct ConstTileSums {
    RenderTile block;
    std::uint64_t const* sums;
    std::uint64_t const* squares;
};

/// Sums of `block` with their memory.
struct TileSums {
    RenderTile block;
    std::vector<std::uint64_t> sums;
    std::vector<std::uint64_t> squares;

    TileSums(RenderTile const& b, std::uint32_t bands)
        : block(b), sums(std::size_t{b.x1 - b.x0} * (b.y1 - b.y0) * bands), squares(sums.size())
    {
    }
    TileSumsView view() { return {sums.data(), squares.data()}; }
    ConstTileSums read() const { return {block, sums.data(), squares.data()}; }
};

/// No unit of work has samples of two banks of outcomes: so many samples are of one. 0: the scene has none.
inline std::uint32_t count_bank_samples(Scene const& scene)
{
    return scene.long_steps == LongSteps::on ? kBankSamples : 0;
}

/// Adds rows [y0, y1) of the picture, which lie in the part.
void add_part(Film& film, ConstTileSums const& part, std::uint32_t y0, std::uint32_t y1);
/// Adds a part's sums over all its pixels to `totals`, one a band.
void add_over_pixels(std::vector<Wide>& totals, ConstTileSums const& part);
void add_counts(Film& film, PathCounts const& counts);

} // namespace volpt
