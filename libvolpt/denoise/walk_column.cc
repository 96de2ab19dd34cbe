#include "libvolpt/denoise/walk_column.h"

#include "libvolpt/core/lookup.hd.h"
#include "libvolpt/core/scatter.hd.h"
#include "libvolpt/denoise/guides.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

/// Of a voxel or of a brick in which nothing varies.
struct VoxelMedium {
    float sigma_t[kMaxBands];
    float albedo[kMaxBands];
    float emission;
    std::uint32_t label;
    bool is_clear; ///< nothing scatters, absorbs or emits
};

/// ColumnSums::deep_passed below which nothing is seen, even of what Guides::beneath looks for.
constexpr float kOpaque = 0.02f;

/// e^-x for x >= 0, within 1e-5: by products alone, which compilers vectorise and which need no fused operations.
float pass_depth(float x)
{
    float const y = x * (1.0f / 8);
    float const grown = 1.0f + y * (1.0f + y * (1.0f / 2 + y * (1.0f / 6 + y * (1.0f / 24 + y * (1.0f / 120)))));
    float const part = 1.0f / grown, squared = part * part, fourth = squared * squared;
    return fourth * fourth;
}

class MediumReader {
public:
    explicit MediumReader(SceneView const& scene) : scene_(scene), medium_(scene.medium) {}

    void read(VoxelRef voxel, VoxelMedium& found) const
    {
        bool const has_label = medium_.label.table != nullptr;
        std::int32_t const label = has_label ? read_label(medium_.label, voxel) : 0;
        found.label = has_label ? static_cast<std::uint32_t>(label) : 0;
        float density = 0;
        if (medium_.extinction == Extinction::density) density = medium_.scale * read_value(medium_.density, voxel, 0);
        for (std::uint32_t b = 0; b < scene_.bands; ++b) {
            switch (medium_.extinction) {
            case Extinction::density:
                found.sigma_t[b] = density;
                break;
            case Extinction::label:
                found.sigma_t[b] = medium_.material_sigma_t[static_cast<std::int32_t>(b) * kMaxMaterials + label];
                break;
            default:
                found.sigma_t[b] = medium_.band[b].majorant;
            }
        }
        found.emission = 0;
        if (scene_.emission.source.table != nullptr) {
            for (std::uint32_t b = 0; b < scene_.bands; ++b)
                found.emission += read_value(scene_.emission.source, voxel, b);
            found.emission /= static_cast<float>(scene_.bands);
        }
        float sum = found.emission;
        for (std::uint32_t b = 0; b < scene_.bands; ++b) sum += found.sigma_t[b];
        found.is_clear = !(sum > 0);
        if (found.is_clear) return;
        for (std::uint32_t b = 0; b < scene_.bands; ++b) found.albedo[b] = 1.0f - read_one_minus(voxel, b);
    }

    bool is_constant(std::int32_t brick) const
    {
        auto const is_constant_in = [&](PlaneReader const& plane) {
            return plane.table == nullptr || plane.table[brick * plane.table_stride] == kConstantBrick;
        };
        return is_constant_in(medium_.density) && is_constant_in(medium_.one_minus_albedo) &&
               is_constant_in(medium_.label) && is_constant_in(scene_.emission.source);
    }

private:
    float read_one_minus(VoxelRef voxel, std::uint32_t band) const
    {
        if (medium_.albedo == Source::plane) return read_one_minus_albedo<Source::plane>(medium_, voxel, band);
        if (medium_.albedo == Source::material) return read_one_minus_albedo<Source::material>(medium_, voxel, band);
        return read_one_minus_albedo<Source::constant>(medium_, voxel, band);
    }

    SceneView const& scene_;
    MediumView const& medium_;
};

