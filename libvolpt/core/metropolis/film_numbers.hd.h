// Where the path from the film begins that a chain proposes.
#pragma once

#include "libvolpt/core/bidirectional/bidirectional_path.hd.h"
#include "libvolpt/core/sample_sequence.hd.h"

namespace volpt {

/// In place of SampleNumbers and their sequence.
class FilmNumbers {
public:
    VOLPT_HD FilmNumbers(Pair32 in_pixel, Pair32 lens_or_direction) : first_(in_pixel), second_(lens_or_direction) {}
    template <int bands>
    VOLPT_HD FilmNumbers begin(SceneView const&, PathId) const
    {
        return *this;
    }

    VOLPT_HD Pair32 draw_first_pair() const { return first_; }
    VOLPT_HD Pair32 draw_next_pair() const { return second_; }
    VOLPT_HD std::uint32_t draw_next_number() const
    {
        return second_.x;
    } // of the first event, which reads others (propose_way_numbers)

private:
    Pair32 first_;
    Pair32 second_;
};

/// Sets the pixel of the path's id. The numbers are the place on the whole film, and the direction from a probe, or the
/// point of a lens.
template <int bands, class Region>
VOLPT_HD FilmNumbers draw_film_numbers(SceneView const& scene, BidirectionalPath<bands, WithChain<bands, Region>>& path)
{
    draw_group(kFilmGroup, path);
    std::uint64_t const x = std::uint64_t{path.rng.draw()} * scene.width;
    std::uint64_t const y = std::uint64_t{path.rng.draw()} * scene.height;
    path.id.x = static_cast<std::uint32_t>(x >> 32);
    path.id.y = static_cast<std::uint32_t>(y >> 32);
    draw_group(kLensGroup, path);
    std::uint32_t const u = path.rng.draw();
    return {{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)}, {u, path.rng.draw()}};
}

} // namespace volpt
