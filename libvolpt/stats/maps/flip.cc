// LDR-FLIP tile by tile, so that the filtered rows of a tile stay in the cache; the filters are separable.
#include "libvolpt/stats/maps/flip.h"

#include "libvolpt/image/convolve.h"
#include "libvolpt/image/linear_rgb.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <numbers>

namespace volpt {
namespace {

constexpr int kTileWidth = 512, kTileHeight = 270;
constexpr double kPi = std::numbers::pi;
/// Contrast sensitivity, table 1 of the paper: a sqrt(pi / b) exp(-pi^2 x^2 / b), x in degrees.
struct Sensitivity {
    double a, b;
};
constexpr Sensitivity kLuminance{1, 0.0047}, kRedGreen{1, 0.0053}, kBlueYellow1{34.1, 0.04}, kBlueYellow2{13.5, 0.025};
constexpr double kFeatureWidthDegrees = 0.082;

/// The one-dimensional filter whose outer square is the two-dimensional one.
std::vector<double> sample(Sensitivity s, int radius, double pixels_per_degree)
{
    std::vector<double> weights;
    for (int x = -radius; x <= radius; ++x) {
        double const degrees = x / pixels_per_degree;
        weights.push_back(std::sqrt(s.a * std::sqrt(kPi / s.b)) * std::exp(-kPi * kPi * degrees * degrees / s.b));
    }
    return weights;
}

double sum_of(std::vector<double> const& weights)
{
    double sum = 0;
    for (double const weight : weights) sum += weight;
    return sum;
}

Kernel scale(std::vector<double> const& weights, double divisor)
{
    Kernel kernel;
    for (double const weight : weights) kernel.push_back(static_cast<float>(weight / divisor));
    return kernel;
}

/// Adds zeros on both sides up to `radius`.
std::vector<double> widen(std::vector<double> weights, int radius)
{
    auto const missing = static_cast<std::size_t>(radius) - weights.size() / 2;
    weights.insert(weights.begin(), missing, 0.0);
    weights.insert(weights.end(), missing, 0.0);
    return weights;
}

/// Divides so that positive weights sum to 1 and negative ones to -1.
Kernel balance(std::vector<double> const& weights)
{
    double positive = 0, negative = 0;
    for (double const weight : weights) (weight > 0 ? positive : negative) += std::abs(weight);
    Kernel kernel;
    for (double const weight : weights)
        kernel.push_back(static_cast<float>(weight == 0 ? 0 : weight / (weight > 0 ? positive : negative)));
    return kernel;
}

/// The filters (sections 4.1.1 and 4.2.1) as products of one-dimensional ones; all of the same radius, so that they
/// cover the same rows.
struct FlipKernels {
    Kernel luminance, red_green;                 ///< sum 1
    Kernel blue_yellow_wide, blue_yellow_narrow; ///< the outer squares of both, added, sum to 1
    Kernel gauss;                                ///< sum 1
    Kernel edge, point; ///< first and second derivative; positive weights sum to 1, negative to -1
    int radius = 0;
};

FlipKernels make_flip_kernels(double pixels_per_degree)
{
    double const deviation = 0.5 * kFeatureWidthDegrees * pixels_per_degree;
    int const feature_radius = static_cast<int>(std::ceil(3 * deviation));
    int const colour_radius =
        static_cast<int>(std::ceil(3 * std::sqrt(kBlueYellow1.b / (2 * kPi * kPi)) * pixels_per_degree));
    FlipKernels kernels;
    kernels.radius = std::max(feature_radius, colour_radius);

    auto const colour = [&](Sensitivity s) {
        return widen(sample(s, colour_radius, pixels_per_degree), kernels.radius);
    };
    kernels.luminance = scale(colour(kLuminance), sum_of(colour(kLuminance)));
    kernels.red_green = scale(colour(kRedGreen), sum_of(colour(kRedGreen)));
    auto const wide = colour(kBlueYellow1), narrow = colour(kBlueYellow2);
    double const total = std::sqrt(sum_of(wide) * sum_of(wide) + sum_of(narrow) * sum_of(narrow));
    kernels.blue_yellow_wide = scale(wide, total);
    kernels.blue_yellow_narrow = scale(narrow, total);

    std::vector<double> gauss, edge, point;
    for (int x = -feature_radius; x <= feature_radius; ++x) {
        gauss.push_back(std::exp(-x * x / (2 * deviation * deviation)));
        edge.push_back(-x * gauss.back());
        point.push_back((x * x / (deviation * deviation) - 1) * gauss.back());
    }
    kernels.gauss = scale(widen(gauss, kernels.radius), sum_of(gauss));
    kernels.edge = balance(widen(edge, kernels.radius));
    kernels.point = balance(widen(point, kernels.radius));
    return kernels;
}

/// A row of pixels of one picture after the filters.
struct FilteredRow {
    std::vector<float> luminance, red_green, blue_yellow; ///< relative Y, X - Y and Y - Z
    std::vector<float> edge, point;                       ///< magnitudes
};

/// Filters columns [x_first, x_end) of one picture, whose rows are pushed from the top, margins included.
class TileFilter {
public:
    TileFilter(DisplayedRow const& load, int width, int x_first, int x_end, FlipKernels const& kernels)
        : load_(load), width_(width), x_first_(x_first), count_(static_cast<std::size_t>(x_end - x_first)),
          padded_(count_ + 2 * static_cast<std::size_t>(kernels.radius)), kernels_(kernels),
          rings_(7, RowRing(count_, 2 * kernels.radius + 1))
    {
        for (auto& row : input_) row.resize(padded_);
        for (auto* row : {&filtered_.luminance, &filtered_.red_green, &filtered_.blue_yellow, &filtered_.edge,
                          &filtered_.point, &other_})
            row->resize(count_);
    }

