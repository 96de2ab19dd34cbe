#include "libvolpt/print/mesh/layer_diffusion.h"

#include <algorithm>
#include <utility>

namespace volpt {
namespace {

/// A neighbour that is still to come: steps along the row, across the rows and up, in the directions of the sweep.
struct Neighbour {
    int ahead, across, up;
    std::int32_t weight;
};

/// In a plane of x and y the weights are Floyd and Steinberg's; in x and z the same; in y and z they differ from these
/// in that what is ahead gets 5 of 14 instead of 7 of 16.
constexpr Neighbour kNeighbours[] = {
    {1, 0, 0, 7},  {-1, 1, 0, 3}, {0, 1, 0, 5}, {1, 1, 0, 1},  {-1, 0, 1, 3}, {0, 0, 1, 5},   {1, 0, 1, 1},
    {0, -1, 1, 3}, {0, 1, 1, 1},  {1, 1, 1, 1}, {-1, 1, 1, 1}, {1, -1, 1, 1}, {-1, -1, 1, 1},
};
constexpr std::size_t kNeighbourCount = std::size(kNeighbours);

} // namespace

struct LayerDiffusion::Step {
    PrintSlice const& slice;
    PrintSlice const* next;
    int x, y, dx, dy;
    std::size_t voxel;
};

LayerDiffusion::LayerDiffusion(int width, int height, std::size_t inks)
    : width_(width), height_(height), inks_(inks), owed_x_(inks, 0), left_(inks, 0), due_(inks, 0)
{
    std::size_t const numbers = static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * inks;
    for (auto& errors : errors_) errors.assign(numbers, 0);
    owed_z_.assign(numbers, 0);
    owed_y_.assign(static_cast<std::size_t>(width) * inks, 0);
}

std::int32_t* LayerDiffusion::find_owed(Step const& step)
{
    switch (get_column_axis(step.slice.places[step.voxel])) {
    case ColumnAxis::x:
        return owed_x_.data();
    case ColumnAxis::y:
        return owed_y_.data() + static_cast<std::size_t>(step.x) * inks_;
    default:
        return owed_z_.data() + step.voxel * inks_;
    }
}

void LayerDiffusion::spread(Step const& step)
{
    struct Target {
        std::int32_t* error;
        std::int32_t weight;
    };
    std::array<Target, kNeighbourCount> same{}, other{};
    std::size_t same_count = 0, other_count = 0;
    std::int32_t same_sum = 0, other_sum = 0;
    std::uint16_t const place = step.slice.places[step.voxel];
    for (Neighbour const& neighbour : kNeighbours) {
        PrintSlice const* const slice = neighbour.up != 0 ? step.next : &step.slice;
        if (slice == nullptr) break; // those above are the last ones
        std::size_t const voxel =
            static_cast<std::size_t>(step.y + neighbour.across * step.dy) * static_cast<std::size_t>(width_) +
            static_cast<std::size_t>(step.x + neighbour.ahead * step.dx);
        std::uint16_t const beside = slice->places[voxel];
        if (!is_ink(beside)) continue;
        std::int32_t* const error = errors_[neighbour.up].data() + voxel * inks_;
        if (are_in_one_layer(place, beside)) {
            same[same_count++] = {error, neighbour.weight};
            same_sum += neighbour.weight;
        } else {
            other[other_count++] = {error, neighbour.weight};
            other_sum += neighbour.weight;
        }
    }
    auto const& targets = same_count > 0 ? same : other;
    std::size_t const count = same_count > 0 ? same_count : other_count;
    std::int32_t const sum = same_count > 0 ? same_sum : other_sum;
    for (std::size_t ink = 0; ink < inks_; ++ink) {
        std::int32_t rest = due_[ink];
        if (rest == 0) continue;
        for (std::size_t i = 0; i + 1 < count; ++i) {
            auto const part = static_cast<std::int32_t>(std::int64_t{due_[ink]} * targets[i].weight / sum);
            targets[i].error[ink] += part;
            rest -= part;
        }
        (count > 0 ? targets[count - 1].error : left_.data())[ink] += rest;
    }
}

void LayerDiffusion::halftone_voxel(Step const& step, MixturePalette& palette, std::span<std::uint8_t> labels)
{
    std::uint16_t const* const wanted = palette.take(step.slice.colours[step.voxel]);
    std::int32_t* const errors = errors_[0].data() + step.voxel * inks_;
    for (std::size_t ink = 0; ink < inks_; ++ink)
        due_[ink] = wanted[ink] + std::exchange(errors[ink], 0) + std::exchange(left_[ink], 0);
    std::int32_t* const owed = find_owed(step);
    std::size_t const chosen = choice_.choose(wanted, due_, owed, rng_);
    labels[step.voxel] = static_cast<std::uint8_t>(chosen);
    due_[chosen] -= kVoxelParts;
    for (std::size_t ink = 0; ink < inks_; ++ink) owed[ink] += wanted[ink] - (ink == chosen ? kVoxelParts : 0);
    spread(step);
}

void LayerDiffusion::halftone_slice(PrintSlice const& slice, PrintSlice const* next, MixturePalette& palette,
                                    PrintLabels const& labels_beside, std::span<std::uint8_t> labels)
{
    std::ranges::fill(owed_y_, 0);
    rng_ = seed_rng(0, 0, static_cast<std::uint32_t>(slice_), 0);
    bool const is_upwards = slice_ % 2 != 0;
    int const dy = is_upwards ? -1 : 1;
    for (int line = 0; line < height_; ++line) {
        std::ranges::fill(owed_x_, 0);
        int const y = is_upwards ? height_ - 1 - line : line;
        bool const is_back = (line + slice_) % 2 != 0;
        int const dx = is_back ? -1 : 1;
        std::size_t const row = static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
        for (int i = 0; i < width_; ++i) {
            int const x = is_back ? width_ - 1 - i : i;
            std::size_t const voxel = row + static_cast<std::size_t>(x);
            std::uint16_t const place = slice.places[voxel];
            if (is_ink(place))
                halftone_voxel({slice, next, x, y, dx, dy, voxel}, palette, labels);
            else
                labels[voxel] = place == kCorePlace   ? labels_beside.core
                                : place == kCoatPlace ? labels_beside.coat
                                                      : labels_beside.outside;
        }
    }
    std::swap(errors_[0], errors_[1]);
    ++slice_;
}

std::vector<double> LayerDiffusion::find_unpaid_voxels() const
{
    std::vector<double> voxels;
    for (std::int32_t const left : left_) voxels.push_back(static_cast<double>(left) / kVoxelParts);
    return voxels;
}

} // namespace volpt
