#include "libvolpt/scene/light/emission_tables.h"

#include "libvolpt/core/light/medium_emission.hd.h"
#include "libvolpt/scene/bricks/visit_brick.h"
#include "libvolpt/scene/exact_trig.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>

namespace volpt {
namespace {

using M = EmitterMedium<1, Surfaces::box, Transport::particles>;
using BrickRates = std::array<double, kBrickVoxels>;

/// Appends cumulative shares of 2^32 - 1, at least 1 for each value above 0, so that each of them can be chosen.
void append_shares(std::span<double const> values, std::vector<std::uint32_t>& shares)
{
    double total = 0;
    std::size_t positive = 0;
    for (double const value : values) {
        total += value;
        positive += value > 0 ? 1 : 0;
    }
    double const spare = 4294967295.0 - static_cast<double>(positive);
    double sum = 0;
    std::uint32_t counted = 0;
    for (double const value : values) {
        sum += value;
        counted += value > 0 ? 1u : 0u;
        shares.push_back(static_cast<std::uint32_t>(std::min(spare, sum / total * spare)) + counted);
    }
}

/// The largest index of refraction of all solids and materials, relative to outside.
double find_largest_index(SceneView const& view)
{
    if (has_interfaces(view)) {
        float const* const index_of = view.interfaces.material_ior;
        return static_cast<double>(*std::max_element(index_of, index_of + kMaxMaterials) / view.interfaces.ext_ior);
    }
    auto const find = [](BoundaryView const& boundary) {
        return boundary.kind == BoundaryKindView::none ? 1.0 : static_cast<double>(boundary.int_over_ext);
    };
    if (view.solids.boundaries == nullptr) return find(view.boundary);
    double largest = 0;
    for (BoundaryView const& boundary : std::span(view.solids.boundaries, view.solids.solid_count))
        largest = std::max(largest, find(boundary));
    return largest;
}

bool is_dark_brick(PlaneReader const& source, std::int32_t brick, std::uint32_t bands)
{
    std::uint32_t const* const entry = source.table + std::ptrdiff_t{brick} * source.table_stride;
    return entry[0] == kConstantBrick &&
           std::all_of(entry + 1, entry + 1 + bands, [](std::uint32_t bits) { return bits == 0; });
}

} // namespace

void EmissionTables::fill(SceneView const& view, Vec3 pitch_mm, EmissionUse use)
{
    MediumView const& medium = view.medium;
    PlaneReader const& source = view.emission.source;
    std::int32_t const count = medium.brick_counts[0] * medium.brick_counts[1] * medium.brick_counts[2];
    std::vector<double> totals;
    double total = 0;
    for (std::int32_t brick = 0; brick < count; ++brick) {
        if (is_dark_brick(source, brick, view.bands)) continue;
        BrickRates rates{};
        double of_brick = 0;
        visit_brick(medium, brick, [&](VoxelRef voxel) {
            double& rate = rates[voxel.morton];
            for (std::uint32_t band = 0; band < view.bands; ++band) {
                auto const radiance = static_cast<double>(read_value(source, voxel, band));
                largest_ = std::max(largest_, radiance);
                double const sigma_a = static_cast<double>(read_sigma_t<M>(medium, voxel, band)) *
                                       static_cast<double>(read_absorbed_share<M>(medium, voxel, band));
                rate = std::max(rate, sigma_a * radiance);
            }
            of_brick += rate;
        });
        if (!(of_brick > 0)) continue;
        total += of_brick;
        if (use == EmissionUse::found) continue;
        bricks_.push_back(brick);
        totals.push_back(of_brick);
        append_shares(rates, voxel_shares_);
    }
    append_shares(totals, brick_shares_);
    voxel_mm3_ = static_cast<double>(pitch_mm.x) * static_cast<double>(pitch_mm.y) * static_cast<double>(pitch_mm.z);
    double const index = find_largest_index(view);
    power_w_ = 4 * kPi * voxel_mm3_ * index * index * total;
    if (!(power_w_ > 1e-30))
        fail_usage("the volume has an emission, but its medium sends out no light",
                   "a medium emits where it absorbs: give it a density and an albedo below 1 where it is hot");
    if (!(power_w_ <= 1e31 && largest_ <= 1e31))
        fail_usage(fmt::format("the medium sends out {:.3g} W, too much to be computed with", power_w_),
                   "pack the volume with a smaller --emission-scale");
}

void EmissionTables::show(EmissionView& emission, float choice, float reference_power_w) const
{
    emission.choice = choice;
    emission.power_per_rate = static_cast<float>(4 * kPi * voxel_mm3_ / static_cast<double>(reference_power_w));
    emission.brick_count = static_cast<std::uint32_t>(bricks_.size());
    emission.bricks = bricks_.data();
    emission.brick_shares = brick_shares_.data();
    emission.voxel_shares = voxel_shares_.data();
}

} // namespace volpt