    void push_row(int y, int source_row)
    {
        load_padded(source_row);
        std::array<std::pair<std::vector<float> const*, Kernel const*>, 7> const filters{
            {{&input_[0], &kernels_.luminance},
             {&input_[1], &kernels_.red_green},
             {&input_[2], &kernels_.blue_yellow_wide},
             {&input_[2], &kernels_.blue_yellow_narrow},
             {&input_[0], &kernels_.gauss},
             {&input_[0], &kernels_.edge},
             {&input_[0], &kernels_.point}}};
        for (std::size_t i = 0; i < filters.size(); ++i)
            convolve_row(filters[i].first->data(), count_, *filters[i].second, rings_[i].row(y));
    }

    /// Row y, which the caller may change; rows y - radius .. y + radius have been pushed.
    FilteredRow& filter_row(int y)
    {
        filter(0, y, kernels_.luminance, filtered_.luminance);
        filter(1, y, kernels_.red_green, filtered_.red_green);
        filter(2, y, kernels_.blue_yellow_wide, filtered_.blue_yellow);
        filter(3, y, kernels_.blue_yellow_narrow, other_);
        for (std::size_t i = 0; i < count_; ++i) filtered_.blue_yellow[i] += other_[i];
        take_magnitude(4, kernels_.edge, 5, y, filtered_.edge);
        take_magnitude(4, kernels_.point, 6, y, filtered_.point);
        return filtered_;
    }

private:
    void filter(std::size_t ring, int y, Kernel const& kernel, std::vector<float>& to)
    {
        convolve_rows(rings_[ring].around(y, kernels_.radius), count_, kernel, to.data());
    }

    /// Length of (derivative along the row, derivative across rows).
    void take_magnitude(std::size_t smooth, Kernel const& derivative, std::size_t derived, int y,
                        std::vector<float>& to)
    {
        filter(smooth, y, derivative, to);
        filter(derived, y, kernels_.gauss, other_);
        for (std::size_t i = 0; i < count_; ++i) to[i] = std::sqrt(to[i] * to[i] + other_[i] * other_[i]);
    }

    /// Relative Y, X - Y and Y - Z of the row; the margins repeat the outermost pixels of the picture.
    void load_padded(int source_row)
    {
        int const wanted = x_first_ - kernels_.radius;
        int const first = std::max(wanted, 0), end = std::min(wanted + static_cast<int>(padded_), width_);
        auto const left = static_cast<std::size_t>(first - wanted),
                   filled = left + static_cast<std::size_t>(end - first);
        load_(source_row, first, end, {input_[0].data() + left, input_[1].data() + left, input_[2].data() + left});
        for (std::size_t i = left; i < filled; ++i) {
            Colour const xyz = to_relative_xyz({input_[0][i], input_[1][i], input_[2][i]});
            input_[0][i] = xyz[1];
            input_[1][i] = xyz[0] - xyz[1];
            input_[2][i] = xyz[1] - xyz[2];
        }
        for (auto& row : input_) {
            std::fill(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(left), row[left]);
            std::fill(row.begin() + static_cast<std::ptrdiff_t>(filled), row.end(), row[filled - 1]);
        }
    }

