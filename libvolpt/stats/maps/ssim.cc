// Row by row: the weighted moments of a row of windows, then their similarity.
#include "libvolpt/stats/maps/ssim.h"

#include "libvolpt/colour/vector_math.h"
#include "libvolpt/image/convolve.h"
#include "libvolpt/stats/maps/pixel_maps.h"

#include <algorithm>

namespace volpt {
namespace {

constexpr int kRowsPerPiece = 64;

/// Weighted sums of t, r, t^2 + r^2 and t r, which are all that SSIM needs, over windows along a row or across rows.
using Moments = std::array<std::vector<float>, 4>;

class Windows {
public:
    Windows(Plane test, Plane reference)
        : test_(test), reference_(reference), width_(static_cast<std::size_t>(test.width)),
          count_(width_ - kSsimWindow + 1), rings_(4, RowRing(count_, kSsimWindow)), kernel_(make_gaussian(1.5, 5))
    {
        for (auto& values : products_) values.resize(width_);
        for (auto& values : moments_) values.resize(count_);
    }

    std::size_t count() const { return count_; }

    void push_row(int y)
    {
        float const* const t = test_.values.data() + static_cast<std::size_t>(y) * width_;
        float const* const r = reference_.values.data() + static_cast<std::size_t>(y) * width_;
        for (std::size_t x = 0; x < width_; ++x) {
            // About the middle of the range second moments lose less to rounding; variances are the same.
            float const a = t[x] - 0.5f, b = r[x] - 0.5f;
            products_[0][x] = a;
            products_[1][x] = b;
            products_[2][x] = a * a + b * b;
            products_[3][x] = a * b;
        }
        for (std::size_t i = 0; i < 4; ++i) convolve_row(products_[i].data(), count_, kernel_, rings_[i].row(y));
    }

    /// Moments of the windows centred on row y; rows y - 5 .. y + 5 have been pushed.
    Moments const& moments(int y)
    {
        for (std::size_t i = 0; i < 4; ++i)
            convolve_rows(rings_[i].around(y, kSsimWindow / 2), count_, kernel_, moments_[i].data());
        return moments_;
    }

private:
    Plane test_, reference_;
    std::size_t width_, count_;
    std::vector<RowRing> rings_;
    Kernel kernel_;
    Moments products_, moments_;
};

/// Equations 12 and 13 of the paper. Values that are not finite give NaN.
VOLPT_VECTOR_CLONES void relate(Moments const& moments, double peak, float* similarity, float* structure)
{
    auto const c1 = static_cast<float>(0.01 * 0.01 * peak * peak), c2 = static_cast<float>(0.03 * 0.03 * peak * peak);
    for (std::size_t i = 0; i < moments[0].size(); ++i) {
        float const a = moments[0][i], b = moments[1][i];
        float const covariance = moments[3][i] - a * b;
        float const variances = moments[2][i] - (a * a + b * b);
        float const t = a + 0.5f, r = b + 0.5f;
        structure[i] = (2 * covariance + c2) / (variances + c2);
        similarity[i] = structure[i] * ((2 * t * r + c1) / (t * t + r * r + c1));
    }
}

} // namespace

SsimMeans compare_structure(Plane test, Plane reference, double peak, int threads, std::span<float> map)
{
    constexpr int kMargin = kSsimWindow / 2;
    std::ranges::fill(map, std::numeric_limits<float>::quiet_NaN());
    double const unknown = std::numeric_limits<double>::quiet_NaN();
    if (test.width < kSsimWindow || test.height < kSsimWindow) return {unknown, unknown};

    int const rows = test.height - 2 * kMargin;
    std::vector<std::array<PairSum, 2>> sums(static_cast<std::size_t>(rows));
    parallel_for_rows(threads, rows, kRowsPerPiece, [&](RowRange piece) {
        Windows windows(test, reference);
        std::vector<float> similarity(windows.count()), structure(windows.count());
        for (int y = piece.first; y < piece.first + 2 * kMargin; ++y) windows.push_row(y);
        for (int row = piece.first; row < piece.end; ++row) {
            windows.push_row(row + 2 * kMargin);
            relate(windows.moments(row + kMargin), peak, similarity.data(), structure.data());
            auto const keep = [](double value, double) { return value; };
            sums[static_cast<std::size_t>(row)] = {sum_pairs(similarity, similarity, keep),
                                                   sum_pairs(structure, structure, keep)};
            if (!map.empty())
                std::ranges::copy(similarity,
                                  map.data() +
                                      static_cast<std::size_t>(row + kMargin) * static_cast<std::size_t>(test.width) +
                                      kMargin);
        }
    });
    std::array<PairSum, 2> total{};
    for (auto const& row : sums)
        for (std::size_t i = 0; i < 2; ++i) total[i].add(row[i]);
    return {total[0].mean(), total[1].mean()};
}

} // namespace volpt
