// Cuts rectangles and adds their sums to the film.
#include "libvolpt/render/tile_sums.h"

#include <algorithm>

namespace volpt {
std::vector<RenderTile> cut_block(RenderTile const& whole, std::uint32_t edge)
{
    std::vector<RenderTile> parts;
    for (std::uint32_t y = whole.y0; y < whole.y1; y += edge)
        for (std::uint32_t x = whole.x0; x < whole.x1; x += edge) {
            RenderTile part = whole;
            part.x0 = x;
            part.y0 = y;
            part.x1 = std::min(x + edge, whole.x1);
            part.y1 = std::min(y + edge, whole.y1);
            parts.push_back(part);
        }
    return parts;
}

void add_part(Film& film, ConstTileSums const& part, std::uint32_t y0, std::uint32_t y1)
{
    RenderTile const& block = part.block;
    std::size_t const width = block.x1 - block.x0;
    for (std::uint32_t band = 0; band < film.bands(); ++band)
        for (std::uint32_t y = y0; y < y1; ++y) {
            std::size_t const source = (std::size_t{band} * (block.y1 - block.y0) + (y - block.y0)) * width;
            std::size_t const target = (std::size_t{band} * film.height() + y) * film.width() + block.x0;
            for (std::size_t x = 0; x < width; ++x) film.sums[target + x] += part.sums[source + x];
            for (std::size_t x = 0; x < width; ++x) film.squares[target + x] += part.squares[source + x];
        }
}

TileSums copy_sums(RenderTile const& area, std::uint32_t bands, CollectedSums const& sums)
{
    TileSums copy(area, bands);
    std::copy_n(sums.sums, copy.sums.size(), copy.sums.begin());
    std::copy_n(sums.squares, copy.squares.size(), copy.squares.begin());
    return copy;
}

void add_banks(std::map<std::uint32_t, std::vector<Wide>>& totals,
               std::map<std::uint32_t, std::vector<std::uint64_t>> const& collected, std::uint32_t bands)
{
    for (auto const& [bank, parts] : collected) {
        std::vector<Wide>& sums = totals[bank];
        sums.resize(bands);
        for (std::size_t i = 0; i < parts.size(); ++i) sums[i % bands] += parts[i];
    }
}

void add_counts(Film& film, PathCounts const& counts)
{
    film.long_steps.steps += counts.long_steps;
    film.long_steps.collisions += counts.stepped_collisions;
    FilmStatistics& statistics = film.statistics;
    statistics.paths += counts.paths;
    statistics.extensions += counts.extensions;
    statistics.tentative_collisions += counts.tentative_collisions;
    statistics.cut_paths += counts.cut_paths;
    statistics.cut_throughput += counts.cut_throughput;
}

} // namespace volpt
