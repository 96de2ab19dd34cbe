// Where light first collides on a straight line, and with which material: exact, voxel by voxel from face to face,
// where walk_column takes several at once.
#pragma once

#include "libvolpt/denoise/walk_column.h"

#include <cstdint>
#include <optional>

namespace volpt {

/// Of all lines that a ray goes through, one after another, and the surface that stops it.
struct FirstCollision {
    float passed[kMaxBands]; ///< the part of light that passed all of it, by band
    float depth_mm = 0;      ///< expected distance of the first collision, times its probability
    /// Of the first voxel in which something scatters, absorbs or emits, of a volume with labels.
    std::optional<std::uint32_t> label;

    explicit FirstCollision(std::uint32_t bands)
    {
        for (std::uint32_t b = 0; b < bands; ++b) passed[b] = 1;
    }
    /// Mean over the bands of what passed.
    float passes(std::uint32_t bands) const;
};

/// Adds the medium along a line. Ends early where nothing more would be seen.
void find_collisions(MediumTable const& media, ColumnLine const& line, FirstCollision& found);

/// Sets the label alone, unless it is set.
void find_label(MediumTable const& media, ColumnLine const& line, FirstCollision& found);

/// Of a region of solids that lie in others.
std::optional<std::uint32_t> find_region_label(SceneView const& scene, std::uint32_t region);

} // namespace volpt
