#include "libvolpt/denoise/smooth_plane.h"

#include "libvolpt/denoise/vector_clones.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>

namespace volpt {
namespace {

constexpr int kSmoothedRows = 64; // more than the taps of others that a piece needs

/// Beyond an edge the picture goes on mirrored at its last pixel: repeated, that pixel would outweigh its neighbours.
std::size_t find_tap(std::size_t from, std::ptrdiff_t by, std::size_t count)
{
    auto const last = static_cast<std::ptrdiff_t>(count) - 1;
    std::ptrdiff_t place = static_cast<std::ptrdiff_t>(from) + by;
    if (place < 0) place = -place;
    if (place > last) place = 2 * last - place;
    return static_cast<std::size_t>(std::clamp(place, std::ptrdiff_t{0}, last));
}

float weigh(float a, float b, float c, float d, float e)
{
    return ((a + e) + 4.0f * (b + d) + 6.0f * c) * (1.0f / 16);
}

void smooth_row(float const* row, std::size_t width, std::size_t step, float* out)
{
    auto const at = [&](std::size_t x, std::ptrdiff_t by) {
        return row[find_tap(x, by * static_cast<std::ptrdiff_t>(step), width)];
    };
    auto const at_edge = [&](std::size_t x) { out[x] = weigh(at(x, -2), at(x, -1), at(x, 0), at(x, 1), at(x, 2)); };
    std::size_t const reach = std::min(2 * step, width), end = std::max(reach, width - reach);
    for (std::size_t x = 0; x < reach; ++x) at_edge(x);
    for (std::size_t x = reach; x < end; ++x)
        out[x] = weigh(row[x - 2 * step], row[x - step], row[x], row[x + step], row[x + 2 * step]);
    for (std::size_t x = end; x < width; ++x) at_edge(x);
}

/// Rows of a plane, each smoothed along itself and then with those about it.
class RowSmoother {
public:
    RowSmoother(std::span<float const> plane, std::size_t width, std::size_t height, std::size_t step,
                std::span<float> smooth)
        : plane_(plane), width_(width), height_(height), step_(step), smooth_(smooth)
    {
    }

    VOLPT_VECTOR_CLONES void smooth(std::size_t first, std::size_t end) const
    {
        // A place for each row that the taps of these rows meet.
        std::size_t const reach = 2 * step_, from = first > reach ? first - reach : 0;
        std::size_t const to = std::min(end + reach, height_);
        std::vector<float> across((to - from) * width_);
        for (std::size_t y = from; y < to; ++y)
            smooth_row(plane_.data() + y * width_, width_, step_, across.data() + (y - from) * width_);
        for (std::size_t y = first; y < end; ++y) {
            auto const row_at = [&](std::ptrdiff_t by) {
                std::size_t const row = find_tap(y, by * static_cast<std::ptrdiff_t>(step_), height_);
                return across.data() + (row - from) * width_;
            };
            float const *a = row_at(-2), *b = row_at(-1), *c = row_at(0), *d = row_at(1), *e = row_at(2);
            float* const out = smooth_.data() + y * width_;
            for (std::size_t x = 0; x < width_; ++x) out[x] = weigh(a[x], b[x], c[x], d[x], e[x]);
        }
    }

private:
    std::span<float const> plane_;
    std::size_t width_, height_, step_;
    std::span<float> smooth_;
};

} // namespace

std::vector<float> smooth_plane(std::span<float const> plane, std::size_t width, std::size_t height, std::size_t step,
                                int threads)
{
    std::vector<float> smooth(plane.size());
    RowSmoother const smoother(plane, width, height, step, smooth);
    parallel_for_rows(threads, static_cast<int>(height), kSmoothedRows, [&](RowRange rows) {
        smoother.smooth(static_cast<std::size_t>(rows.first), static_cast<std::size_t>(rows.end));
    });
    return smooth;
}

} // namespace volpt