    DisplayedRow const& load_;
    int width_, x_first_;
    std::size_t count_, padded_;
    FlipKernels const& kernels_;
    std::vector<RowRing> rings_;
    std::array<std::vector<float>, 3> input_;
    FilteredRow filtered_;
    std::vector<float> other_;
};

float clamp_to_unit(float value)
{
    return value < 0 ? 0.0f : value > 1 ? 1.0f : value;
}

/// L*a*b* after the Hunt effect (section 4.1.3), of a colour clamped to the display's cube.
[[gnu::always_inline]] inline Colour perceive(Colour xyz)
{
    Colour const rgb = to_linear_rgb(xyz);
    Colour const shown{clamp_to_unit(rgb[0]), clamp_to_unit(rgb[1]), clamp_to_unit(rgb[2])};
    Colour const lab = to_lab(to_relative_xyz(shown));
    return {lab[0], 0.01f * lab[0] * lab[1], 0.01f * lab[0] * lab[2]};
}

/// Replaces luminance, red_green and blue_yellow by the three values of perceive.
VOLPT_VECTOR_CLONES void perceive_row(FilteredRow& row)
{
    float* const first = row.luminance.data();
    float* const second = row.red_green.data();
    float* const third = row.blue_yellow.data();
    for (std::size_t i = 0; i < row.luminance.size(); ++i) {
        Colour const colour = perceive({first[i] + second[i], first[i], first[i] - third[i]});
        first[i] = colour[0];
        second[i] = colour[1];
        third[i] = colour[2];
    }
}

inline float measure_hyab(Colour one, Colour two)
{
    float const a = one[1] - two[1], b = one[2] - two[2];
    return std::abs(one[0] - two[0]) + std::sqrt(a * a + b * b);
}

constexpr float kColourExponent = 0.7f;

/// The largest distance of two colours of the display: that of green and blue.
float largest_distance()
{
    return fast::pow(measure_hyab(perceive(to_relative_xyz({0, 1, 0})), perceive(to_relative_xyz({0, 0, 1}))),
                     kColourExponent);
}

/// Section 4.1.4: distances of perceived colours, redistributed to 0..1.
VOLPT_VECTOR_CLONES void compare_colours(FilteredRow const& test, FilteredRow const& reference, float largest,
                                         float* error)
{
    constexpr float kKnee = 0.4f, kKneeError = 0.95f;
    float const knee = kKnee * largest;
    float const low_slope = kKneeError / knee, high_slope = (1 - kKneeError) / (largest - knee);
    float const* const t[3]{test.luminance.data(), test.red_green.data(), test.blue_yellow.data()};
    float const* const r[3]{reference.luminance.data(), reference.red_green.data(), reference.blue_yellow.data()};
    for (std::size_t i = 0; i < test.luminance.size(); ++i) {
        float const apart = measure_hyab({t[0][i], t[1][i], t[2][i]}, {r[0][i], r[1][i], r[2][i]});
        float const distance = fast::pow(apart, kColourExponent);
        error[i] = distance < knee ? distance * low_slope : kKneeError + (distance - knee) * high_slope;
    }
}

/// Sections 4.2 and 4.3: differences of edges and points raise the error of colours.
VOLPT_VECTOR_CLONES void raise_by_features(FilteredRow const& test, FilteredRow const& reference, float* error)
{
    float const* const t[2]{test.edge.data(), test.point.data()};
    float const* const r[2]{reference.edge.data(), reference.point.data()};
    for (std::size_t i = 0; i < test.edge.size(); ++i) {
        float const edges = std::abs(t[0][i] - r[0][i]), points = std::abs(t[1][i] - r[1][i]);
        float const feature = std::sqrt(0.707106781f * (edges > points ? edges : points));
        error[i] = fast::pow(error[i], 1 - feature);
    }
}

} // namespace

void measure_flip(DisplayedPair const& pair, double pixels_per_degree, int threads, std::span<float> map)
{
    FlipKernels const kernels = make_flip_kernels(pixels_per_degree);
    float const largest = largest_distance();
    int const columns = (pair.width + kTileWidth - 1) / kTileWidth;
    int const rows = (pair.height + kTileHeight - 1) / kTileHeight;
    parallel_for(threads, static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), [&](std::size_t tile) {
        int const x_first = static_cast<int>(tile) % columns * kTileWidth;
        int const x_end = std::min(x_first + kTileWidth, pair.width);
        int const y_first = static_cast<int>(tile) / columns * kTileHeight;
        int const y_end = std::min(y_first + kTileHeight, pair.height);
        TileFilter test(pair.test, pair.width, x_first, x_end, kernels);
        TileFilter reference(pair.reference, pair.width, x_first, x_end, kernels);
        for (int y = y_first - kernels.radius; y < y_end + kernels.radius; ++y) {
            int const source_row = std::clamp(y, 0, pair.height - 1);
            test.push_row(y, source_row);
            reference.push_row(y, source_row);
            int const done = y - kernels.radius;
            if (done < y_first) continue;
            FilteredRow& t = test.filter_row(done);
            FilteredRow& r = reference.filter_row(done);
            perceive_row(t);
            perceive_row(r);
            float* const error =
                map.data() + static_cast<std::size_t>(done) * static_cast<std::size_t>(pair.width) + x_first;
            compare_colours(t, r, largest, error);
            raise_by_features(t, r, error);
        }
    });
}

void load_clamped(Image const& image, int y, int x_first, int x_end, ColourRow to)
{
    load_linear_rgb(image, y, x_first, x_end, to);
    for (float* const row : {to.first, to.second, to.third})
        for (int i = 0; i < x_end - x_first; ++i) row[i] = clamp_to_unit(row[i]);
}

} // namespace volpt
