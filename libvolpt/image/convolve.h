// Separable convolution, one row at a time: along a row, and across rows.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace volpt {

using Kernel = std::vector<float>; ///< an odd number of weights, the middle one at offset 0

inline int radius_of(Kernel const& kernel)
{
    return static_cast<int>(kernel.size() / 2);
}

/// Samples of exp(-x^2 / (2 sigma^2)) at -radius .. radius, with sum 1.
Kernel make_gaussian(double sigma, int radius);

/// out[i] = sum of kernel[k] * row[i + k]; `row` has count + kernel.size() - 1 values.
void convolve_row(float const* row, std::size_t count, Kernel const& kernel, float* out);

/// out[i] = sum of kernel[k] * rows[k][i].
void convolve_rows(std::span<float const* const> rows, std::size_t count, Kernel const& kernel, float* out);

/// The last rows of a plane, in a ring buffer: row y replaces row y - height.
class RowRing {
public:
    RowRing(std::size_t width, int height)
        : width_(width), height_(height), values_(width * static_cast<std::size_t>(height))
    {
    }

    float* row(int y) { return values_.data() + static_cast<std::size_t>((y % height_ + height_) % height_) * width_; }
    /// Rows y - radius .. y + radius, which must be in the ring.
    std::span<float const* const> around(int y, int radius)
    {
        pointers_.clear();
        for (int k = -radius; k <= radius; ++k) pointers_.push_back(row(y + k));
        return pointers_;
    }

private:
    std::size_t width_;
    int height_;
    std::vector<float> values_;
    std::vector<float const*> pointers_;
};

} // namespace volpt
