#include "libvolpt/denoise/smooth_plane.h"

#include "libvolpt/sys/parallel.h"

#include <algorithm>

namespace volpt {
namespace {

constexpr int kRowsPerPiece = 16;

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

} // namespace

std::vector<float> smooth_plane(std::span<float const> plane, std::size_t width, std::size_t height, std::size_t step,
                                int threads)
{
    std::vector<float> across(plane.size()), smooth(plane.size());
    parallel_for_rows(threads, static_cast<int>(height), kRowsPerPiece, [&](RowRange rows) {
        for (auto y = static_cast<std::size_t>(rows.first); y < static_cast<std::size_t>(rows.end); ++y)
            smooth_row(plane.data() + y * width, width, step, across.data() + y * width);
    });
    parallel_for_rows(threads, static_cast<int>(height), kRowsPerPiece, [&](RowRange rows) {
        for (auto y = static_cast<std::size_t>(rows.first); y < static_cast<std::size_t>(rows.end); ++y) {
            auto const row_at = [&](std::ptrdiff_t by) {
                return across.data() + find_tap(y, by * static_cast<std::ptrdiff_t>(step), height) * width;
            };
            float const *a = row_at(-2), *b = row_at(-1), *c = row_at(0), *d = row_at(1), *e = row_at(2);
            float* const out = smooth.data() + y * width;
            for (std::size_t x = 0; x < width; ++x) out[x] = weigh(a[x], b[x], c[x], d[x], e[x]);
        }
    });
    return smooth;
}

} // namespace volpt
