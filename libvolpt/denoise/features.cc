#include "libvolpt/denoise/features.h"

#include "libvolpt/denoise/smooth_plane.h"
#include "libvolpt/denoise/vector_clones.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace volpt {
namespace {

using Plane = std::vector<float>;

/// Each of the one before: standard deviations of 1, 2.2, 4.6 and 9.2 pixels. How a material blurs is put together of
/// these and of what is sharp.
constexpr std::array<std::size_t, 4> kSteps{1, 2, 4, 8};
using Scales = std::vector<Plane>;

Scales smooth(Plane const& plane, Guides const& guides, int threads)
{
    Scales scales;
    for (std::size_t const step : kSteps)
        scales.push_back(
            smooth_plane(scales.empty() ? plane : scales.back(), guides.width, guides.height, step, threads));
    return scales;
}

/// visit(first, end) for pieces of the pixels.
template <class Visit>
void visit_pieces(Guides const& guides, int threads, Visit const& visit)
{
    constexpr int kRowsPerPiece = 32;
    parallel_for_rows(threads, static_cast<int>(guides.height), kRowsPerPiece, [&](RowRange rows) {
        visit(static_cast<std::size_t>(rows.first) * guides.width, static_cast<std::size_t>(rows.end) * guides.width);
    });
}

/// Means over what is covered: nothing leaks out of an object, nor is its rim darker.
Scales smooth_covered(Plane const& plane, Guides const& guides, Scales const& coverage, int threads)
{
    Scales scales = smooth(plane, guides, threads);
    for (std::size_t k = 0; k < scales.size(); ++k)
        visit_pieces(guides, threads, [&](std::size_t first, std::size_t end) {
            for (std::size_t i = first; i < end; ++i)
                scales[k][i] *= guides.coverage[i] / std::max(coverage[k][i], 1e-6f);
        });
    return scales;
}

Plane multiply(Plane const& a, Plane const& b, Guides const& guides, int threads)
{
    Plane product(a.size());
    visit_pieces(guides, threads, [&](std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i) product[i] = a[i] * b[i];
    });
    return product;
}

enum class Axis { x, y };
Plane number_pixels(Axis axis, Guides const& guides)
{
    Plane plane(guides.pixels());
    for (std::uint32_t y = 0, i = 0; y < guides.height; ++y)
        for (std::uint32_t x = 0; x < guides.width; ++x, ++i)
            plane[i] = static_cast<float>(static_cast<std::int32_t>(axis == Axis::x ? x : y));
    return plane;
}

struct Deviations {
    double sum = 0, squares = 0;
};

/// Of values from `centre`.
VOLPT_VECTOR_CLONES Deviations sum_deviations(float const* values, std::size_t count, float centre)
{
    constexpr std::size_t kSums = 8;
    std::array<double, kSums> sums{}, squares{};
    auto const add = [&](std::size_t i, std::size_t k) {
        auto const by = static_cast<double>(values[i] - centre);
        sums[k] += by;
        squares[k] += by * by;
    };
    std::size_t i = 0;
    for (; i + kSums <= count; i += kSums)
        for (std::size_t k = 0; k < kSums; ++k) add(i + k, k);
    for (; i < count; ++i) add(i, i % kSums);
    Deviations found;
    for (std::size_t k = 0; k < kSums; ++k) {
        found.sum += sums[k];
        found.squares += squares[k];
    }
    return found;
}

} // namespace

FeatureMaker::FeatureMaker(Guides const& guides, int threads)
    : guides_(guides), threads_(threads), coverage_(smooth(guides.coverage, guides, threads)),
      covered_(normalise(guides.coverage)), depth_(normalise(guides.depth_mm)),
      column_(normalise(number_pixels(Axis::x, guides))), row_(normalise(number_pixels(Axis::y, guides))),
      thinness_(normalise(guides.thinness)), emission_(normalise(guides.emission)),
      rim_(normalise(multiply(guides.coverage, coverage_[2], guides, threads)))
{
    for (std::size_t axis = 0; axis < 3; ++axis) normal_[axis] = normalise(guides.normal[axis]);
}

FeatureSet FeatureMaker::make(std::uint32_t band) const
{
    Plane const &albedo = guides_.albedo[band], &beneath = guides_.beneath[band];
    Scales const albedos = smooth_covered(albedo, guides_, coverage_, threads_);
    Scales const mixtures = smooth_covered(beneath, guides_, coverage_, threads_);
    FeatureSet set;
    enum class Use { wide, both };
    auto const add = [&](FeatureSet::Plane const& plane, Use use) {
        if (plane == nullptr) return;
        if (use == Use::both) set.fine.push_back(plane);
        set.wide.push_back(plane);
    };
    add(covered_, Use::both);
    add(normalise(mixtures[1]), Use::wide);
    add(normalise(albedos[1]), Use::wide);
    add(normalise(mixtures[0]), Use::both);
    add(normalise(albedos[0]), Use::wide);
    add(normalise(albedo), Use::both);
    add(normalise(beneath), Use::wide);
    add(normalise(mixtures[2]), Use::wide);
    add(normalise(albedos[2]), Use::wide);
    add(normalise(mixtures[3]), Use::wide);
    for (auto const& component : normal_) add(component, Use::both);
    add(depth_, Use::both);
    add(column_, Use::both);
    add(row_, Use::both);
    add(thinness_, Use::wide);
    add(emission_, Use::both);
    add(normalise(multiply(mixtures[0], mixtures[0], guides_, threads_)), Use::wide);
    add(normalise(multiply(albedos[0], albedos[0], guides_, threads_)), Use::wide);
    add(rim_, Use::wide);
    return set;
}

/// Null if it does not vary.
FeatureSet::Plane FeatureMaker::normalise(Plane plane) const
{
    std::size_t const width = guides_.width;
    std::vector<Deviations> rows(guides_.height);
    float const centre = plane.empty() ? 0.0f : plane[0];
    visit_pieces(guides_, threads_, [&](std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; i += width)
            rows[i / width] = sum_deviations(plane.data() + i, width, centre);
    });
    Deviations all;
    for (Deviations const& row : rows) {
        all.sum += row.sum;
        all.squares += row.squares;
    }
    auto const pixels = static_cast<double>(plane.size());
    double const shift = all.sum / pixels, mean = static_cast<double>(centre) + shift;
    double const deviation = std::sqrt(std::max(0.0, all.squares / pixels - shift * shift));
    if (!(deviation > 1e-6 * std::abs(mean)) || !(deviation > 1e-12)) return nullptr;
    auto const middle = static_cast<float>(mean), scale = static_cast<float>(1 / deviation);
    visit_pieces(guides_, threads_, [&](std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i) plane[i] = (plane[i] - middle) * scale;
    });
    return std::make_shared<Plane const>(std::move(plane));
}

} // namespace volpt
