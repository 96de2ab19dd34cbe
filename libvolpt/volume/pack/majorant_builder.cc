#include "libvolpt/volume/pack/majorant_builder.h"

#include <algorithm>
#include <utility>

namespace volpt {
namespace {

constexpr std::size_t kEdge_voxels = kBrickEdge;
using Line = std::array<std::uint32_t, kEdge_voxels>;

inline Line max_of(Line const& a, Line const& b)
{
    Line result;
    for (std::size_t x = 0; x < kEdge_voxels; ++x) result[x] = std::max(a[x], b[x]);
    return result;
}

} // namespace

SubBoxMaxima find_sub_box_maxima(std::array<std::uint32_t, kBrickVoxels> const& keys)
{
    auto const line = [&](std::size_t y, std::size_t z) {
        Line row;
        std::copy_n(keys.begin() + static_cast<std::ptrdiff_t>((z * kEdge_voxels + y) * kEdge_voxels), kEdge_voxels,
                    row.begin());
        return row;
    };
    std::array<Line, 9>
        lines{}; // [sy + 3 * sz], maxima over y and z, x still apart so that the compiler takes 4 or 8 at once
    for (std::size_t z = 0; z < kEdge_voxels; ++z) {
        Line all = line(0, z);
        for (std::size_t y = 1; y < kEdge_voxels; ++y) all = max_of(all, line(y, z));
        std::array<Line, 3> const by_y{line(0, z), all, line(kEdge_voxels - 1, z)};
        for (std::size_t sy = 0; sy < 3; ++sy) {
            if (z == 0) lines[sy] = by_y[sy];
            lines[sy + 3] = max_of(lines[sy + 3], by_y[sy]);
            if (z == kEdge_voxels - 1) lines[sy + 6] = by_y[sy];
        }
    }
    SubBoxMaxima maxima;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        maxima[3 * i] = lines[i].front();
        maxima[3 * i + 1] = *std::max_element(lines[i].begin(), lines[i].end());
        maxima[3 * i + 2] = lines[i].back();
    }
    return maxima;
}

MajorantBuilder::MajorantBuilder(std::array<int, 3> brick_counts, std::size_t distinct_bands, Filter filter)
    : brick_counts_(brick_counts), distinct_bands_(distinct_bands), filter_(filter)
{
}

// Of a neighbour at offset +1, the first layer counts; at -1, the last.
std::uint32_t MajorantBuilder::combine_neighbours(int x, int y, std::size_t band) const
{
    std::uint32_t largest = 0;
    for (int dz = -1; dz <= 1; ++dz) {
        Layer const& layer = layers_[static_cast<std::size_t>(1 + dz)];
        for (int dy = -1; dy <= 1 && !layer.empty(); ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
                if (x + dx < 0 || x + dx >= brick_counts_[0] || y + dy < 0 || y + dy >= brick_counts_[1]) continue;
                auto const brick = static_cast<std::size_t>((y + dy) * brick_counts_[0] + x + dx);
                auto const box = static_cast<std::size_t>((1 - dx) + 3 * (1 - dy) + 9 * (1 - dz));
                largest = std::max(largest, layer[brick * distinct_bands_ + band][box]);
            }
        }
    }
    return largest;
}

void MajorantBuilder::resolve_middle_layer()
{
    if (layers_[1].empty()) return;
    for (int y = 0; y < brick_counts_[1]; ++y) {
        for (int x = 0; x < brick_counts_[0]; ++x) {
            for (std::size_t band = 0; band < distinct_bands_; ++band) {
                auto const brick = static_cast<std::size_t>(y * brick_counts_[0] + x);
                keys_.push_back(filter_ == Filter::nearest ? layers_[1][brick * distinct_bands_ + band][13]
                                                           : combine_neighbours(x, y, band));
            }
        }
    }
}

void MajorantBuilder::end_layer()
{
    resolve_middle_layer();
    layers_[0] = std::move(layers_[1]);
    layers_[1] = std::move(layers_[2]);
    layers_[2] = {};
}

void MajorantBuilder::finish()
{
    end_layer();
}

} // namespace volpt
