// Percentiles by radix selection: the numbers, as integers that ascend with them, are counted by their upper 16 bits,
// and then, for the few counters that hold a percentile, by their lower 16 bits.
#include "libvolpt/volume/source/value_statistics.h"

#include "libvolpt/core/encoding.hd.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/source/distinct_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace volpt {
namespace {

constexpr int kLayersAtATime = 8;
constexpr std::size_t kMostBins = 32;
constexpr std::size_t kCounters = std::size_t{1} << 16;

/// Ascends with the float, which is not NaN.
std::uint32_t make_key(float value)
{
    std::uint32_t const bits = bits_from_float(value + 0.0f);
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

double value_of_key(std::uint32_t key)
{
    return static_cast<double>(float_from_bits((key & 0x80000000u) != 0 ? key & 0x7fffffffu : ~key));
}

/// From 1 on: the least rank in ascending order that is at least `permille` of `count` numbers, which are below 2^48.
std::uint64_t find_rank(std::uint64_t permille, std::uint64_t count)
{
    return (permille * count + 999) / 1000;
}

/// Bins for numbers in minimum .. maximum.
ValueHistogram plan_histogram(ChannelStatistics const& channel)
{
    ValueHistogram histogram{channel.minimum, 0, {}};
    double const range = channel.maximum - channel.minimum;
    std::size_t bins = range > 0 ? kMostBins : 1;
    histogram.bin_width = range / kMostBins;
    if (range > 0 && channel.are_integers) {
        histogram.bin_width = std::ceil((range + 1) / kMostBins);
        bins = std::min(kMostBins, static_cast<std::size_t>(std::floor(range / histogram.bin_width)) + 1);
    }
    histogram.counts.assign(channel.finite > 0 ? bins : 0, 0);
    return histogram;
}

void add_to_histogram(ValueHistogram& histogram, double value, std::uint64_t count)
{
    double const bin = histogram.bin_width > 0 ? std::floor((value - histogram.low) / histogram.bin_width) : 0;
    histogram.counts[std::min(static_cast<std::size_t>(bin), histogram.counts.size() - 1)] += count;
}

class ChannelCounter {
public:
    ChannelCounter() : upper_(kCounters, 0)
    {
        statistics_.minimum = std::numeric_limits<double>::infinity();
        statistics_.maximum = -statistics_.minimum;
    }

    void count(float value)
    {
        if (std::isnan(value)) {
            ++statistics_.nan;
            return;
        }
        if (!std::isfinite(value)) {
            ++statistics_.infinite;
            return;
        }
        auto const v = static_cast<double>(value + 0.0f);
        ++statistics_.finite;
        statistics_.minimum = std::min(statistics_.minimum, v);
        statistics_.maximum = std::max(statistics_.maximum, v);
        sum_ += v;
        statistics_.are_integers = statistics_.are_integers && v == std::floor(v);
        ++upper_[make_key(value) >> 16];
        distinct_.add(value);
    }

    /// To be called after the last number; true if all numbers are to be refined, too.
    bool finish_first_pass()
    {
        if (statistics_.finite == 0) statistics_.minimum = statistics_.maximum = 0;
        if (statistics_.finite > 0) statistics_.mean = sum_ / static_cast<double>(statistics_.finite);
        statistics_.histogram = plan_histogram(statistics_);
        if (!distinct_.are_too_many()) {
            read_distinct();
            return false;
        }
        plan_refinement();
        return true;
    }

    void refine(float value)
    {
        if (lower_.empty() || !std::isfinite(value)) return;
        add_to_histogram(statistics_.histogram, static_cast<double>(value), 1);
        std::uint32_t const key = make_key(value);
        if (std::uint8_t const slot = slots_[key >> 16]; slot > 0) ++lower_[slot - 1][key & 0xffffu];
    }

    /// To be called after the last number was refined.
    void finish_second_pass()
    {
        for (Wanted const& wanted : wanted_) {
            auto const& counts = lower_[slots_[wanted.upper] - 1];
            std::uint64_t below = 0;
            std::uint32_t lower = 0;
            while (lower + 1 < kCounters && below + counts[lower] < wanted.rank) below += counts[lower++];
            statistics_.percentiles.push_back(value_of_key(wanted.upper << 16 | lower));
        }
    }

    ChannelStatistics const& statistics() const { return statistics_; }

private:
    /// A percentile: the counter that holds it, and its rank in there.
    struct Wanted {
        std::uint32_t upper = 0;
        std::uint64_t rank = 0;
    };

    /// Everything, if the numbers are few.
    void read_distinct()
    {
        auto const values = distinct_.sort();
        statistics_.distinct = values.size();
        for (auto const& [value, count] : values)
            add_to_histogram(statistics_.histogram, static_cast<double>(value), count);
        if (values.empty()) return;
        for (int const permille : kPermilles) {
            std::uint64_t const rank = find_rank(static_cast<std::uint64_t>(permille), statistics_.finite);
            std::uint64_t reached = 0;
            auto const found =
                std::ranges::find_if(values, [&](auto const& v) { return (reached += v.second) >= rank; });
            statistics_.percentiles.push_back(static_cast<double>(found->first));
        }
    }

    void plan_refinement()
    {
        slots_.assign(kCounters, 0);
        for (int const permille : kPermilles) {
            Wanted wanted{0, find_rank(static_cast<std::uint64_t>(permille), statistics_.finite)};
            while (upper_[wanted.upper] < wanted.rank) wanted.rank -= upper_[wanted.upper++];
            if (slots_[wanted.upper] == 0) {
                lower_.emplace_back(kCounters, 0);
                slots_[wanted.upper] = static_cast<std::uint8_t>(lower_.size());
            }
            wanted_.push_back(wanted);
        }
    }

    ChannelStatistics statistics_;
    double sum_ = 0;
    DistinctValues distinct_;
    std::vector<std::uint64_t> upper_; ///< by the upper 16 bits of the key
    std::vector<Wanted> wanted_;
    std::vector<std::uint8_t> slots_; ///< by upper bits: 1 + the index in lower_, or 0
    std::vector<std::vector<std::uint64_t>> lower_;
};

/// Calls `take` for the numbers of each channel, in the order of the file.
template <typename Take>
void read_values(VolumeSource& source, ProgressSink const& progress, std::vector<ChannelCounter>& counters, Take take)
{
    auto const [nx, ny, nz] = source.meta().dims;
    std::size_t const layer = static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny) * counters.size();
    std::vector<float> values(layer * static_cast<std::size_t>(std::min(kLayersAtATime, nz)));
    for (int z = 0, count = 0; z < nz; z += count) {
        count = std::min(kLayersAtATime, nz - z);
        auto const slab = std::span(values).first(layer * static_cast<std::size_t>(count));
        source.read_slab(z, count, slab);
        for (std::size_t i = 0; i < slab.size(); i += counters.size())
            for (std::size_t channel = 0; channel < counters.size(); ++channel)
                take(counters[channel], slab[i + channel]);
        if (progress && !progress({static_cast<std::uint64_t>(z + count), static_cast<std::uint64_t>(nz), "slices"}))
            fail_system("stopped before all numbers were counted", source.meta().path, "start again");
    }
}

} // namespace

std::vector<ChannelStatistics> measure_values(VolumeSource& source, ProgressSink const& progress)
{
    std::vector<ChannelCounter> counters(static_cast<std::size_t>(source.meta().channels));
    read_values(source, progress, counters, [](ChannelCounter& counter, float value) { counter.count(value); });
    bool is_complete = true;
    for (ChannelCounter& counter : counters)
        if (counter.finish_first_pass()) is_complete = false;
    if (!is_complete)
        read_values(source, progress, counters, [](ChannelCounter& counter, float value) { counter.refine(value); });
    std::vector<ChannelStatistics> statistics;
    for (ChannelCounter& counter : counters) {
        counter.finish_second_pass();
        statistics.push_back(counter.statistics());
    }
    return statistics;
}

} // namespace volpt
