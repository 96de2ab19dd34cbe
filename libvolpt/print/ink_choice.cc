#include "libvolpt/print/ink_choice.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

/// Errors of this many voxels change the odds of an ink by a factor of e. With .1 a hair of black in a pale sky still
/// leaves a line of 4 times the black that is wanted beside it, with .15 rows miss their shares as by chance. More
/// makes the sum of the slices uneven: over 5 x 5 texels by .30 of what independent choices give without noise, .38
/// with this, .42 with .25.
constexpr double kNoiseVoxels = 0.1875;

/// Of a mixture without change, the error that an ink of share w has on average is -.5 sqrt(w (1 - w)) (1 - 2 w) of a
/// voxel, apart from what all inks have in common, if each ink has the odds of its share: a dot is followed by a wake
/// in which it is not repeated (measured for two to five inks, shares of .0003 to .97, to within .03). With it in the
/// odds errors are 0 on average.
constexpr double kWakeVoxels = 0.5;

constexpr int kNoiseBits = 14;
constexpr double kUnit = 4.0 * kVoxelParts; ///< of bias and noise

std::int32_t to_units(double voxels)
{
    return static_cast<std::int32_t>(std::lround(voxels * kUnit));
}

} // namespace

InkChoice::InkChoice() : bias_(kVoxelParts + 1), noise_(std::size_t{1} << kNoiseBits)
{
    for (std::int32_t parts = 1; parts <= kVoxelParts; ++parts) {
        double const w = static_cast<double>(parts) / kVoxelParts;
        bias_[static_cast<std::size_t>(parts)] =
            to_units(kNoiseVoxels * std::log(w) - kWakeVoxels * std::sqrt(w * (1 - w)) * (1 - 2 * w));
    }
    auto const steps = static_cast<double>(noise_.size());
    for (std::size_t i = 0; i < noise_.size(); ++i)
        noise_[i] = to_units(kNoiseVoxels * -std::log(-std::log((static_cast<double>(i) + 0.5) / steps)));
}

std::size_t InkChoice::choose(std::uint16_t const* wanted, std::span<std::int32_t const> due, std::int32_t const* owed,
                              Rng& rng) const
{
    std::size_t best = 0;
    std::int64_t most = INT64_MIN;
    for (std::size_t ink = 0; ink < due.size(); ++ink) {
        std::int32_t const noise = noise_[rng.draw() >> (32 - kNoiseBits)];
        if (wanted[ink] == 0) continue;
        // A quarter of the owed error, at most a quarter of a voxel, steers without outweighing the slice's own errors.
        std::int64_t const value = 4 * (std::int64_t{due[ink]} - wanted[ink]) +
                                   std::clamp(owed[ink], -kVoxelParts, kVoxelParts) + bias_[wanted[ink]] + noise;
        if (value > most) {
            most = value;
            best = ink;
        }
    }
    return best;
}

} // namespace volpt
