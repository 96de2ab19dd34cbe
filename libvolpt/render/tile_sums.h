// Sums of a rectangle on their way into the film.
#pragma once

#include "libvolpt/backend/backend.h"
#include "libvolpt/core/outcome.hd.h"
#include "libvolpt/film/film.h"

#include <vector>

namespace volpt {

/// Cuts `whole` into parts, at most `edge` pixels along a side, row by row.
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

/// Samples of one bank of outcomes; no unit of work has samples of two banks. 0: the scene has no banks.
inline std::uint32_t count_bank_samples(Scene const& scene)
{
    return scene.long_steps == LongSteps::on ? kBankSamples : 0;
}

/// Adds rows [y0, y1) of the picture, which lie in the part.
void add_part(Film& film, ConstTileSums const& part, std::uint32_t y0, std::uint32_t y1);
/// What a renderer has collected of `area`, in memory of its own.
TileSums copy_sums(RenderTile const& area, std::uint32_t bands, CollectedSums const& sums);
/// Adds TileRenderer::collect_banks to `totals`: sums over all pixels by bank, one per band.
void add_banks(std::map<std::uint32_t, std::vector<Wide>>& totals,
               std::map<std::uint32_t, std::vector<std::uint64_t>> const& collected, std::uint32_t bands);
void add_counts(Film& film, PathCounts const& counts);

} // namespace volpt
