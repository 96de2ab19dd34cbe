// Works out what long steps need from tables of bricks alone.
#include "libvolpt/scene/long_steps_tables.h"

#include "libvolpt/core/long_steps.hd.h"
#include "libvolpt/volume/clearance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace volpt {
namespace {

/// Spheres end short of what they must not touch by more than positions are rounded.
constexpr float kSlack = 1.0f - 1e-5f;

std::size_t count_bricks(VolumeView const& volume)
{
    std::size_t bricks = 1;
    for (int const count : volume.brick_counts) bricks *= static_cast<std::size_t>(count);
    return bricks;
}

std::vector<float> find_clearance(VolumeView const& volume, std::uint32_t wrapped_axes)
{
    std::vector<float> clearance_mm;
    if (volume.clearance_mm != nullptr && wrapped_axes == 0u)
        clearance_mm.assign(volume.clearance_mm, volume.clearance_mm + count_bricks(volume));
    else
        clearance_mm = compute_clearance_mm(volume, wrapped_axes);
    for (float& clearance : clearance_mm) clearance *= kSlack;
    return clearance_mm;
}

/// Constant bricks by label.
std::array<std::size_t, kMaxMaterials> count_label_bricks(VolumeView const& volume)
{
    std::array<std::size_t, kMaxMaterials> counts{};
    std::size_t const bricks = count_bricks(volume);
    for (std::size_t brick = 0; brick < bricks; ++brick) {
        std::uint32_t const* const entry = volume.label.table + brick * volume.label.table_stride;
        if (entry[0] == kConstantBrick) ++counts[entry[1] % kMaxMaterials];
    }
    return counts;
}

/// The values of g that most constant bricks have, largest share first.
std::vector<float> rank_g(VolumeView const& volume)
{
    std::map<float, std::size_t> bricks_by_g;
    auto const counts = count_label_bricks(volume);
    for (std::size_t label = 0; label < kMaxMaterials; ++label)
        if (counts[label] > 0) bricks_by_g[volume.material_g[label]] += counts[label];
    std::vector<std::pair<float, std::size_t>> ranked(bricks_by_g.begin(), bricks_by_g.end());
    std::stable_sort(ranked.begin(), ranked.end(), [](auto const& a, auto const& b) { return a.second > b.second; });
    std::vector<float> values;
    for (auto const& [g, bricks] : ranked) values.push_back(g);
    return values;
}

/// Half the smallest extent between faces that are no seams.
float find_deepest_mm(VolumeView const& volume, std::uint32_t wrapped_axes)
{
    float deepest = kUnboundedClearanceMm;
    for (int axis = 0; axis < 3; ++axis)
        if ((wrapped_axes >> axis & 1u) == 0u)
            deepest = std::min(deepest, 0.5f * static_cast<float>(volume.dims[axis]) * volume.pitch_mm[axis]);
    return deepest;
}

/// Mean free paths to a material's end, most of all bands; 0 where long steps are not taken.
template <class M>
float find_depth(SceneView const& view, VoxelRef voxel, float room_mm)
{
    MediumView const& medium = view.medium;
    float deepest = 0;
    for (std::uint32_t band = 0; band < view.bands; ++band) {
        float sigma_t = medium.majorant[band];
        if constexpr (M::kExtinction == Extinction::density || M::kExtinction == Extinction::label)
            sigma_t = read_sigma_t<M>(medium, voxel, band);
        float const loss = medium.albedo == Source::constant ? read_one_minus_albedo<Source::constant>(medium, voxel, band)
                           : medium.albedo == Source::plane  ? read_one_minus_albedo<Source::plane>(medium, voxel, band)
                                                             : read_one_minus_albedo<Source::material>(medium, voxel, band);
        if (loss <= 0.5f) deepest = std::max(deepest, room_mm * sigma_t);
    }
    return deepest;
}

} // namespace

