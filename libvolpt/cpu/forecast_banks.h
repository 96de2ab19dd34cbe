// How long banks of outcomes take, told before they are made.
#pragma once

#include "libvolpt/film/sample_range.h"
#include "libvolpt/scene/render_scene.h"

namespace volpt {

/// Seconds on threads of this CPU.
struct BankForecast {
    std::uint64_t banks = 0;
    double banks_s = 0; ///< if none is kept from an earlier render
    double plain_s = 0; ///< of the same samples without long steps

    /// Whether the banks alone take so much longer that the user should hear of it.
    bool is_a_loss() const { return banks_s > 2 && banks_s > 2 * plain_s; }
};

/// For `samples` of all pixels of `scene`, which has long steps, and is of `volume` and `light`. Makes some outcomes of
/// each level and 256 paths: a tenth of a second.
BankForecast forecast_banks(RenderScene const& scene, PackedVolume const& volume, LightImage const* light,
                            SampleRange samples, int threads);

} // namespace volpt
