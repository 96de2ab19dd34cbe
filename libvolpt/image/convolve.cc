// The sums of a block of outputs stay in registers while the loop goes over the weights.
#include "libvolpt/image/convolve.h"

#include "libvolpt/colour/vector_math.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace volpt {
namespace {

constexpr std::size_t kBlock = 16;

/// source(k) points to what weight k multiplies for output 0.
template <class Source>
[[gnu::always_inline]] inline void convolve(Source source, std::size_t count, Kernel const& kernel, float* out)
{
    std::size_t i = 0;
    for (; i + kBlock <= count; i += kBlock) {
        std::array<float, kBlock> sums{};
        for (std::size_t k = 0; k < kernel.size(); ++k) {
            float const* const from = source(k) + i;
            float const weight = kernel[k];
            for (std::size_t lane = 0; lane < kBlock; ++lane) sums[lane] += weight * from[lane];
        }
        std::ranges::copy(sums, out + i);
    }
    for (; i < count; ++i) {
        float sum = 0;
        for (std::size_t k = 0; k < kernel.size(); ++k) sum += kernel[k] * source(k)[i];
        out[i] = sum;
    }
}

} // namespace

Kernel make_gaussian(double sigma, int radius)
{
    std::vector<double> weights;
    double sum = 0;
    for (int x = -radius; x <= radius; ++x) {
        weights.push_back(std::exp(-x * x / (2 * sigma * sigma)));
        sum += weights.back();
    }
    Kernel kernel;
    for (double const weight : weights) kernel.push_back(static_cast<float>(weight / sum));
    return kernel;
}

VOLPT_VECTOR_CLONES void convolve_row(float const* row, std::size_t count, Kernel const& kernel, float* out)
{
    convolve([&](std::size_t k) { return row + k; }, count, kernel, out);
}

VOLPT_VECTOR_CLONES void convolve_rows(std::span<float const* const> rows, std::size_t count, Kernel const& kernel,
                                       float* out)
{
    convolve([&](std::size_t k) { return rows[k]; }, count, kernel, out);
}

} // namespace volpt
