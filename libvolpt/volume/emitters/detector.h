// Detectors on the surface of a solid, as options and files describe them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace volpt {

enum class DetectorKind : std::uint32_t { disc = 0, rings = 1 };

/// Counts light that leaves the solid near a point: a disc up to `radius_mm` from the centre, in a straight line, as
/// MCX has it; rings on the plane through the centre, and beyond the last of them.
struct DetectorSpec {
    DetectorKind kind = DetectorKind::disc;
    /// mm; none, of rings: where the scene's only beam meets the surface.
    std::optional<std::array<double, 3>> center_world = {};
    /// Of light that leaves, of any length; none: the normal of the surface next to the centre.
    std::optional<std::array<double, 3>> direction_world = {};
    double radius_mm = 0;     ///< disc
    double ring_width_mm = 0; ///< rings
    std::uint32_t ring_count = 1;
    double acceptance_deg = 90;                    ///< most angle of light to `direction_world`, above 0 and up to 90
    std::optional<double> numerical_aperture = {}; ///< index outside times the sine of that angle, instead of it
    std::uint32_t gates = 1;
    double gate_ns = 0; ///< 0: the gates are those of the tally
};

} // namespace volpt
