// Works out what long steps need from tables of bricks alone.
#include "libvolpt/scene/long_steps_tables.h"

#include "libvolpt/core/long_steps.hd.h"
#include "libvolpt/volume/clearance.h"

#include <algorithm>
#include <array>
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

/// Of every brick, or of the one that stands for all where nothing varies.
std::vector<float> find_clearance(VolumeView const& volume, SceneView const& view)
{
    if (view.medium.extinction == Extinction::bare) return {kUnboundedClearanceMm};
    std::vector<float> clearance_mm;
    if (volume.clearance_mm != nullptr && view.faces.wrapped_axes == 0u)
        clearance_mm.assign(volume.clearance_mm, volume.clearance_mm + count_bricks(volume));
    else
        clearance_mm = compute_clearance_mm(volume, view.faces.wrapped_axes);
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

/// Outcomes before those of a label's g begin; -1 if it has no bank.
class BankOffsets {
public:
    /// Fills in the values of g that get banks.
    BankOffsets(VolumeView const& volume, SceneView const& view, LongStepsView& steps) : label_(view.medium.label)
    {
        steps.g_count = 1;
        steps.g[0] = view.medium.g;
        if (view.medium.anisotropy != Source::material) return;
        std::vector<float> const values = rank_g(volume);
        steps.g_count = static_cast<std::uint32_t>(std::min<std::size_t>(values.size(), kMostBankedG));
        std::copy_n(values.begin(), steps.g_count, steps.g);
        for (int label = 0; label < kMaxMaterials; ++label) {
            auto const at = std::find(steps.g, steps.g + steps.g_count, volume.material_g[label]) - steps.g;
            by_label_.push_back(at < steps.g_count ? static_cast<std::int32_t>(at) : -1);
        }
    }

    std::int32_t find(VoxelRef voxel, std::int32_t bank_size) const
    {
        if (by_label_.empty()) return 0;
        std::int32_t const at = by_label_[static_cast<std::size_t>(read_label(label_, voxel))];
        return at < 0 ? at : at * bank_size;
    }

private:
    PlaneReader label_;
    std::vector<std::int32_t> by_label_;
};

float read_loss(MediumView const& medium, VoxelRef voxel, std::uint32_t band)
{
    if (medium.extinction == Extinction::bare || medium.albedo == Source::constant)
        return read_one_minus_albedo<Source::constant>(medium, voxel, band);
    if (medium.albedo == Source::plane) return read_one_minus_albedo<Source::plane>(medium, voxel, band);
    return read_one_minus_albedo<Source::material>(medium, voxel, band);
}

float read_brick_sigma_t(SceneView const& view, VoxelRef voxel, std::uint32_t band)
{
    return with_medium<1>(view, [&]<class M>(M) {
        if constexpr (M::kExtinction == Extinction::density || M::kExtinction == Extinction::label)
            return read_sigma_t<M>(view.medium, voxel, band);
        else return view.medium.majorant[band];
    });
}

/// The entry of a brick for paths of `bands` bands from `band` on, without its bank. Bricks that vary have clearance 0.
template <int bands>
StepBrick<bands> make_step_brick(SceneView const& view, float clearance_mm, VoxelRef voxel, std::uint32_t band)
{
    StepBrick<bands> entry;
    if (!(clearance_mm > 0)) return entry;
    entry.sigma_t = read_brick_sigma_t(view, voxel, band);
    entry.clearance_mm = clearance_mm;
    for (std::uint32_t b = 0; b < bands; ++b) {
        float const loss = read_loss(view.medium, voxel, band + b);
        if (loss > 0.5f) entry.sigma_t = 0;
        entry.absorption[b] = negative_log_of_rest(std::min(loss, 0.5f));
    }
    return entry;
}

template <int bands>
std::vector<StepBrick<bands>> make_step_bricks(SceneView const& view, std::vector<float> const& clearance_mm)
{
    std::vector<StepBrick<bands>> table;
    for (std::uint32_t band = 0; band < (bands > 1 ? 1 : view.bands); ++band)
        for (std::size_t brick = 0; brick < clearance_mm.size(); ++brick) {
            VoxelRef voxel;
            voxel.brick = static_cast<std::int32_t>(brick);
            table.push_back(make_step_brick<bands>(view, clearance_mm[brick], voxel, band));
        }
    return table;
}

/// Spheres that fit into `room_mm` of the best brick.
template <int bands>
std::int32_t count_levels(std::vector<StepBrick<bands>> const& table, float room_mm)
{
    float most = 0;
    for (StepBrick<bands> const& entry : table) most = std::max(most, std::min(room_mm, entry.clearance_mm) * entry.sigma_t);
    return std::max(std::int32_t{0}, find_level(most, kMostLevels - 1) + 1);
}

template <int bands>
void place_banks(std::vector<StepBrick<bands>>& table, BankOffsets const& offsets, LongStepsView const& steps)
{
    for (std::size_t i = 0; i < table.size(); ++i) {
        VoxelRef voxel;
        voxel.brick = static_cast<std::int32_t>(i % static_cast<std::size_t>(steps.brick_count));
        if (table[i].sigma_t == 0) continue;
        table[i].bank_offset = offsets.find(voxel, steps.bank.levels << steps.bank.log2_size);
        if (table[i].bank_offset < 0) table[i] = {};
    }
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
    steps.bank.log2_size = kBankLog2Size;
    std::vector<float> const clearance_mm = find_clearance(volume, view);
    steps.brick_count = static_cast<std::int32_t>(clearance_mm.size());
    BankOffsets const offsets(volume, view, steps);
    auto const fill_table = [&](auto& table, auto& pointer) {
        steps.bank.levels = count_levels(table, find_deepest_mm(volume, wrapped));
        place_banks(table, offsets, steps);
        pointer = table.data();
    };
    if (view.path_bands == 3) {
        bricks_of_three_ = make_step_bricks<3>(view, clearance_mm);
        fill_table(bricks_of_three_, steps.bricks_of_three);
    } else {
        bricks_of_band_ = make_step_bricks<1>(view, clearance_mm);
        fill_table(bricks_of_band_, steps.bricks_of_band);
    }
    steps.on = steps.bank.levels > 0 ? 1u : 0u;
}

double measure_roomy_share(VolumeView const& volume, SceneView const& view, float mean_free_paths)
{
    SceneView stepping = view;
    LongStepsTables tables;
    tables.fill(volume, stepping);
    LongStepsView const& steps = stepping.long_steps;
    double roomy = 0;
    double whole = 0;
    std::int32_t brick = 0;
    for (int z = 0; z < volume.brick_counts[2]; ++z)
        for (int y = 0; y < volume.brick_counts[1]; ++y)
            for (int x = 0; x < volume.brick_counts[0]; ++x, ++brick) {
                auto const find_ends = [&](int at, int axis) {
                    return std::pair(at * kBrickEdge, std::min((at + 1) * kBrickEdge, volume.dims[axis]));
                };
                auto const [x0, x1] = find_ends(x, 0);
                auto const [y0, y1] = find_ends(y, 1);
                auto const [z0, z1] = find_ends(z, 2);
                Vec3 const middle{0.5f * static_cast<float>(x0 + x1), 0.5f * static_cast<float>(y0 + y1), 0.5f * static_cast<float>(z0 + z1)};
                float const faces_mm = measure_face_distance(middle, view.medium.size_voxels, steps);
                float deepest = 0;
                auto const look_at = [&](auto const& entry) {
                    deepest = std::max(deepest, std::min(faces_mm, entry.clearance_mm) * entry.sigma_t);
                };
                std::int32_t const row = view.medium.extinction == Extinction::bare ? 0 : brick;
                if (view.path_bands == 3) look_at(find_step_brick<3>(steps, row, 0));
                else for (std::uint32_t band = 0; band < view.bands; ++band) look_at(find_step_brick<1>(steps, row, band));
                double const voxels = static_cast<double>(x1 - x0) * (y1 - y0) * (z1 - z0);
                whole += voxels;
                if (deepest >= mean_free_paths) roomy += voxels;
            }
    return roomy / whole;
}

} // namespace volpt
