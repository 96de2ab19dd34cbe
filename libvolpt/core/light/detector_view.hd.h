// Detectors: places on the solid's surface where particles that leave it are counted.
#pragma once

#include "libvolpt/core/vec.hd.h"

namespace volpt {

/// Materials whose partial path lengths are kept apart; the last one stands for all further ones.
inline constexpr std::uint32_t kMostDetectedMaterials = 8;

/// Rings about a point of the surface; a disc is one ring. Ring i counts particles that leave the solid at a distance
/// of i to i + 1 times `ring_width_mm` from the centre.
struct DetectorView {
    Vec3 centre_mm{0, 0, 0}; ///< from the box's corner, along its axes
    Vec3 outward{0, 0, 1};   ///< unit, box axes
    float reach_mm = 0;      ///< most distance along `outward` from the centre's plane
    float ring_width_mm = 1;
    std::uint32_t rings = 1;      ///< 1 at least
    std::uint32_t has_beyond = 0; ///< 1: one more ring counts what leaves farther out
    float least_cosine = 0;       ///< between the particle's direction and `outward`, which must be greater
    std::uint32_t gates = 1;
    float gate_optical_mm = 0;    ///< optical path length of one gate; 0: one gate without end
    std::uint32_t first_cell = 0; ///< cells are [gate][ring]
};

/// The sums of a cell: weight, weight times optical path length, and weight times each partial path length.
enum class DetectedSum : std::uint32_t { weight = 0, optical_path = 1, first_partial_path = 2 };

struct DetectorsView {
    DetectorView const* detectors = nullptr;
    std::uint32_t count = 0;
    std::uint32_t cells = 0;     ///< of all detectors
    std::uint32_t materials = 1; ///< 1: of the medium as a whole; else by label, the last of all labels from there on
    float weight_scale = 1;      ///< a power of two
    float length_scale = 1;      ///< a power of two, per mm
};

VOLPT_HD std::uint32_t count_detector_cells(DetectorView const& detector)
{
    return detector.gates * (detector.rings + detector.has_beyond);
}

VOLPT_HD std::uint32_t count_detected_sums(DetectorsView const& detectors)
{
    return static_cast<std::uint32_t>(DetectedSum::first_partial_path) + detectors.materials;
}

} // namespace volpt
