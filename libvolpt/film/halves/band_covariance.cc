#include "libvolpt/film/halves/band_covariance.h"

#include "libvolpt/film/film_banks.h"
#include "libvolpt/film/film_stats.h"
#include "libvolpt/film/halves/half_samples.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

constexpr std::uint32_t kBands = 3;
constexpr std::uint32_t kSquareEdge = 8; // divides a file tile: all pixels of a square have the same samples
static_assert(kFileTileEdge % kSquareEdge == 0);
/// What is left of the noise where it is the same in all bands is known to an eighth in standard deviation.
constexpr double kLeastPixels = 64;
constexpr std::array<std::array<std::size_t, 2>, 3> kPairs{{{0, 1}, {0, 2}, {1, 2}}};

/// Of differences in units of their standard errors.
struct Products {
    std::array<double, 3> squares{}, pairs{};
    double pixels = 0;

    void add(Products const& other)
    {
        for (std::size_t i = 0; i < 3; ++i) {
            squares[i] += other.squares[i];
            pairs[i] += other.pairs[i];
        }
        pixels += other.pixels;
    }
    bool knows(std::size_t pair) const
    {
        return pixels >= kLeastPixels && squares[kPairs[pair][0]] > 0 && squares[kPairs[pair][1]] > 0;
    }
    bool knows_band(std::size_t band) const { return pixels >= kLeastPixels && squares[band] > 0; }
};

/// Of the means of both sides of a sum, in units of the sum; 0 if one side has no samples.
double subtract_means(std::uint64_t sum, std::uint64_t half_sum, HalfCounts const& counts)
{
    if (!counts.is_split()) return 0;
    return static_cast<double>(half_sum) / static_cast<double>(counts.half) -
           static_cast<double>(sum - half_sum) / static_cast<double>(counts.rest());
}

class HalfReader {
public:
    explicit HalfReader(Film const& film)
        : film_(film), tiles_(count_halves(film)), particles_(add_up_halves(film, tiles_)),
          banks_(measure_bank_errors(film)), plane_(std::size_t{film.width()} * film.height())
    {
        for (std::size_t band = 0; band < kBands; ++band) readers_.emplace_back(film, band);
    }

    void add_pixel(std::uint32_t x, std::uint32_t y, Products& products) const
    {
        std::size_t const tile = tile_index(film_, x, y), pixel = std::size_t{y} * film_.width() + x;
        bool const is_particles = film_.scene().integrator == Integrator::light;
        HalfCounts const& counts = is_particles ? particles_ : tiles_[tile];
        if (!counts.is_split()) return;
        std::array<double, kBands> difference{};
        for (std::size_t band = 0; band < kBands; ++band) {
            PixelSums const sums = readers_[band].read(pixel, tiles_[tile].all);
            double const variance =
                full_variance_of_mean(sums, film_.sum_log2(), film_.square_log2(), banks_.pixel_variance(tile, band));
            if (variance > 0) difference[band] = subtract_halves(pixel, band, counts) / std::sqrt(variance);
        }
        if (std::ranges::all_of(difference, [](double value) { return value == 0; })) return;
        double const all = static_cast<double>(counts.all), half = static_cast<double>(counts.half);
        double const scale = half * (all - half) / (all * all); // from the variance of the difference to the mean's
        for (std::size_t i = 0; i < 3; ++i) {
            products.squares[i] += scale * difference[i] * difference[i];
            products.pairs[i] += scale * difference[kPairs[i][0]] * difference[kPairs[i][1]];
        }
        products.pixels += 1;
    }

private:
    double subtract_halves(std::size_t pixel, std::size_t band, HalfCounts const& counts) const
    {
        std::size_t const i = band * plane_ + pixel;
        double difference = subtract_means(film_.sums[i], film_.half_sums[i], counts);
        if (film_.scene().integrator == Integrator::bdpt) {
            std::size_t const splat = (film_.bands() + band) * plane_ + pixel;
            difference +=
                subtract_means(film_.sums[splat], film_.half_sums[splat], particles_) * static_cast<double>(plane_);
        } else if (film_.scene().integrator == Integrator::light) {
            difference *= static_cast<double>(plane_);
        }
        return std::ldexp(difference, -film_.sum_log2());
    }

    Film const& film_;
    std::vector<HalfCounts> tiles_;
    HalfCounts particles_;
    BankErrors banks_;
    std::size_t plane_; ///< pixels
    std::vector<BandReader> readers_;
};

/// By square, row by row.
std::vector<Products> add_up_squares(Film const& film, std::size_t columns, std::size_t rows, int threads)
{
    HalfReader const reader(film);
    std::vector<Products> squares(columns * rows);
    parallel_for_rows(threads, static_cast<int>(rows), 1, [&](RowRange part) {
        auto const first = static_cast<std::uint32_t>(part.first) * kSquareEdge;
        std::uint32_t const end = std::min(film.height(), static_cast<std::uint32_t>(part.end) * kSquareEdge);
        for (std::uint32_t y = first; y < end; ++y)
            for (std::uint32_t x = 0; x < film.width(); ++x)
                reader.add_pixel(x, y, squares[y / kSquareEdge * columns + x / kSquareEdge]);
    });
    return squares;
}

/// Of a square and those about it.
Products add_up_window(std::vector<Products> const& squares, std::size_t columns, std::size_t square)
{
    std::size_t const rows = squares.size() / columns, column = square % columns, row = square / columns;
    Products sum;
    for (std::size_t y = row > 0 ? row - 1 : 0; y <= std::min(row + 1, rows - 1); ++y)
        for (std::size_t x = column > 0 ? column - 1 : 0; x <= std::min(column + 1, columns - 1); ++x)
            sum.add(squares[y * columns + x]);
    return sum;
}

} // namespace

BandCovariances::BandCovariances(Film const& film, int threads)
    : width_(film.width()), columns_((film.width() + kSquareEdge - 1) / kSquareEdge)
{
    if (!film.keeps_half || film.bands() != kBands) return;
    std::size_t const rows = (film.height() + kSquareEdge - 1) / kSquareEdge;
    std::vector<Products> const squares = add_up_squares(film, columns_, rows, threads);
    Products whole;
    for (Products const& square : squares) whole.add(square);
    for (std::size_t pair = 0; pair < 3; ++pair)
        if (!whole.knows(pair)) return;
    squares_.resize(squares.size());
    for (std::size_t square = 0; square < squares.size(); ++square) {
        Products const window = add_up_window(squares, columns_, square);
        for (std::size_t pair = 0; pair < 3; ++pair) {
            Products const& known = squares[square].knows(pair) ? squares[square] : window.knows(pair) ? window : whole;
            squares_[square].pairs[pair] = static_cast<float>(known.pairs[pair] / known.pixels);
        }
        for (std::size_t band = 0; band < kBands; ++band) {
            Products const& known = squares[square].knows_band(band) ? squares[square]
                                    : window.knows_band(band)        ? window
                                                                     : whole;
            squares_[square].squares[band] = static_cast<float>(known.squares[band] / known.pixels);
        }
    }
}

Matrix3 BandCovariances::at(std::size_t pixel) const
{
    Coefficients const& square = squares_[pixel / width_ / kSquareEdge * columns_ + pixel % width_ / kSquareEdge];
    Matrix3 covariance{};
    for (std::size_t i = 0; i < 3; ++i) {
        covariance[i][i] = static_cast<double>(square.squares[i]);
        auto const [a, b] = kPairs[i];
        covariance[a][b] = covariance[b][a] = static_cast<double>(square.pairs[i]);
    }
    return covariance;
}

} // namespace volpt
