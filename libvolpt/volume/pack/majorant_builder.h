// Local majorants: for each brick, the largest extinction that lookups inside it can return.
//
// Trilinear lookups are jittered by half a voxel, so they reach one voxel past the brick on every side. The maxima over
// the 27 sub-boxes {first layer, all, last layer}^3 of each brick are kept for three layers of bricks; a brick's
// majorant is the maximum over its own voxels and the facing sub-boxes of its 26 neighbours.
#pragma once

#include "libvolpt/core/morton.hd.h"
#include "libvolpt/core/volume_view.hd.h"

#include <array>
#include <cstdint>
#include <vector>

namespace volpt {

/// Keys are unsigned integers in the order of their values: codes, or the bits of non-negative floats.
using SubBoxMaxima = std::array<std::uint32_t, 27>; ///< [sx + 3 * sy + 9 * sz], 0 first layer, 1 all, 2 last layer

/// `keys` are those of a brick, x fastest.
SubBoxMaxima find_sub_box_maxima(std::array<std::uint32_t, kBrickVoxels> const& keys);

/// Of a brick whose voxels all have this key.
inline SubBoxMaxima fill_maxima(std::uint32_t key)
{
    SubBoxMaxima maxima;
    maxima.fill(key);
    return maxima;
}

class MajorantBuilder {
public:
    MajorantBuilder(std::array<int, 3> brick_counts, std::size_t distinct_bands, Filter filter);

    /// To be called for bricks x fastest, then y, then z; band by band for each brick.
    void add(SubBoxMaxima const& maxima) { newest().push_back(maxima); }
    /// After each layer of bricks.
    void end_layer();

    /// After the last layer: keys [brick * distinct_bands + band].
    std::vector<std::uint32_t> const& keys() const noexcept { return keys_; }
    /// Completes the last layer.
    void finish();

private:
    using Layer = std::vector<SubBoxMaxima>; ///< empty outside the volume

    Layer& newest() { return layers_[2]; }
    std::uint32_t combine_neighbours(int x, int y, std::size_t band) const;
    void resolve_middle_layer();

    std::array<int, 3> brick_counts_;
    std::size_t distinct_bands_;
    Filter filter_;
    std::array<Layer, 3> layers_; ///< below, being resolved, newest
    std::vector<std::uint32_t> keys_;
};

} // namespace volpt
