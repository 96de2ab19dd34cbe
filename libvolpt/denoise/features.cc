#include "libvolpt/denoise/features.h"

#include "libvolpt/denoise/smooth_plane.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace volpt {
namespace {

using Plane = std::vector<float>;

/// Each of the one before: standard deviations of 1, 2.2, 4.6 and 9.2 pixels. How a material blurs is put together of
/// these and of what is sharp.
constexpr std::array<std::size_t, 4> kSteps{1, 2, 4, 8};
constexpr std::size_t kScales = kSteps.size();
using Scales = std::array<Plane, kScales>;

class FeatureMaker {
public:
    FeatureMaker(Guides const& guides, int threads)
        : guides_(guides), threads_(threads), coverage_(smooth(guides.coverage))
    {
    }

    FeatureSet make(std::uint32_t band) const
    {
        Plane const &albedo = guides_.albedo[band], &beneath = guides_.beneath[band];
        Scales const albedos = smooth_covered(albedo), mixtures = smooth_covered(beneath);
        FeatureSet set;
        auto const add = [&](Plane plane, bool is_fine) {
            if (!normalise(plane)) return;
            if (is_fine) set.fine.push_back(plane);
            set.wide.push_back(std::move(plane));
        };
        add(guides_.coverage, true);
        add(mixtures[1], false);
        add(albedos[1], false);
        add(mixtures[0], true);
        add(albedos[0], false);
        add(albedo, true);
        add(beneath, false);
        add(mixtures[2], false);
        add(albedos[2], false);
        add(mixtures[3], false);
        for (auto const& component : guides_.normal) add(component, true);
        add(guides_.depth_mm, true);
        add(number_pixels(Axis::x), true);
        add(number_pixels(Axis::y), true);
        add(guides_.thinness, false);
        add(guides_.emission, true);
        add(multiply(mixtures[0], mixtures[0]), false);
        add(multiply(albedos[0], albedos[0]), false);
        add(multiply(guides_.coverage, coverage_[2]), false);
        return set;
    }

private:
    enum class Axis { x, y };

    Scales smooth(Plane const& plane) const
    {
        Scales scales;
        std::span<float const> from = plane;
        for (std::size_t k = 0; k < kScales; ++k) {
            scales[k] = smooth_plane(from, guides_.width, guides_.height, kSteps[k], threads_);
            from = scales[k];
        }
        return scales;
    }
    /// Means over what is covered: nothing leaks out of an object, nor is its rim darker.
    Scales smooth_covered(Plane const& plane) const
    {
        Scales scales = smooth(plane);
        for (std::size_t k = 0; k < kScales; ++k)
            for (std::size_t i = 0; i < plane.size(); ++i)
                scales[k][i] *= guides_.coverage[i] / std::max(coverage_[k][i], 1e-6f);
        return scales;
    }
    Plane number_pixels(Axis axis) const
    {
        Plane plane(guides_.pixels());
        for (std::size_t i = 0; i < plane.size(); ++i)
            plane[i] = static_cast<float>(axis == Axis::x ? i % guides_.width : i / guides_.width);
        return plane;
    }
    static Plane multiply(Plane const& a, Plane const& b)
    {
        Plane product(a.size());
        for (std::size_t i = 0; i < a.size(); ++i) product[i] = a[i] * b[i];
        return product;
    }
    /// False if it does not vary.
    static bool normalise(Plane& plane)
    {
        double sum = 0, squares = 0;
        for (float const value : plane) sum += static_cast<double>(value);
        double const mean = sum / static_cast<double>(plane.size());
        for (float const value : plane)
            squares += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean);
        double const deviation = std::sqrt(squares / static_cast<double>(plane.size()));
        if (!(deviation > 1e-6 * std::abs(mean)) || !(deviation > 1e-12)) return false;
        for (float& value : plane) value = static_cast<float>((static_cast<double>(value) - mean) / deviation);
        return true;
    }

    Guides const& guides_;
    int threads_;
    Scales coverage_;
};

} // namespace

FeatureSet make_features(Guides const& guides, std::uint32_t band, int threads)
{
    return FeatureMaker(guides, threads).make(band);
}

} // namespace volpt
