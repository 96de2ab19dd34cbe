#include "libvolpt/scene/long_steps_tables.h"

#include "libvolpt/core/long_steps.hd.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/clearance/alike_boxes.h"
#include "libvolpt/volume/clearance/clearance.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>

namespace volpt {
namespace {

/// Spheres end short of other materials by more than the rounding of positions.
constexpr float kSlack = 1.0f - 1e-5f;

std::size_t count_bricks(VolumeView const& volume)
{
    std::size_t bricks = 1;
    for (int const count : volume.brick_counts) bricks *= static_cast<std::size_t>(count);
    return bricks;
}

/// Clearance by brick, with the volume repeated along the wrapped axes. One value where nothing varies.
std::vector<float> find_clearance(VolumeView const& volume, SceneView const& view)
{
    if (view.medium.extinction == Extinction::bare) return {0.0f};
    std::uint32_t const wrapped = view.faces.wrapped_axes;
    if (volume.clearance_mm == nullptr || wrapped != 0u) return compute_clearance_mm(volume, wrapped);
    return {volume.clearance_mm, volume.clearance_mm + count_bricks(volume)};
}

/// The extent in voxels of bricks `low` to `high` along an axis, less the filter's reach where it does not end at a
/// face.
std::pair<float, float> find_ends(VolumeView const& volume, std::uint32_t wrapped_axes, int axis, std::int32_t low,
                                  std::int32_t high)
{
    bool const wraps = (wrapped_axes >> axis & 1u) != 0u;
    bool const from_first = low == 0;
    bool const to_last = high == volume.brick_counts[axis];
    if (wraps && from_first && to_last) return {-1e30f, 1e30f};
    float const reach = volume.filter == Filter::trilinear ? 0.5f : 0.0f;
    float const first = from_first && !wraps ? 0.0f : static_cast<float>(low * kBrickEdge) + reach;
    float const last = to_last ? static_cast<float>(volume.dims[axis]) - (wraps ? reach : 0.0f)
                               : static_cast<float>(high * kBrickEdge) - reach;
    return {first, last};
}

StepBox make_step_box(VolumeView const& volume, std::uint32_t wrapped_axes, BrickBox const& bricks)
{
    auto const along = [&](int axis) {
        auto const at = static_cast<std::size_t>(axis);
        return find_ends(volume, wrapped_axes, axis, bricks.low[at], bricks.high[at]);
    };
    auto const [x0, x1] = along(0);
    auto const [y0, y1] = along(1);
    auto const [z0, z1] = along(2);
    return {{x0, y0, z0}, {x1, y1, z1}};
}

/// The least distance of a brick's points to the faces of the volume.
float measure_brick_to_faces_mm(VolumeView const& volume, std::uint32_t wrapped_axes, std::int32_t brick)
{
    float least = kUnboundedClearance_mm;
    for (int axis = 0; axis < 3; ++axis) {
        int const at = brick % volume.brick_counts[axis];
        brick /= volume.brick_counts[axis];
        if ((wrapped_axes >> axis & 1u) != 0u) continue;
        int const behind = volume.dims[axis] - std::min((at + 1) * kBrickEdge, volume.dims[axis]);
        least = std::min(least, static_cast<float>(std::min(at * kBrickEdge, behind)) * volume.pitch_mm[axis]);
    }
    return least;
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

/// The values of g of constant bricks, that of most bricks first.
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

/// The radius of the largest sphere that fits into a box.
float find_inradius_mm(StepBox const& box, Vec3 pitch_mm)
{
    Vec3 const size_mm = (box.high - box.low) * pitch_mm;
    return 0.5f * std::min({size_mm.x, size_mm.y, size_mm.z});
}

/// Index of a brick's g among those that have banks.
class BankedG {
public:
    /// Fills in the values of g that have banks.
    BankedG(VolumeView const& volume, SceneView const& view, LongStepsView& steps) : label_(view.medium.label)
    {
        steps.g_count = 1;
        steps.g[0] = view.medium.g;
        if (view.medium.scattering != Scattering::material_g) return;
        std::vector<float> const values = rank_g(volume);
        steps.g_count = static_cast<std::uint32_t>(std::min<std::size_t>(values.size(), kMaxBankedG));
        std::copy_n(values.begin(), steps.g_count, steps.g);
        for (int label = 0; label < kMaxMaterials; ++label)
            by_label_.push_back(static_cast<std::uint32_t>(
                std::find(steps.g, steps.g + steps.g_count, volume.material_g[label]) - steps.g));
    }

    /// g_count or more if its g has no bank.
    std::uint32_t find(VoxelRef voxel) const
    {
        return by_label_.empty() ? 0u : by_label_[static_cast<std::size_t>(read_label(label_, voxel))];
    }

private:
    PlaneReader label_;
    std::vector<std::uint32_t> by_label_;
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
        else
            return view.medium.band[band].majorant;
    });
}

/// The properties of a brick that do not depend on bands.
struct BrickPlace {
    std::int32_t brick = 0;
    float clearance_mm = 0;
    std::uint32_t box_and_g = 0;
    bool steps = false;
};

/// The entry of a brick for paths of `bands` bands from `band` on.
template <int bands>
StepBrick<bands> make_step_brick(SceneView const& view, BrickPlace const& place, std::uint32_t band)
{
    StepBrick<bands> entry;
    if (!place.steps) return entry;
    VoxelRef voxel;
    voxel.brick = place.brick;
    entry.sigma_t = read_brick_sigma_t(view, voxel, band);
    entry.clearance_mm = place.clearance_mm;
    entry.box_and_g = place.box_and_g;
    for (std::uint32_t b = 0; b < bands; ++b) {
        float const loss = read_loss(view.medium, voxel, band + b);
        if (loss > 0.5f) entry.sigma_t = 0;
        entry.absorption[b] = exact::neg_log1m(std::min(loss, 0.5f));
    }
    return entry;
}

std::vector<BrickPlace> place_all_bricks(VolumeView const& volume, SceneView const& view, BankedG const& banked,
                                         std::span<float const> clearance_mm, AlikeBoxes const& alike)
{
    std::vector<BrickPlace> places(clearance_mm.size());
    for (std::size_t brick = 0; brick < places.size(); ++brick) {
        VoxelRef voxel;
        voxel.brick = static_cast<std::int32_t>(brick);
        if (alike.box_of_brick[brick] == kNoBox) continue;
        std::uint32_t const g = banked.find(voxel);
        if (g >= view.long_steps.g_count) continue;
        float const faces_mm = measure_brick_to_faces_mm(volume, view.faces.wrapped_axes, voxel.brick);
        places[brick] = {voxel.brick, std::min(clearance_mm[brick], faces_mm) * kSlack,
                         alike.box_of_brick[brick] * kMaxBankedG + g, true};
    }
    return places;
}

/// A brick of the box that has at least 90 % of the bricks in which long steps are taken, if there is such a box.
std::optional<BrickPlace> find_dominant_brick(SceneView const& view, std::vector<BrickPlace> const& places)
{
    std::map<std::uint32_t, std::size_t> bricks_by_box;
    std::map<std::uint32_t, BrickPlace> first_of_box;
    std::size_t all = 0;
    for (BrickPlace const& place : places) {
        float sigma_t = 0;
        for (std::uint32_t band = 0; band < view.bands; ++band)
            sigma_t = std::max(sigma_t, make_step_brick<1>(view, place, band).sigma_t);
        if (sigma_t == 0) continue;
        ++all;
        ++bricks_by_box[place.box_and_g];
        first_of_box.try_emplace(place.box_and_g, place);
    }
    for (auto const& [box, bricks] : bricks_by_box)
        if (10 * bricks >= 9 * all) return first_of_box.at(box);
    return std::nullopt;
}

/// Fills in the boxes. A single entry stands for the whole volume if nothing varies, or if one box has nearly all
/// bricks: finding the brick at every event would cost more than long steps in the rest of the volume save.
std::vector<BrickPlace> place_bricks(VolumeView const& volume, SceneView const& view, BankedG const& banked,
                                     std::vector<StepBox>& boxes)
{
    std::uint32_t const wrapped = view.faces.wrapped_axes;
    if (view.medium.extinction == Extinction::bare) {
        BrickBox whole;
        std::copy(std::begin(volume.brick_counts), std::end(volume.brick_counts), whole.high.begin());
        boxes.push_back(make_step_box(volume, wrapped, whole));
        return {{0, 0, 0, true}};
    }
    std::vector<float> const clearance_mm = find_clearance(volume, view);
    AlikeBoxes const alike = find_alike_boxes(volume, clearance_mm);
    std::vector<BrickPlace> const places = place_all_bricks(volume, view, banked, clearance_mm, alike);
    if (std::optional<BrickPlace> const alone = find_dominant_brick(view, places)) {
        boxes.push_back(make_step_box(volume, wrapped, alike.boxes[alone->box_and_g / kMaxBankedG]));
        return {{alone->brick, 0, alone->box_and_g % kMaxBankedG, true}};
    }
    for (BrickBox const& box : alike.boxes) boxes.push_back(make_step_box(volume, wrapped, box));
    if (boxes.empty()) boxes.emplace_back();
    return places;
}

template <int bands>
std::vector<StepBrick<bands>> make_step_bricks(SceneView const& view, std::vector<BrickPlace> const& places)
{
    std::vector<StepBrick<bands>> table;
    for (std::uint32_t band = 0; band < (bands > 1 ? 1 : view.bands); ++band)
        for (BrickPlace const& place : places) table.push_back(make_step_brick<bands>(view, place, band));
    return table;
}

/// The largest distance from a brick's centre to the surface, as far as is known: no sphere in a solid is larger.
float find_largest_surface_clearance_mm(SceneView const& view)
{
    if (view.surface.on == 0u) return kUnboundedClearance_mm;
    std::ptrdiff_t bricks = 1;
    for (std::int32_t const count : view.medium.brick_counts) bricks *= count;
    return *std::max_element(view.surface.clearance_mm, view.surface.clearance_mm + bricks);
}

/// Levels whose spheres or layers fit somewhere.
template <int bands>
std::int32_t count_levels(std::vector<StepBrick<bands>> const& table, std::vector<StepBox> const& boxes,
                          SceneView const& view)
{
    LongStepsView const& steps = view.long_steps;
    float const largest_mm = find_largest_surface_clearance_mm(view);
    float most = 0;
    for (StepBrick<bands> const& entry : table) {
        if (entry.sigma_t == 0) continue;
        StepBox const& box = boxes[entry.box_and_g / kMaxBankedG];
        float const size_mm = steps.kind == Steps::layers
                                  ? get_axis((box.high - box.low) * steps.pitch_mm, steps.layer_axis)
                                  : std::max(entry.clearance_mm, find_inradius_mm(box, steps.pitch_mm));
        most = std::max(most, std::min(size_mm, largest_mm) * entry.sigma_t);
    }
    std::int32_t const last = (steps.kind == Steps::layers ? kMaxLayerLevels : kMaxLevels) - 1;
    return std::max(std::int32_t{0}, find_level(most, last) + 1);
}

/// The axis along which the only box ends. Error (usage) unless it has no end along the two others.
std::int32_t find_layer_axis(std::vector<StepBox> const& boxes, std::size_t entries)
{
    std::int32_t ends = 0, axis = 0;
    for (std::int32_t a = 0; a < 3; ++a) {
        if (get_axis(boxes.front().high, a) >= 1e30f) continue;
        ++ends;
        axis = a;
    }
    if (boxes.size() != 1 || entries != 1 || ends != 1)
        fail_usage("long steps through layers need a volume with --sides periodic, in which one box of a single "
                   "material has nine tenths of all homogeneous bricks and fills two axes",
                   "use --long-steps on, which takes spheres");
    return axis;
}

} // namespace