void add_segment(VoxelMedium const& medium, std::uint32_t bands, float from_mm, float length_mm, ColumnSums& sums)
{
    if (medium.is_clear) return;
    float collides = 0, passes = 0, deep_part = 1, sigma = -1;
    for (std::uint32_t b = 0; b < bands; ++b) {
        float const depth = medium.sigma_t[b] * length_mm;
        if (medium.sigma_t[b] != sigma) deep_part = pass_depth(depth * (1.0f / kBeneathDepths));
        sigma = medium.sigma_t[b];
        float const before = sums.passed(b), deep_before = sums.deep_passed[b];
        sums.optical_depth[b] += depth;
        sums.deep_passed[b] = deep_before * deep_part;
        float const share = before - sums.passed(b), deep_share = deep_before - sums.deep_passed[b];
        sums.albedo[b] += share * medium.albedo[b];
        sums.beneath[b] += deep_share * medium.albedo[b];
        collides += share;
        passes += before;
        if (sigma > 0 && sums.label == 0) sums.label = 1 + medium.label;
    }
    float const per_band = 1.0f / static_cast<float>(bands);
    sums.scattered_depth_mm += collides * per_band * (from_mm + 0.5f * length_mm);
    sums.emission += passes * per_band * medium.emission * length_mm;
}

bool is_opaque(ColumnSums const& sums, std::uint32_t bands)
{
    float most = sums.deep_passed[0];
    for (std::uint32_t b = 1; b < bands; ++b) most = std::max(most, sums.deep_passed[b]);
    return most < kOpaque;
}

} // namespace

float find_collision_share(ColumnSums const& sums, std::uint32_t bands)
{
    float share = 0;
    for (std::uint32_t b = 0; b < bands; ++b) share += 1.0f - sums.passed(b);
    return share / static_cast<float>(bands);
}

void walk_column(SceneView const& scene, ColumnLine const& line, ColumnSums& sums)
{
    MediumView const& medium = scene.medium;
    MediumReader const reader(scene);
    Vec3 const velocity = line.direction * medium.inv_pitch;
    Vec3 const size = medium.size_voxels;
    float start[3], speed[3], mm_per_voxel[3];
    std::int32_t last[3];
    for (int axis = 0; axis < 3; ++axis) {
        start[axis] = get_axis(line.start, axis);
        speed[axis] = get_axis(velocity, axis);
        // Along faces, the next one is never met.
        mm_per_voxel[axis] = 1.0f / (std::abs(speed[axis]) < 1e-20f ? std::copysign(1e-20f, speed[axis]) : speed[axis]);
        last[axis] = static_cast<std::int32_t>(get_axis(size, axis)) - 1;
    }
    VoxelMedium found{};
    bool const varies = medium.extinction != Extinction::bare;
    // From inside each cell, exactly: rounding may leave a point on the wrong side of a face, so that a step is never
    // shorter than a thousandth of a voxel.
    float const fastest = std::max({std::abs(velocity.x), std::abs(velocity.y), std::abs(velocity.z)});
    float const least_mm = 1e-3f / fastest;
    std::int32_t known_brick = -1;
    for (float t = 0; t < line.length_mm && !is_opaque(sums, scene.bands);) {
        float const inside = std::min(t + least_mm, line.length_mm);
        std::int32_t cell[3];
        for (int axis = 0; axis < 3; ++axis)
            cell[axis] =
                std::max(0, std::min(static_cast<std::int32_t>(start[axis] + inside * speed[axis]), last[axis]));
        VoxelRef const voxel = make_voxel_ref(medium, cell[0], cell[1], cell[2]);
        bool const is_constant = !varies || reader.is_constant(voxel.brick);
        if (!is_constant || known_brick != voxel.brick) reader.read(voxel, found);
        known_brick = is_constant ? voxel.brick : -1;
        float end = line.length_mm;
        if (varies) {
            std::int32_t const edge = is_constant ? kBrickEdge : 1;
            for (int axis = 0; axis < 3; ++axis) {
                std::int32_t const first = cell[axis] & -edge;
                float const face = static_cast<float>(speed[axis] >= 0 ? first + edge : first);
                end = std::min(end, (face - start[axis]) * mm_per_voxel[axis]);
            }
        }
        end = std::min(std::max(end, inside), line.length_mm);
        add_segment(found, scene.bands, line.before_mm + t, end - t, sums);
        t = end;
    }
}

} // namespace volpt
