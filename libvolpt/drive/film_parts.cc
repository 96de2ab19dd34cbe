// Cuts rectangles and adds their sums to the film.
#include "libvolpt/drive/film_parts.h"

#include <algorithm>

namespace volpt {
std::vector<RenderBlock> cut_block(RenderBlock const& whole, std::uint32_t edge)
{
    std::vector<RenderBlock> parts;
    for (std::uint32_t y = whole.y0; y < whole.y1; y += edge)
        for (std::uint32_t x = whole.x0; x < whole.x1; x += edge) {
            RenderBlock part = whole;
            part.x0 = x;
            part.y0 = y;
            part.x1 = std::min(x + edge, whole.x1);
            part.y1 = std::min(y + edge, whole.y1);
            parts.push_back(part);
        }
    return parts;
}

void add_part(Film& film, PartSums const& part)
{
    RenderBlock const& block = part.block;
    std::size_t source = 0;
    for (std::uint32_t band = 0; band < film.bands(); ++band)
        for (std::uint32_t y = block.y0; y < block.y1; ++y) {
            std::size_t target = (std::size_t{band} * film.height() + y) * film.width() + block.x0;
            for (std::uint32_t x = block.x0; x < block.x1; ++x, ++source, ++target) {
                film.sums[target] += part.sums[source];
                film.squares[target] += part.squares[source];
            }
        }
}

void add_to_bank(Film& film, std::uint32_t bank, PartSums const& part)
{
    std::vector<Wide>& sums = film.long_steps.bank_sums[bank];
    sums.resize(film.bands());
    std::size_t const pixels = part.sums.size() / film.bands();
    for (std::size_t i = 0; i < part.sums.size(); ++i) sums[i / pixels] += part.sums[i];
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
