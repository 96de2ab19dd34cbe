#include "libvolpt/denoise/walk_column.h"

#include "libvolpt/denoise/vector_clones.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace volpt {
namespace {

/// ColumnSums::deep_passed below which nothing is seen, even of what Guides::beneath looks for.
constexpr float kOpaque = 0.06f;

/// e^-x for x >= 0, within 1e-5: by products alone, which compilers vectorise and which need no fused operations.
float pass_depth(float x)
{
    float const y = x * (1.0f / 8);
    float const grown = 1.0f + y * (1.0f + y * (1.0f / 2 + y * (1.0f / 6 + y * (1.0f / 24 + y * (1.0f / 120)))));
    float const part = 1.0f / grown, squared = part * part, fourth = squared * squared;
    return fourth * fourth;
}

void add_segment(VoxelMedium const& medium, std::uint32_t bands, float from_mm, float length_mm, ColumnSums& sums)
{
    if (medium.is_clear) return;
    float const per_band = 1.0f / static_cast<float>(bands);
    if (medium.emission > 0) {
        float passes = 0;
        for (std::uint32_t b = 0; b < bands; ++b) passes += sums.passed(b);
        sums.emission += passes * per_band * medium.emission * length_mm;
    }
    if (!medium.collides) return;
    float collides[kBandGroup] = {};
    for (std::uint32_t group = 0; group < bands; group += kBandGroup)
        for (std::uint32_t k = 0; k < kBandGroup; ++k) {
            std::uint32_t const b = group + k;
            float const depth = medium.sigma_t[b] * length_mm, before = sums.passed(b), deep = sums.deep_passed[b];
            sums.optical_depth[b] += depth;
            sums.deep_passed[b] = deep * pass_depth(depth * (1.0f / kBeneathDepths));
            float const share = before - sums.passed(b);
            sums.albedo[b] += share * medium.albedo[b];
            sums.beneath[b] += (deep - sums.deep_passed[b]) * medium.albedo[b];
            collides[k] += share;
        }
    float const all = (collides[0] + collides[1]) + (collides[2] + collides[3]);
    sums.scattered_depth_mm += all * per_band * (from_mm + 0.5f * length_mm);
}

bool is_opaque(ColumnSums const& sums, std::uint32_t bands)
{
    float most = sums.deep_passed[0];
    for (std::uint32_t b = 1; b < bands; ++b) most = std::max(most, sums.deep_passed[b]);
    return most < kOpaque;
}

/// What is too deep to be walked to is taken for as much of each as lies above it.
void add_rest(std::uint32_t bands, ColumnSums& sums)
{
    for (std::uint32_t b = 0; b < bands; ++b) sums.beneath[b] /= 1 - sums.deep_passed[b];
}

/// A way through one medium, which is added as a whole: materials often go on for several voxels.
class SegmentAdder {
public:
    SegmentAdder(std::uint32_t bands, float before_mm, bool same_if_same_address, ColumnSums& sums)
        : bands_(bands), before_mm_(before_mm), joins_(same_if_same_address), sums_(sums)
    {
    }
    /// False if nothing more would be seen.
    bool add(VoxelMedium const& medium, float from_mm, float to_mm)
    {
        if (joins_ && &medium == medium_ && joined_ < kMostJoined) {
            to_mm_ = to_mm;
            ++joined_;
            return true;
        }
        if (!flush()) return false;
        medium_ = &medium;
        from_mm_ = from_mm;
        to_mm_ = to_mm;
        joined_ = 0;
        return joins_ || flush();
    }
    bool flush()
    {
        if (medium_ == nullptr) return true;
        add_segment(*medium_, bands_, before_mm_ + from_mm_, to_mm_ - from_mm_, sums_);
        bool const ends = is_opaque(sums_, bands_);
        if (ends) add_rest(bands_, sums_);
        medium_ = nullptr;
        return !ends;
    }

private:
    std::uint32_t bands_;
    float before_mm_;
    bool joins_;
    ColumnSums& sums_;
    VoxelMedium const* medium_ = nullptr;
    float from_mm_ = 0, to_mm_ = 0;
    int joined_ = 0;
    static constexpr int kMostJoined = 4; // how opaque it is is asked after so many
};

/// A line in slabs of voxels, along the axis on which it meets most: each is a step with the voxel at its middle. Steps
/// from face to face of all axes would be exact, but which face comes next is what no processor predicts.
class SlabLine {
public:
    SlabLine(MediumView const& medium, ColumnLine const& line) : medium_(medium)
    {
        Vec3 const velocity = line.direction * medium.inv_pitch;
        for (int axis = 0; axis < 3; ++axis) {
            start_[axis] = get_axis(line.start, axis);
            speed_[axis] = get_axis(velocity, axis);
            // Along faces, the next one is never met.
            mm_per_voxel_[axis] = std::abs(speed_[axis]) > 1e-20f ? 1.0f / speed_[axis] : 0.0f;
            last_[axis] = static_cast<std::int32_t>(get_axis(medium.size_voxels, axis)) - 1;
        }
        int fastest = std::abs(speed_[1]) > std::abs(speed_[0]) ? 1 : 0;
        if (std::abs(speed_[2]) > std::abs(speed_[fastest])) fastest = 2;
        float const start = start_[fastest], speed = speed_[fastest];
        auto const parts = static_cast<float>(std::clamp(kFewSteps / (last_[fastest] + 1), 1, 4));
        slabs_per_mm_ = parts * std::abs(speed);
        step_mm_ = 1.0f / slabs_per_mm_;
        first_mm_ = ((speed >= 0 ? std::floor(start) + 1.0f : std::ceil(start) - 1.0f) - start) / speed;
        first_mm_ -= std::floor(first_mm_ * slabs_per_mm_) * step_mm_;
        if (!(first_mm_ > 1e-3f * step_mm_)) first_mm_ = step_mm_;
    }

