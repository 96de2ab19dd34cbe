// A channel with its noise, and sums of both sides over regions of it.
#pragma once

#include "libvolpt/stats/verdict/expectation.h"
#include "libvolpt/stats/verdict/value_test.h"

#include <limits>

namespace volpt {

/// A channel of one side with its noise.
class NoisyChannel {
public:
    NoisyChannel(NoisyImage const& noisy, std::string const& name);

    bool is_exact() const { return error_ == nullptr; }
    bool has_counts() const { return count_ != nullptr; }
    /// A standard error of few contributions says little, unless it is said to be exact.
    bool has_contributions() const { return !is_exact() && has_counts(); }
    PixelNoise pixel_noise() const { return pixel_noise_; }
    /// Relative to the square of a mean over any pixels.
    double shared_variance() const { return shared_; }
    /// Of the mean over all pixels; NaN: it follows from those of the pixels.
    double mean_variance() const { return mean_variance_; }
    /// Without the part of the variance that it has in common with other pixels.
    NoisyValue without_shared_part(NoisyValue value) const;
    NoisyValue at(std::size_t i) const;

private:
    Channel const& mean_;
    Channel const* error_;
    Channel const* count_;
    double floor_;
    PixelNoise pixel_noise_;
    double shared_;
    double mean_variance_;
};

/// Finite, of two samples at least.
bool is_usable(NoisyValue const& value);

/// Sums of one side over pixels; the moments are without the part that pixels share.
struct RegionSide {
    double sum = 0;       ///< of the means
    double variance = 0;  ///< of independent pixels
    double deviation = 0; ///< sum of the standard errors: that of pixels whose errors are one
    double samples = std::numeric_limits<double>::infinity(); ///< the least of a pixel

    void add(RegionSide const& other);
    double find_variance(PixelNoise noise) const
    {
        return noise == PixelNoise::independent ? variance : deviation * deviation;
    }
    /// Variance over mean: what a contribution adds (Contributions::size); 0 if there is none.
    double find_size(PixelNoise noise) const { return sum > 0 ? find_variance(noise) / sum : 0; }
};

/// The pixels of a region that are usable on both sides.
struct Region {
    RegionSide test, reference;
    double values = 0;
    NoisyDifference difference; ///< of independent pixels

    void add(Region const& other);
    double light() const { return test.sum + reference.sum; }
};

/// Of an effective number of contributions from which on the tails of test_contributions hold whatever the sizes of
/// contributions, as long as they vary by no more than those of an exponential distribution
/// (docs/statistical-verdict.md#joined-pixels).
inline constexpr double kEnoughContributions = 32;

struct RegionTest {
    double z = 0;
    double contributions_test = 0, contributions_reference = 0; ///< expected of each side
    bool has_enough() const { return std::min(contributions_test, contributions_reference) >= kEnoughContributions; }
};

/// Sizes of contributions of both sides.
struct ContributionSizes {
    double test = 0, reference = 0;
};

/// What both sides of a channel are.
struct ChannelNoise {
    double shared_test = 0, shared_reference = 0; ///< relative variance, as NoisyImage::shared_variance
    PixelNoise test = PixelNoise::independent, reference = PixelNoise::independent;
    bool has_contributions_test = true, has_contributions_reference = true;

    /// The difference of the sums with the correlation between pixels.
    NoisyDifference correlate(Region const& region) const;
    /// Also with the part that pixels share, which is the same whatever their number.
    NoisyDifference complete(Region const& region) const;
    /// Those of the region, but at least those of the larger one around it: few contributions may have missed the
    /// large ones among their neighbours, and none at all say nothing of their size.
    ContributionSizes find_sizes(Region const& region, ContributionSizes around) const;
    /// What is around the largest regions that are asked for sizes: nothing, but where a side has no contribution the
    /// sizes of the whole image.
    ContributionSizes find_sizes_around(Region const& region, Region const& image) const;
    /// The less significant one of two tests of the region: `z`, which was found from the variances, and
    /// test_contributions; not the latter where a sum is negative, which is none of contributions. `around` is of
    /// find_sizes for the region around it.
    RegionTest test_region(Region const& region, double z, ContributionSizes around) const;
};

} // namespace volpt
