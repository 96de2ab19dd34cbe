#include "tools/volprep/choices/number_choice.h"

#include "libvolpt/medium/curves/piecewise_curve.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/source/value_statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace volpt {
namespace {

// Skin and bone of a CT: thin skin and muscles, so that bones show through.
constexpr char kSkinAndBone[] = "-400:0,-150:0.004,120:0.006,220:0.3,400:1";
constexpr char kSkinAndBoneAlbedo[] =
    "-300:0.93:0.72:0.62,80:0.9:0.55:0.45,160:0.93:0.7:0.6,300:0.985:0.96:0.9,1000:0.99:0.975:0.94";
constexpr double kBonePaths = 400; ///< free paths of bone along the mean side of the box

// Free paths through a volume, along those of its columns that are denser than 90 % of them.
constexpr double kSmokePaths = 8, kSolidPaths = 120;
constexpr std::size_t kBins = 1024;

std::string spell_number(double value)
{
    return fmt::format("{:.4g}", value);
}

std::array<double, 3> find_size_mm(SourceMeta const& source)
{
    std::array<double, 3> const pitch_mm = source.pitch_mm.value_or(std::array<double, 3>{1, 1, 1});
    return {source.dims[0] * pitch_mm[0], source.dims[1] * pitch_mm[1], source.dims[2] * pitch_mm[2]};
}

using TakeLayers = std::function<void(int z_first, int z_count, std::span<float const> values)>;

void read_layers(VolumeSource& source, ProgressSink const& progress, TakeLayers const& take)
{
    constexpr int kLayers = 8;
    auto const [nx, ny, nz] = source.meta().dims;
    std::size_t const layer =
        std::size_t(source.meta().channels) * static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny);
    std::vector<float> values(layer * kLayers);
    for (int z = 0; z < nz; z += kLayers) {
        int const count = std::min(kLayers, nz - z);
        std::span<float> const part(values.data(), layer * static_cast<std::size_t>(count));
        source.read_slab(z, count, part);
        take(z, count, part);
        if (progress && !progress({static_cast<std::uint64_t>(z + count), static_cast<std::uint64_t>(nz), "slices"}))
            fail_system("interrupted", source.meta().path);
    }
}

/// Sum of densities times lengths along each column of the volume, x, y and z.
class ColumnSums {
public:
    explicit ColumnSums(SourceMeta const& source) : dims_(source.dims)
    {
        std::array<double, 3> const size_mm = find_size_mm(source);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            pitch_mm_[axis] = size_mm[axis] / dims_[axis];
            std::size_t const a = (axis + 1) % 3, b = (axis + 2) % 3;
            sums_[axis].resize(static_cast<std::size_t>(dims_[a]) * static_cast<std::size_t>(dims_[b]));
        }
    }

    void add(int x, int y, int z, double density)
    {
        std::array<int, 3> const at{x, y, z};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            std::size_t const a = (axis + 1) % 3, b = (axis + 2) % 3;
            std::size_t const column =
                static_cast<std::size_t>(at[b]) * static_cast<std::size_t>(dims_[a]) + static_cast<std::size_t>(at[a]);
            sums_[axis][column] += static_cast<float>(density * pitch_mm_[axis]);
        }
    }

    /// Of the columns that are not empty, what 90 % of them do not exceed; 0 if all are.
    double find_dense()
    {
        std::vector<float> depths;
        for (std::vector<float> const& sums : sums_)
            std::ranges::copy_if(sums, std::back_inserter(depths), [](float sum) { return sum > 0; });
        if (depths.empty()) return 0;
        auto const dense = depths.begin() + static_cast<std::ptrdiff_t>(depths.size() * 9 / 10);
        std::ranges::nth_element(depths, dense);
        return static_cast<double>(*dense);
    }

private:
    std::array<int, 3> dims_;
    std::array<double, 3> pitch_mm_{};
    std::array<std::vector<float>, 3> sums_;
};

