// The sums that particles add to, with their memory, and the energy balance from them.
#pragma once

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/scene/light/tally_spec.h"

#include <span>
#include <vector>

namespace volpt {

/// Refraction indices, for optical path lengths.
struct TallyIndices {
    double inside = 1;
    double outside = 1;
};

/// How launched energy ended, as shares of it; they add up to 1 up to rounding.
struct EnergyShares {
    double reflected = 0;   ///< left against the direction in which its particle was launched
    double transmitted = 0; ///< left along it
    double absorbed = 0;    ///< in the medium and at surfaces
    double cut = 0;         ///< by the depth limit, or after the last gate
    double roulette = 0;    ///< lost by roulette less what it gained; its expectation is 0
};

/// Shares of launched energy that was never in the solid: parts of EnergyShares.
struct OutsideShares {
    double reflected = 0;   ///< specular reflection at its surface
    double transmitted = 0; ///< passed by the solid
};

class TallySums {
public:
    /// Zeros for particles in `scene`, of which bands, medium and voxels are read, and for `detectors`, whose table
    /// outlives this object. Error (system) with the figures if they do not fit into the memory that this process may
    /// use.
    TallySums(TallySpec const& spec, SceneView const& scene, TallyIndices indices, DetectorsView const& detectors = {});
    TallySums(TallySums const&) = delete; // view() points into this object
    TallySums& operator=(TallySums const&) = delete;

    TallySpec const& spec() const { return spec_; }
    /// Threads add to it atomically.
    TallyView const& view() const { return view_; }
    std::uint32_t bands() const { return bands_; }
    double cell_volume_mm3() const { return cell_volume_mm3_; }

    /// All zero again, for another render.
    void clear();

    /// Launched weights by band: energy over LightsView::reference_power_w.
    std::vector<double> measure_launched() const;
    /// By band; zeros for a band in which nothing was launched.
    std::vector<EnergyShares> measure_energy() const;
    /// Of all bands together.
    EnergyShares measure_total_energy() const;
    /// Likewise of all bands together.
    OutsideShares measure_outside_energy() const;

private:
    std::vector<double> add_parts(EnergyKind kind) const;
    double add_bands(EnergyKind kind) const;

    TallySpec spec_;
    std::uint32_t bands_;
    double cell_volume_mm3_ = 1;
    std::vector<std::uint64_t> sums_;
    std::vector<std::uint64_t> energy_sums_;
    TallyView view_;
};

} // namespace volpt
