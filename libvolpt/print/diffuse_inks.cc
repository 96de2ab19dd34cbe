// Diffuses what voxels could not print.
#include "libvolpt/print/diffuse_inks.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace volpt {

void round_mixture(std::span<double const> fractions, std::span<std::uint16_t> parts)
{
    // Running sums are rounded, not parts: the last one is exact.
    double sum = 0;
    std::int32_t before = 0;
    for (std::size_t i = 0; i < fractions.size(); ++i) {
        sum += fractions[i];
        auto const after =
            i + 1 == fractions.size()
                ? kVoxelParts
                : std::clamp(static_cast<std::int32_t>(std::lround(sum * kVoxelParts)), before, kVoxelParts);
        parts[i] = static_cast<std::uint16_t>(after - before);
        before = after;
    }
}

InkDiffusion::InkDiffusion(int width, int height, std::size_t inks, std::span<std::uint16_t const> parts)
    : width_(width), height_(height), inks_(inks), parts_(parts), owed_(parts.size(), 0), left_(inks, 0)
{
    for (auto& row : rows_) row.assign(static_cast<std::size_t>(width) * inks, 0);
}

std::size_t InkDiffusion::choose_ink(std::uint16_t const* wanted, std::int32_t const* due,
                                     std::int32_t const* owed) const
{
    std::size_t best = 0;
    std::int32_t most = INT32_MIN;
    for (std::size_t ink = 0; ink < inks_; ++ink) {
        if (wanted[ink] == 0) continue;
        // A quarter of the debt, and no more than a quarter of a voxel, steers without outweighing the slice's own
        // errors.
        std::int32_t const value = 4 * due[ink] + std::clamp(owed[ink], -kVoxelParts, kVoxelParts);
        if (value > most) {
            most = value;
            best = ink;
        }
    }
    return best;
}

void InkDiffusion::spread(std::int32_t const* error, int x, int y, int dx, int dy)
{
    bool const has_ahead = x + dx >= 0 && x + dx < width_;
    bool const has_back = x - dx >= 0 && x - dx < width_;
    bool const has_next = y + dy >= 0 && y + dy < height_;
    auto const place = [&](std::size_t row, int at) {
        return rows_[row].data() + static_cast<std::size_t>(at) * inks_;
    };
    for (std::size_t ink = 0; ink < inks_; ++ink) {
        std::int32_t const e = error[ink];
        if (!has_next) { // what is left goes ahead, and at the end of the slice into the next one
            (has_ahead ? place(0, x + dx) : left_.data())[ink] += e;
            continue;
        }
        std::int32_t const ahead = has_ahead ? e * 7 / 16 : 0;
        std::int32_t const back = has_back ? e * 3 / 16 : 0;
        std::int32_t const corner = has_ahead ? e / 16 : 0;
        if (has_ahead) {
            place(0, x + dx)[ink] += ahead;
            place(1, x + dx)[ink] += corner;
        }
        if (has_back) place(1, x - dx)[ink] += back;
        place(1, x)[ink] += e - ahead - back - corner;
    }
}

void InkDiffusion::halftone_slice(std::span<std::uint8_t> labels)
{
    std::vector<std::int32_t> due(inks_);
    bool const is_upwards = slice_ % 2 != 0;
    for (int line = 0; line < height_; ++line) {
        int const y = is_upwards ? height_ - 1 - line : line;
        bool const is_back = (line + slice_) % 2 != 0;
        int const dx = is_back ? -1 : 1;
        for (int i = 0; i < width_; ++i) {
            int const x = is_back ? width_ - 1 - i : i;
            std::size_t const texel =
                static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
            std::uint16_t const* const wanted = parts_.data() + texel * inks_;
            std::int32_t const* const errors = rows_[0].data() + static_cast<std::size_t>(x) * inks_;
            std::int32_t* const owed = owed_.data() + texel * inks_;
            for (std::size_t ink = 0; ink < inks_; ++ink) due[ink] = wanted[ink] + errors[ink];
            if (line == 0 && i == 0)
                for (std::size_t ink = 0; ink < inks_; ++ink) due[ink] += std::exchange(left_[ink], 0);
            std::size_t const chosen = choose_ink(wanted, due.data(), owed);
            labels[texel] = static_cast<std::uint8_t>(chosen);
            due[chosen] -= kVoxelParts;
            for (std::size_t ink = 0; ink < inks_; ++ink) owed[ink] += wanted[ink] - (ink == chosen ? kVoxelParts : 0);
            spread(due.data(), x, y, dx, is_upwards ? -1 : 1);
        }
        std::swap(rows_[0], rows_[1]);
        std::ranges::fill(rows_[1], 0);
    }
    ++slice_;
}

} // namespace volpt
