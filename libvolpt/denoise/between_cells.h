// Models that belong to cells, between their centres.
#pragma once

#include <cstddef>

namespace volpt {

/// Of a pixel between the centres of two cells along an axis.
struct Between {
    std::size_t first, second;
    float share; ///< of the second

    float interpolate(float const* of_cells) const
    {
        return of_cells[first] + share * (of_cells[second] - of_cells[first]);
    }
};

inline Between find_between(std::size_t pixel, std::size_t edge, std::size_t cells)
{
    float const place = (static_cast<float>(pixel) + 0.5f) / static_cast<float>(edge) - 0.5f;
    if (place <= 0) return {0, 0, 0.0f};
    auto const first = static_cast<std::size_t>(place);
    if (first + 1 >= cells) return {cells - 1, cells - 1, 0.0f};
    return {first, first + 1, place - static_cast<float>(first)};
}

} // namespace volpt
