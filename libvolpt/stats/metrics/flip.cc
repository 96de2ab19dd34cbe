// LDR-FLIP tile by tile, so that the filtered rows of a tile stay in the cache; the filters are separable.
#include "libvolpt/stats/metrics/flip.h"
#include "libvolpt/image/linear_rgb.h"

#include "libvolpt/colour/vector_clones.h"
#include "libvolpt/stats/metrics/flip_kernels.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>

namespace volpt {
namespace {

constexpr int kTileWidth = 512, kTileHeight = 270;

/// What the filters make of a row of pixels of one picture.
struct Seen {
    std::vector<float> luminance, red_green, blue_yellow; ///< relative Y, X - Y and Y - Z
    std::vector<float> edge, point;                       ///< magnitudes
};

/// The tile [x_first, x_end) of one picture, whose rows are pushed from the top, margins included.
class Observer {
public:
    Observer(DisplayedRow const& load, int width, int x_first, int x_end, FlipKernels const& kernels)
        : load_(load), width_(width), x_first_(x_first), count_(static_cast<std::size_t>(x_end - x_first)),
          padded_(count_ + 2 * static_cast<std::size_t>(kernels.radius)), kernels_(kernels),
          rings_(7, RowRing(count_, 2 * kernels.radius + 1))
    {
        for (auto& row : input_) row.resize(padded_);
        for (auto* row : {&seen_.luminance, &seen_.red_green, &seen_.blue_yellow, &seen_.edge, &seen_.point, &other_})
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

    /// Of row y, for the caller to change; rows y - radius .. y + radius have been pushed.
    Seen& look(int y)
    {
        filter(0, y, kernels_.luminance, seen_.luminance);
        filter(1, y, kernels_.red_green, seen_.red_green);
        filter(2, y, kernels_.blue_yellow_wide, seen_.blue_yellow);
        filter(3, y, kernels_.blue_yellow_narrow, other_);
        for (std::size_t i = 0; i < count_; ++i) seen_.blue_yellow[i] += other_[i];
        take_magnitude(4, kernels_.edge, 5, y, seen_.edge);
        take_magnitude(4, kernels_.point, 6, y, seen_.point);
        return seen_;
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

    /// Relative Y, X - Y, Y - Z of the row, with margins that repeat the picture's outermost pixels.
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
    Seen seen_;
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

/// Turns luminance, red_green and blue_yellow into what perceive makes of them.
VOLPT_VECTOR_CLONES void perceive_row(Seen& seen)
{
    float* const first = seen.luminance.data();
    float* const second = seen.red_green.data();
    float* const third = seen.blue_yellow.data();
    for (std::size_t i = 0; i < seen.luminance.size(); ++i) {
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

/// Of green and blue, the largest distance there is on the display.
float largest_distance()
{
    return fast::pow(measure_hyab(perceive(to_relative_xyz({0, 1, 0})), perceive(to_relative_xyz({0, 0, 1}))),
                     kColourExponent);
}

/// Section 4.1.4: distances of perceived colours, redistributed to 0..1.
VOLPT_VECTOR_CLONES void compare_colours(Seen const& test, Seen const& reference, float largest, float* error)
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

/// Sections 4.2 and 4.3: differences of features sharpen those of colour.
VOLPT_VECTOR_CLONES void sharpen_by_features(Seen const& test, Seen const& reference, float* error)
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

void measure_flip(DisplayedPair const& pair, MetricSettings const& settings, std::span<float> map)
{
    FlipKernels const kernels = make_flip_kernels(settings.pixels_per_degree);
    float const largest = largest_distance();
    int const columns = (pair.width + kTileWidth - 1) / kTileWidth;
    int const rows = (pair.height + kTileHeight - 1) / kTileHeight;
    for_each_piece(
        settings.threads, static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), [&](std::size_t tile) {
            int const x_first = static_cast<int>(tile) % columns * kTileWidth;
            int const x_end = std::min(x_first + kTileWidth, pair.width);
            int const y_first = static_cast<int>(tile) / columns * kTileHeight;
            int const y_end = std::min(y_first + kTileHeight, pair.height);
            Observer test(pair.test, pair.width, x_first, x_end, kernels);
            Observer reference(pair.reference, pair.width, x_first, x_end, kernels);
            for (int y = y_first - kernels.radius; y < y_end + kernels.radius; ++y) {
                int const source_row = std::clamp(y, 0, pair.height - 1);
                test.push_row(y, source_row);
                reference.push_row(y, source_row);
                int const done = y - kernels.radius;
                if (done < y_first) continue;
                Seen& t = test.look(done);
                Seen& r = reference.look(done);
                perceive_row(t);
                perceive_row(r);
                float* const error =
                    map.data() + static_cast<std::size_t>(done) * static_cast<std::size_t>(pair.width) + x_first;
                compare_colours(t, r, largest, error);
                sharpen_by_features(t, r, error);
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
