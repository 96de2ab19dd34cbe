// The tally of --tally: which sums of particles, by which cells and times.
#pragma once

#include "libvolpt/core/light/tally_view.hd.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace volpt {

struct TallySpec {
    TallyKind kind = TallyKind::none;
    std::uint32_t gates = 1;
    double gate_ns = 0;                             ///< width of each; 0: one gate without end
    std::optional<std::array<int, 3>> grid = {};    ///< cells along each axis; none: those of the voxels
    std::optional<FluenceEstimator> estimator = {}; ///< of fluence; none: the one with less noise (TallySums)
    /// Index of refraction in the volume, for the time of flight; none: that of the scene's boundary.
    std::optional<double> index = {};

    bool operator==(TallySpec const&) const = default;
};

/// In vacuum.
inline constexpr double kLightSpeed_mm_per_ns = 299.792458;

/// "absorbed", "fluence:gates=50,ns=0.1,index=1.37,grid=64x64x32". Error (usage) names `option` and the word that is
/// wrong, gates without a width among them.
TallySpec parse_tally(std::string_view option, std::string_view text);

} // namespace volpt