double measure_columns(VolumeSource& source, std::function<double(double)> const& find_density,
                       ProgressSink const& progress)
{
    ColumnSums columns(source.meta());
    auto const [nx, ny, nz] = source.meta().dims;
    read_layers(source, progress, [&, nx = nx, ny = ny](int z_first, int z_count, std::span<float const> values) {
        std::size_t i = 0;
        for (int z = z_first; z < z_first + z_count; ++z)
            for (int y = 0; y < ny; ++y)
                for (int x = 0; x < nx; ++x, ++i) {
                    double const density = std::isfinite(values[i]) ? find_density(static_cast<double>(values[i])) : 0;
                    if (density > 0) columns.add(x, y, z, density);
                }
    });
    return columns.find_dense();
}

/// Counts of the numbers from `low` to `high`, the others at its ends.
struct NumberCounts {
    double low = 0, high = 1;
    std::vector<std::uint64_t> counts = std::vector<std::uint64_t>(kBins);

    double value_at(std::size_t bin) const
    {
        return low + (high - low) * (static_cast<double>(bin) + 0.5) / static_cast<double>(kBins);
    }
};

NumberCounts count_numbers(VolumeSource& source, ChannelStatistics const& statistics, ProgressSink const& progress)
{
    // The ends without the rarest: one wild number would leave the others a few bins.
    NumberCounts numbers{statistics.percentiles.front(), statistics.percentiles.back()};
    if (!(numbers.low < numbers.high))
        std::tie(numbers.low, numbers.high) = std::tie(statistics.minimum, statistics.maximum);
    if (!(numbers.low < numbers.high)) return numbers;
    read_layers(source, progress, [&](int, int, std::span<float const> values) {
        for (float const value : values) {
            if (!std::isfinite(value)) continue;
            double const share = (static_cast<double>(value) - numbers.low) / (numbers.high - numbers.low);
            double const bin = std::clamp(share * static_cast<double>(kBins), 0.0, static_cast<double>(kBins - 1));
            ++numbers.counts[static_cast<std::size_t>(bin)];
        }
    });
    return numbers;
}

/// The bin that separates background and object best: the largest variance between the two (Otsu 1979).
std::size_t separate_background(NumberCounts const& numbers)
{
    double all = 0, sum = 0;
    for (std::size_t bin = 0; bin < kBins; ++bin) {
        all += static_cast<double>(numbers.counts[bin]);
        sum += static_cast<double>(numbers.counts[bin]) * static_cast<double>(bin);
    }
    double below = 0, sum_below = 0, best = -1;
    std::size_t threshold = 0;
    for (std::size_t bin = 0; bin + 1 < kBins; ++bin) {
        below += static_cast<double>(numbers.counts[bin]);
        sum_below += static_cast<double>(numbers.counts[bin]) * static_cast<double>(bin);
        if (below == 0 || below == all) continue;
        double const difference = sum_below / below - (sum - sum_below) / (all - below);
        double const variance = below * (all - below) * difference * difference;
        if (variance > best) {
            best = variance;
            threshold = bin;
        }
    }
    return threshold;
}

/// From the background to the 99th percentile of what is above it.
std::array<double, 2> find_window(NumberCounts const& numbers, bool are_integers)
{
    std::size_t const threshold = separate_background(numbers);
    std::uint64_t above = 0, background = 0;
    double sum = 0;
    for (std::size_t bin = 0; bin < kBins; ++bin) {
        if (bin > threshold) above += numbers.counts[bin];
        if (bin > threshold) continue;
        background += numbers.counts[bin];
        sum += static_cast<double>(numbers.counts[bin]) * numbers.value_at(bin);
    }
    std::size_t top = threshold + 1;
    for (std::uint64_t seen = 0; top + 1 < kBins; ++top)
        if ((seen += numbers.counts[top]) * 100 >= above * 99) break;
    // What the background's mean and the threshold have between them is its noise.
    double const mean = background > 0 ? sum / static_cast<double>(background) : numbers.low;
    double low = (mean + 2 * numbers.value_at(threshold)) / 3, high = numbers.value_at(top);
    if (are_integers) {
        low = std::floor(low);
        high = std::max(std::ceil(high), low + 1);
    }
    return {low, high};
}

