// What a picture shows, as far as it is known without noise: by rays that are cast straight through the pixels, without
// paths and without random numbers.
#pragma once

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/denoise/interruption.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace volpt {

/// Planes of a picture, row by row: means over a pixel of what its rays met, times how much of them was stopped, so
/// that they are 0 where nothing is met.
struct Guides {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t bands = 0;
    /// 1 at a surface, 1 - transmittance of what has no surface, 0 beside it.
    std::vector<float> coverage;
    std::vector<float> depth_mm;             ///< along the ray, expected
    std::vector<float> normal[3];            ///< box axes, at surfaces, towards the ray
    std::vector<std::vector<float>> albedo;  ///< by band: of the surface, or of the first collision under it
    std::vector<std::vector<float>> beneath; ///< by band: of what lies about kBeneathDepths deep
    std::vector<float> thinness;             ///< from 0, of what lets nothing through, to 1
    std::vector<float> emission;             ///< of a medium that emits: radiance along the ray, mean of the bands

    std::size_t pixels() const { return std::size_t{width} * height; }
};

/// Optical depths over which Guides::beneath has its mean.
inline constexpr float kBeneathDepths = 6;

enum class GuideRays {
    grid,   ///< 2 x 2 in each pixel, each in the middle of a quarter
    sparse, ///< where neighbours differ, one through a pixel's centre, and a grid at edges of what is seen
};

/// A grid as long as it takes no more than about a second.
GuideRays choose_guide_rays(std::size_t pixels);

/// On up to `threads` threads (sys/parallel.h); no bit depends on their number. `scene` has host pointers.
Guides cast_guides(SceneView const& scene, GuideRays rays, int threads);
Guides cast_guides(SceneView const& scene, GuideRays rays, int threads, GoesOn const& goes_on);

} // namespace volpt
