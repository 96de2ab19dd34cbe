#include "libvolpt/scene/bricks/brick_means.h"

#include "libvolpt/scene/bricks/visit_brick.h"

#include <array>

namespace volpt {
namespace {

bool is_constant_brick(PlaneReader const& plane, std::int32_t brick)
{
    return plane.table[std::ptrdiff_t{brick} * plane.table_stride] == kConstantBrick;
}

/// Adds up the voxels of a brick, as far as light would pass through a whole brick of their sigma_t.
class BrickSum {
public:
    explicit BrickSum(MediumView const& medium)
    {
        Vec3 const voxels = medium.inv_pitch;
        edge_mm_ = exact::divide(static_cast<float>(kBrickEdge), (voxels.x + voxels.y + voxels.z) * (1.0f / 3));
    }

    void add(float sigma_t, int voxels = 1)
    {
        sum_ += voxels * static_cast<double>(exact::exp_neg(exact::min(kMostDepth, sigma_t * edge_mm_)));
        voxels_ += voxels;
    }

    float compute_mean() const { return exact::divide(exact::neg_log(static_cast<float>(sum_ / voxels_)), edge_mm_); }

private:
    static constexpr float kMostDepth = 64; ///< of a brick; far beyond what weights ask for
    float edge_mm_;
    double sum_ = 0;
    int voxels_ = 0;
};

float compute_density_mean(MediumView const& medium, std::int32_t brick)
{
    if (is_constant_brick(medium.density, brick)) return medium.scale * read_value(medium.density, {brick, 0}, 0u);
    BrickSum sum(medium);
    visit_brick(medium, brick, [&](VoxelRef voxel) { sum.add(medium.scale * read_value(medium.density, voxel, 0u)); });
    return sum.compute_mean();
}

/// Numbers of a brick's voxels that have each label.
std::array<int, kMaxMaterials> count_labels(MediumView const& medium, std::int32_t brick)
{
    std::array<int, kMaxMaterials> voxels{};
    auto const count = [&](VoxelRef voxel) { ++voxels[static_cast<std::size_t>(read_label(medium.label, voxel))]; };
    if (is_constant_brick(medium.label, brick))
        count({brick, 0});
    else
        visit_brick(medium, brick, count);
    return voxels;
}

float compute_label_mean(MediumView const& medium, std::array<int, kMaxMaterials> const& voxels, float const* sigma_t)
{
    BrickSum sum(medium);
    for (std::size_t label = 0; label < voxels.size(); ++label)
        if (voxels[label] > 0) sum.add(sigma_t[label], voxels[label]);
    return sum.compute_mean();
}

} // namespace

std::vector<float> compute_brick_means(MediumView const& medium, std::uint32_t bands)
{
    std::int32_t const bricks = medium.brick_counts[0] * medium.brick_counts[1] * medium.brick_counts[2];
    std::vector<float> means(count_brick_values(medium, bands));
    for (std::int32_t brick = 0; brick < bricks; ++brick) {
        auto const at = static_cast<std::size_t>(brick);
        if (medium.extinction == Extinction::density) {
            means[at] = compute_density_mean(medium, brick);
            continue;
        }
        auto const voxels = count_labels(medium, brick);
        for (std::uint32_t b = 0; b < bands; ++b)
            means[static_cast<std::size_t>(medium.band[b].local_majorant_first) + at] =
                compute_label_mean(medium, voxels, medium.material_sigma_t + std::size_t{b} * kMaxMaterials);
    }
    return means;
}

} // namespace volpt