void LongStepsTables::fill(VolumeView const& volume, Steps kind, SceneView& view)
{
    LongStepsView& steps = view.long_steps;
    std::uint32_t const wrapped = view.faces.wrapped_axes;
    Vec3 const size = view.medium.size_voxels;
    steps.inv_period = {(wrapped & 1u) != 0u ? 1.0f / size.x : 0.0f, (wrapped & 2u) != 0u ? 1.0f / size.y : 0.0f,
                        (wrapped & 4u) != 0u ? 1.0f / size.z : 0.0f};
    steps.pitch_mm = {volume.pitch_mm[0] * kSlack, volume.pitch_mm[1] * kSlack, volume.pitch_mm[2] * kSlack};
    steps.bank.log2_size = kBankLog2Size;
    BankedG const banked(volume, view, steps);
    std::vector<BrickPlace> const places = place_bricks(volume, view, banked, boxes_);
    steps.brick_count = static_cast<std::int32_t>(places.size());
    steps.boxes = boxes_.data();
    steps.box_count = static_cast<std::uint32_t>(boxes_.size());
    steps.kind = kind;
    if (kind == Steps::layers) steps.layer_axis = find_layer_axis(boxes_, places.size());
    if (view.path_bands == 3) {
        bricks_of_three_ = make_step_bricks<3>(view, places);
        steps.bricks_of_three = bricks_of_three_.data();
        steps.bank.levels = count_levels(bricks_of_three_, boxes_, view);
    } else {
        bricks_of_band_ = make_step_bricks<1>(view, places);
        steps.bricks_of_band = bricks_of_band_.data();
        steps.bank.levels = count_levels(bricks_of_band_, boxes_, view);
    }
    if (steps.bank.levels == 0) steps.kind = Steps::plain;
}

} // namespace volpt
