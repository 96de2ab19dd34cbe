// What an MCX input says besides its voxels and its source: media, units, gates, detectors, and what counts.
//
// Source: "Input JSON Format" of MCX's README (Fang and Boas 2009), and what mcx makes of it.
#pragma once

#include "formats/mcx/node.h"

#include <cstdint>

namespace volpt {

struct McxMedium {
    double mua_per_mm = 0;
    double mus_per_mm = 0;
    double g = 0; ///< above -1; 1 scatters straight on, which is no scattering
    double index = 1;
};

/// From the launch on.
struct McxGates {
    std::uint32_t count = 1;
    double width_ns = 0;
};

struct McxDetector {
    std::array<double, 3> position{}; ///< voxels from the corner
    double radius = 0;                ///< voxels
};

/// Whether indices of refraction count where media meet. They always count for time.
enum class McxIndices { matched, mismatched };
/// What happens to light that enters the volume: it goes on as it is, or is reflected and refracted.
enum class McxEntry { straight, refracted };

struct McxInput {
    std::vector<McxMedium> media; ///< by label, 1 .. 256; medium 0 is the outside
    double unit_mm = 1;           ///< edge of a voxel
    double origin = 0;            ///< what positions count from: 0, or 1
    std::optional<McxGates> gates;
    std::vector<McxDetector> detectors;
    McxIndices indices = McxIndices::mismatched;
    McxEntry entry = McxEntry::straight;
    std::optional<std::uint32_t> photons;
    std::vector<std::string> notices;
};

/// Error (input) names the file and the field: what is no MCX input, a medium without a coefficient, a value out of
/// range, and what volpt has no means for (InverseCDF, MieScatter, VoxelSize, mirrors and cyclic faces).
McxInput read_mcx_input(McxNode const& root);

/// Adds a notice for what list_unread finds: to be called once all of the file was read.
void tell_unread(McxNode const& root, std::vector<std::string>& notices);

} // namespace volpt