    float slab_end_mm() const { return first_mm_ + static_cast<float>(slab_) * step_mm_; }
    void go_on() { ++slab_; }
    /// To the last slab that ends in the constant brick of the place.
    void skip_in_brick()
    {
        float exit_mm = std::numeric_limits<float>::infinity();
        for (int axis = 0; axis < 3; ++axis) {
            std::int32_t const first = cell_[axis] & -kBrickEdge;
            float const face = static_cast<float>(speed_[axis] >= 0 ? first + kBrickEdge : first);
            if (mm_per_voxel_[axis] != 0) exit_mm = std::min(exit_mm, (face - start_[axis]) * mm_per_voxel_[axis]);
        }
        float const slabs = std::min((exit_mm - slab_end_mm()) * slabs_per_mm_, static_cast<float>(4 * kBrickEdge));
        if (slabs >= 1) slab_ += static_cast<std::int32_t>(slabs);
    }

    void go_to(float t_mm)
    {
        for (int axis = 0; axis < 3; ++axis)
            cell_[axis] =
                std::max(0, std::min(static_cast<std::int32_t>(start_[axis] + t_mm * speed_[axis]), last_[axis]));
    }
    std::int32_t brick() const
    {
        return ((cell_[2] >> 3) * medium_.brick_counts[1] + (cell_[1] >> 3)) * medium_.brick_counts[0] +
               (cell_[0] >> 3);
    }
    std::uint32_t morton() const
    {
        return kSpread[cell_[0] & 7] | (kSpread[cell_[1] & 7] << 1) | (kSpread[cell_[2] & 7] << 2);
    }

private:
    /// Volumes of fewer slabs are seen so large that they are taken in several parts.
    static constexpr std::int32_t kFewSteps = 128;
    static_assert(kBrickEdge == 8);
    static constexpr std::uint32_t kSpread[8] = {0, 1, 8, 9, 64, 65, 72, 73}; // spread_3_bits

    MediumView const& medium_;
    float start_[3] = {}, speed_[3] = {}, mm_per_voxel_[3] = {}, step_mm_ = 0, slabs_per_mm_ = 0, first_mm_ = 0;
    std::int32_t cell_[3] = {}, last_[3] = {}, slab_ = 0;
};

} // namespace

float find_collision_share(ColumnSums const& sums, std::uint32_t bands)
{
    float share = 0;
    for (std::uint32_t b = 0; b < bands; ++b) share += 1.0f - sums.passed(b);
    return share / static_cast<float>(bands);
}

float find_thinness(ColumnSums const& sums, std::uint32_t bands)
{
    float depth = 0;
    for (std::uint32_t b = 0; b < bands; ++b) depth += sums.optical_depth[b];
    return 1.0f / (1.0f + depth / (kBeneathDepths * static_cast<float>(bands)));
}

VOLPT_VECTOR_CLONES void walk_column(MediumTable const& media, ColumnLine const& line, ColumnSums& sums)
{
    SceneView const& scene = media.scene();
    MediumReader reader(media);
    SegmentAdder adder(scene.bands, line.before_mm, reader.has_materials(), sums);
    if (scene.medium.extinction == Extinction::bare) {
        reader.enter(0);
        adder.add(reader.read(0), 0.0f, line.length_mm);
        adder.flush();
        return;
    }
    SlabLine slabs(scene.medium, line);
    std::int32_t known_brick = -1;
    bool goes_on = true;
    for (float t = 0; goes_on && t < line.length_mm; slabs.go_on()) {
        slabs.go_to(0.5f * (t + std::min(slabs.slab_end_mm(), line.length_mm)));
        std::int32_t const brick = slabs.brick();
        if (brick != known_brick) reader.enter(brick);
        known_brick = brick;
        if (reader.is_constant()) slabs.skip_in_brick();
        float const end = std::min(slabs.slab_end_mm(), line.length_mm);
        goes_on = adder.add(reader.read(slabs.morton()), t, end);
        t = end;
    }
    adder.flush();
}

} // namespace volpt
