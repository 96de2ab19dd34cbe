#include "libvolpt/film/sample_groups.h"

namespace volpt {

std::vector<std::uint64_t> count_group_samples(Film const& film, std::uint32_t groups)
{
    std::vector<std::uint64_t> counts(groups);
    for (std::size_t tile = 0; tile < film.tile_ranges.size(); ++tile) {
        std::uint64_t const pixels = count_tile_pixels(film, tile);
        for (SampleRange const& range : film.tile_ranges[tile])
            for (std::uint32_t i = 0; i < groups; ++i) {
                // Of the range, samples i, i + groups, i + 2 groups, .. are in one group.
                std::uint64_t const samples = range.count > i ? (range.count - i - 1) / groups + 1 : 0;
                counts[(range.first + i) % groups] += pixels * samples;
            }
    }
    return counts;
}

} // namespace volpt