bool are_hounsfield(ChannelStatistics const& statistics, SourceMeta const& source)
{
    return source.element != ElementType::u8 && statistics.are_integers && statistics.minimum < -700 &&
           statistics.minimum >= -8192 && statistics.maximum > 300 && statistics.maximum <= 65535;
}

class NumberChoice {
public:
    NumberChoice(SourceOpener const& open, GivenTest const& is_given, ProgressSink const& progress)
        : open_(open), is_given_(is_given), progress_(progress)
    {
    }

    AutoChoice choose(bool is_smoke)
    {
        auto source = open_();
        meta_ = source->meta();
        ChannelStatistics const statistics = measure_values(*source, progress_).front();
        bool const has_bad = statistics.nan > 0 || statistics.infinite > 0;
        if (has_bad) add("clamp", "");
        if (statistics.finite == 0) return std::move(choice_);
        bool const is_mapped = is_given_("window") || is_given_("opacity");
        if (is_mapped)
            choice_.reason = "extinction by the size of the volume";
        else if (is_smoke)
            choose_smoke(has_bad || statistics.minimum < 0);
        else if (are_hounsfield(statistics, meta_))
            choose_hounsfield();
        else
            choose_window(statistics);
        if (is_mapped) add_scale(kSolidPaths / mean_side_mm());
        if (!has_albedo_ && !is_given_("transfer") && !is_given_("albedo-curve") && !is_given_("albedo-grid"))
            add("albedo", "0.95,0.95,0.95"); // in colour, so that coloured light shows
        return std::move(choice_);
    }

private:
    void add(char const* name, std::string value)
    {
        if (!is_given_(name)) choice_.options.push_back({name, std::move(value)});
    }
    void add_scale(double scale) { add("scale", spell_number(scale)); }

    double mean_side_mm() const
    {
        auto const size_mm = find_size_mm(meta_);
        return std::cbrt(size_mm[0] * size_mm[1] * size_mm[2]);
    }

    void choose_smoke(bool has_negative)
    {
        if (has_negative) add("clamp", "");
        double const dense = measure_columns(
            *open_(), [](double value) { return std::max(value, 0.0); }, progress_);
        if (dense > 0) add_scale(kSmokePaths / dense);
        choice_.reason = fmt::format("densities, whose thick parts are {:g} free paths deep", kSmokePaths);
    }

    void choose_hounsfield()
    {
        choice_.reason = "Hounsfield numbers, as skin and bone";
        add("opacity", kSkinAndBone);
        if (!is_given_("albedo") && !is_given_("transfer")) add("albedo-curve", kSkinAndBoneAlbedo);
        has_albedo_ = true;
        add_scale(kBonePaths / mean_side_mm());
    }

    void choose_window(ChannelStatistics const& statistics)
    {
        NumberCounts const numbers = count_numbers(*open_(), statistics, progress_);
        // One number everywhere has no background.
        bool const is_even = statistics.minimum == statistics.maximum && statistics.minimum > 0;
        auto const [low, high] =
            is_even ? std::array{0.0, statistics.maximum} : find_window(numbers, statistics.are_integers);
        if (low < high) add("window", spell_number(low) + "," + spell_number(high));
        auto const find_density = [low = low, high = high](double value) {
            return low < high ? std::clamp((value - low) / (high - low), 0.0, 1.0) : 1.0;
        };
        double const dense = measure_columns(*open_(), find_density, progress_);
        if (dense > 0) add_scale(kSolidPaths / dense);
        choice_.reason = "numbers from the background to the 99th percentile above it";
    }

    SourceOpener const& open_;
    GivenTest const& is_given_;
    ProgressSink const& progress_;
    SourceMeta meta_;
    AutoChoice choice_;
    bool has_albedo_ = false;
};

} // namespace

AutoChoice choose_for_numbers(SourceOpener const& open, bool is_smoke, GivenTest const& is_given,
                              ProgressSink const& progress)
{
    return NumberChoice(open, is_given, progress).choose(is_smoke);
}

} // namespace volpt
