#include "libvolpt/volume/clearance/distance_transform.h"

#include "libvolpt/core/morton.hd.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace volpt {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double square(double v)
{
    return v * v;
}

} // namespace

float round_down(double value)
{
    if (value == kInfinity) return std::numeric_limits<float>::infinity();
    if (value >= static_cast<double>(std::numeric_limits<float>::max())) return std::numeric_limits<float>::max();
    float const nearest = static_cast<float>(value);
    return static_cast<double>(nearest) > value ? std::nextafter(nearest, 0.0f) : nearest;
}

BrickLineTransform::BrickLineTransform(BrickLineShape const& shape)
    : shape_(shape), bricks_((shape.voxels + kBrickEdge - 1) / kBrickEdge)
{
    // Whole voxels times a float's 24 bits are exact in double, and so are the gaps.
    for (int copy = -1; copy <= 1; ++copy) {
        for (int brick = 0; brick < bricks_; ++brick) {
            int const low = copy * shape.voxels + brick * kBrickEdge;
            int const high = copy * shape.voxels + std::min((brick + 1) * kBrickEdge, shape.voxels);
            low_mm_.push_back(low * static_cast<double>(shape.pitch_mm));
            high_mm_.push_back(high * static_cast<double>(shape.pitch_mm));
        }
    }
}

void BrickLineTransform::transform(float* squares, std::uint8_t const* joins, std::uint8_t join_bit, std::size_t stride)
{
    auto const joins_next = [&](int brick) {
        return (joins[static_cast<std::size_t>(brick % bricks_) * stride] & join_bit) != 0;
    };
    bool const wraps = shape_.ends == LineEnds::wrapped;
    int first = 0;
    if (wraps) {
        while (first < bricks_ && joins_next(first + bricks_ - 1)) ++first;
        // An endless run: the nearest copy of any brick is in this period or in an adjacent one.
        if (first == bricks_) return transform_run({-bricks_, 2 * bricks_, false, false, 0, bricks_}, squares, stride);
    }
    int const last = first + bricks_;
    for (int start = first; start < last;) {
        int end = start + 1;
        while (end < last && joins_next(end - 1)) ++end;
        transform_run({start, end, wraps || start > 0, wraps || end < bricks_, start, end}, squares, stride);
        start = end;
    }
}

void BrickLineTransform::transform_run(Run const& run, float* squares, std::size_t stride)
{
    auto const at = [&](int brick) -> float& {
        return squares[static_cast<std::size_t>((brick + bricks_) % bricks_) * stride];
    };
    if (run.last - run.first == 1 && (run.has_end_before || run.has_end_after)) {
        at(run.first) = 0;
        return;
    }
    heights_.assign(1, run.has_end_before ? 0 : kInfinity);
    for (int brick = run.first; brick < run.last; ++brick) heights_.push_back(static_cast<double>(at(brick)));
    heights_.push_back(run.has_end_after ? 0 : kInfinity);

    // Neighbours touch: there is no gap to subtract the reach from.
    results_.clear();
    for (int brick = run.wanted_first; brick < run.wanted_last; ++brick) {
        double const* const height = heights_.data() + (brick - run.first);
        results_.push_back(std::min({height[0], height[1], height[2]}));
    }
    // Two envelopes, for bricks below and above. Each overestimates the distance to those on its wrong side, which does
    // not change the minimum.
    lower_results(run, high_mm_, -shape_.reach_mm);
    lower_results(run, low_mm_, shape_.reach_mm);
    for (int brick = run.wanted_first; brick < run.wanted_last; ++brick)
        at(brick) = round_down(results_[static_cast<std::size_t>(brick - run.wanted_first)]);
}

// Parabolas are centred on `face_mm`; distances are taken from the opposite face of each brick, moved by the offset.
void BrickLineTransform::lower_results(Run const& run, std::vector<double> const& face_mm, double offset_mm)
{
    std::vector<double> const& from_faces_mm = &face_mm == &low_mm_ ? high_mm_ : low_mm_;
    envelope_.clear();
    for (std::size_t i = 0; i < heights_.size(); ++i) {
        if (heights_[i] < kInfinity) add_parabola(face_mm[unrolled(run.first - 1) + i], heights_[i]);
    }
    if (envelope_.empty()) return;
    std::size_t lowest = 0;
    for (int brick = run.wanted_first; brick < run.wanted_last; ++brick) {
        double const from_mm = from_faces_mm[unrolled(brick)] + offset_mm;
        while (lowest + 1 < envelope_.size() && envelope_[lowest + 1].from_mm <= from_mm) ++lowest;
        Parabola const& parabola = envelope_[lowest];
        double& result = results_[static_cast<std::size_t>(brick - run.wanted_first)];
        result = std::min(result, parabola.height_mm2 + square(from_mm - parabola.centre_mm));
    }
}

void BrickLineTransform::add_parabola(double centre_mm, double height_mm2)
{
    double from_mm = -kInfinity;
    while (!envelope_.empty()) {
        Parabola const& other = envelope_.back();
        // Sums and differences are halved: the textbook's differences of squares would cancel far from the origin.
        from_mm =
            0.5 * (centre_mm + other.centre_mm) + 0.5 * (height_mm2 - other.height_mm2) / (centre_mm - other.centre_mm);
        if (from_mm > other.from_mm) break;
        envelope_.pop_back();
        from_mm = -kInfinity;
    }
    envelope_.push_back({centre_mm, height_mm2, from_mm});
}

} // namespace volpt
