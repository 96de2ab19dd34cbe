#include "libvolpt/stats/verdict/regions/noisy_region.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double find_excess(RegionSide const& side, PixelNoise noise)
{
    return std::max(0.0, side.find_variance(noise) - side.variance);
}

double find_in(std::map<std::string, double> const& values, std::string const& name, double otherwise)
{
    auto const found = values.find(name);
    return found == values.end() ? otherwise : found->second;
}

} // namespace

NoisyChannel::NoisyChannel(NoisyImage const& noisy, std::string const& name)
    : mean_(*noisy.image.find(name)), error_(noisy.image.find("standard_error." + name)),
      count_(noisy.image.find("sample_count")), floor_(noisy.sample_variance_floor), pixel_noise_(noisy.pixel_noise),
      shared_(find_in(noisy.shared_variance, name, 0)),
      mean_variance_(find_in(noisy.mean_variance, name, std::numeric_limits<double>::quiet_NaN()))
{
}

NoisyValue NoisyChannel::without_shared_part(NoisyValue value) const
{
    value.variance -= std::min(shared_ * value.mean * value.mean, value.variance);
    return value;
}

NoisyValue NoisyChannel::at(std::size_t i) const
{
    double const mean = static_cast<double>(mean_.values[i]);
    if (is_exact()) return {mean, 0, kInfinity};
    auto const error = static_cast<double>(error_->values[i]);
    double const samples = has_counts() ? static_cast<double>(count_->values[i]) : kInfinity;
    double const rounding = mean * 0x1p-24; // of the mean to a float
    return {mean, error * error + floor_ / samples + rounding * rounding, samples};
}

bool is_usable(NoisyValue const& value)
{
    return std::isfinite(value.mean) && std::isfinite(value.variance) && value.samples >= 2;
}

void RegionSide::add(RegionSide const& other)
{
    sum += other.sum;
    variance += other.variance;
    deviation += other.deviation;
    samples = std::min(samples, other.samples);
}

void Region::add(Region const& other)
{
    test.add(other.test);
    reference.add(other.reference);
    values += other.values;
    difference.add(other.difference);
}

NoisyDifference ChannelNoise::correlate(Region const& region) const
{
    NoisyDifference result = region.difference;
    for (auto const& [side, noise] : {std::pair{&region.test, test}, {&region.reference, reference}}) {
        double const excess = find_excess(*side, noise);
        if (excess == 0) continue;
        result.variance += excess;
        result.pooled_variance += excess;
        double const all = side->find_variance(noise);
        result.variance_scatter += all * all / (side->samples - 1);
    }
    return result;
}

NoisyDifference ChannelNoise::complete(Region const& region) const
{
    double const shared = shared_test * region.test.sum * region.test.sum +
                          shared_reference * region.reference.sum * region.reference.sum;
    NoisyDifference result = correlate(region);
    result.variance += shared;
    result.pooled_variance += shared;
    return result;
}

ContributionSizes ChannelNoise::find_sizes(Region const& region, ContributionSizes around) const
{
    return {has_contributions_test ? std::max(around.test, region.test.find_size(PixelNoise::independent)) : 0,
            has_contributions_reference
                ? std::max(around.reference, region.reference.find_size(PixelNoise::independent))
                : 0};
}

ContributionSizes ChannelNoise::find_sizes_around(Region const& region, Region const& image) const
{
    auto const find = [](RegionSide const& side, RegionSide const& whole) {
        if (side.sum > 0) return 0.0;
        return whole.sum > 0 ? whole.find_size(PixelNoise::independent) : kInfinity;
    };
    return {has_contributions_test ? find(region.test, image.test) : 0,
            has_contributions_reference ? find(region.reference, image.reference) : 0};
}

RegionTest ChannelNoise::test_region(Region const& region, double z, ContributionSizes around) const
{
    if (region.test.sum < 0 || region.reference.sum < 0) return {z, kInfinity, kInfinity};
    ContributionSizes sizes = find_sizes(region, around);
    if (has_contributions_test) sizes.test = std::max(sizes.test, region.test.find_size(test));
    if (has_contributions_reference) sizes.reference = std::max(sizes.reference, region.reference.find_size(reference));
    Contributions const t{region.test.sum, sizes.test}, r{region.reference.sum, sizes.reference};
    double const pooled = pool_sums(t, r);
    auto const count = [&](double size) { return size > 0 ? pooled / size : pooled > 0 ? kInfinity : 0; };
    RegionTest result{z, count(sizes.test), count(sizes.reference)};
    if (result.has_enough()) result.z = std::copysign(std::min(std::abs(z), std::abs(test_contributions(t, r))), z);
    return result;
}

} // namespace volpt