void LongStepsTables::fill(VolumeView const& volume, SceneView& view)
{
    LongStepsView& steps = view.long_steps;
    std::uint32_t const wrapped = view.faces.wrapped_axes;
    float* const wraps[3] = {&steps.wraps.x, &steps.wraps.y, &steps.wraps.z};
    float* const beyond[3] = {&steps.beyond_mm.x, &steps.beyond_mm.y, &steps.beyond_mm.z};
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
        bool const is_wrapped = (wrapped >> axis & 1u) != 0u;
        *wraps[axis] = is_wrapped ? 1.0f : 0.0f;
        *beyond[axis] = is_wrapped ? 1e30f : 0.0f;
    }
    steps.pitch_mm = {volume.pitch_mm[0] * kSlack, volume.pitch_mm[1] * kSlack, volume.pitch_mm[2] * kSlack};

    clearance_mm_ = find_clearance(volume, wrapped);
    float room_mm = find_deepest_mm(volume, wrapped);
    if (!clearance_mm_.empty()) room_mm = std::min(room_mm, *std::max_element(clearance_mm_.begin(), clearance_mm_.end()));
    float const majorant = *std::max_element(view.medium.majorant, view.medium.majorant + view.bands);
    steps.bank.log2_size = kBankLog2Size;
    steps.bank.levels = std::max(std::int32_t{0}, find_level(room_mm * majorant, kMostLevels - 1) + 1);
    steps.on = steps.bank.levels > 0 ? 1u : 0u;
    steps.clearance_mm = clearance_mm_.data();
    if (view.medium.anisotropy != Source::material) {
        steps.g_count = 1;
        steps.g[0] = view.medium.g;
        return;
    }
    std::vector<float> const values = rank_g(volume);
    steps.g_count = static_cast<std::uint32_t>(std::min<std::size_t>(values.size(), kMostBankedG));
    if (steps.g_count == 0) steps.on = 0u;
    std::copy_n(values.begin(), steps.g_count, steps.g);
    if (values.size() <= 1) return;
    std::int32_t const bank_size = steps.bank.levels << steps.bank.log2_size;
    for (int label = 0; label < kMaxMaterials; ++label) {
        auto const at = std::find(steps.g, steps.g + steps.g_count, volume.material_g[label]) - steps.g;
        bank_offsets_.push_back(at < steps.g_count ? static_cast<std::int32_t>(at) * bank_size : -1);
    }
    steps.bank_offsets = bank_offsets_.data();
}

double measure_roomy_share(VolumeView const& volume, SceneView const& view, float mean_free_paths)
{
    SceneView stepping = view;
    LongStepsTables tables;
    tables.fill(volume, stepping);
    LongStepsView const& steps = stepping.long_steps;
    double roomy = 0;
    double whole = 0;
    VoxelRef voxel;
    for (int z = 0; z < volume.brick_counts[2]; ++z)
        for (int y = 0; y < volume.brick_counts[1]; ++y)
            for (int x = 0; x < volume.brick_counts[0]; ++x, ++voxel.brick) {
                auto const find_ends = [&](int brick, int axis) {
                    return std::pair(brick * kBrickEdge, std::min((brick + 1) * kBrickEdge, volume.dims[axis]));
                };
                auto const [x0, x1] = find_ends(x, 0);
                auto const [y0, y1] = find_ends(y, 1);
                auto const [z0, z1] = find_ends(z, 2);
                Vec3 const middle{0.5f * static_cast<float>(x0 + x1), 0.5f * static_cast<float>(y0 + y1), 0.5f * static_cast<float>(z0 + z1)};
                float room_mm = measure_face_distance(middle, view.medium.size_voxels, steps);
                if (view.medium.extinction != Extinction::bare) room_mm = std::min(room_mm, steps.clearance_mm[voxel.brick]);
                float const depth = with_medium<1>(view, [&]<class M>(M) { return find_depth<M>(view, voxel, room_mm); });
                double const voxels = static_cast<double>(x1 - x0) * (y1 - y0) * (z1 - z0);
                whole += voxels;
                if (depth >= mean_free_paths) roomy += voxels;
            }
    return roomy / whole;
}

} // namespace volpt
