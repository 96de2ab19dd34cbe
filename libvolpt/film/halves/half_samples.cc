#include "libvolpt/film/halves/half_samples.h"

namespace volpt {

std::uint64_t count_half_samples(SampleRanges const& ranges)
{
    std::uint64_t samples = 0;
    for (SampleRange const& range : ranges) {
        std::uint64_t const end = range.first + range.count;
        for (std::uint64_t first = range.first; first < end;) {
            std::uint64_t const next = std::min(end, find_run_end(first));
            if (is_in_half(first)) samples += next - first;
            first = next;
        }
    }
    return samples;
}

std::vector<HalfCounts> count_halves(Film const& film)
{
    std::vector<HalfCounts> counts;
    counts.reserve(film.tile_ranges.size());
    for (SampleRanges const& ranges : film.tile_ranges)
        counts.push_back({count_samples(ranges), count_half_samples(ranges)});
    return counts;
}

HalfCounts add_up_halves(Film const& film, std::vector<HalfCounts> const& tiles)
{
    HalfCounts sum;
    for (std::size_t tile = 0; tile < tiles.size(); ++tile) {
        std::uint64_t const pixels = count_tile_pixels(film, tile);
        sum.all += tiles[tile].all * pixels;
        sum.half += tiles[tile].half * pixels;
    }
    return sum;
}

} // namespace volpt
