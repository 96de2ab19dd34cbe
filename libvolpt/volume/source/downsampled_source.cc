#include "libvolpt/volume/source/downsampled_source.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt {
namespace {

constexpr int kSourceLayers = 8; ///< that are read at a time, as in packing

std::size_t to_size(int count)
{
    return static_cast<std::size_t>(count);
}

void place_blocks(SourceMeta& meta, std::array<int, 3> const& factor,
                  std::optional<std::array<double, 3>> const& pitch_mm)
{
    // A source that may not go without a pitch is refused when it is placed.
    if (!pitch_mm && !meta.pitch_mm && meta.missing_pitch == MissingPitch::refused) return;
    if (!pitch_mm && !meta.pitch_mm)
        meta.notices.push_back("the source names no voxel size: 1 mm is assumed; --pitch says otherwise");
    auto const pitch = pitch_mm ? *pitch_mm : meta.pitch_mm.value_or(std::array<double, 3>{1, 1, 1});
    std::array<double, 3> first_voxel = meta.first_voxel_world_mm.value_or(std::array<double, 3>{});
    std::array<double, 3> block_mm{};
    for (std::size_t j = 0; j < 3; ++j) {
        double const steps = 0.5 * (factor[j] - 1) - (meta.first_voxel_world_mm ? 0 : 0.5 * (meta.dims[j] - 1));
        // Volumes keep their pitch as float.
        double const along = steps * static_cast<double>(static_cast<float>(pitch[j]));
        for (std::size_t i = 0; i < 3; ++i) first_voxel[i] += meta.rotation[3 * i + j] * along;
        block_mm[j] = pitch[j] * factor[j];
    }
    meta.first_voxel_world_mm = first_voxel;
    meta.pitch_mm = block_mm;
}

SourceMeta describe_blocks(SourceMeta meta, std::array<int, 3> const& factor, BlockValue value,
                           std::optional<std::array<double, 3>> const& pitch_mm)
{
    place_blocks(meta, factor, pitch_mm);
    bool is_partial = false;
    std::array<int, 3> const dims = meta.dims;
    for (std::size_t i = 0; i < 3; ++i) {
        is_partial = is_partial || dims[i] % factor[i] != 0;
        meta.dims[i] = (dims[i] + factor[i] - 1) / factor[i];
    }
    if (is_partial)
        meta.notices.push_back(fmt::format("blocks of {} do not divide {} voxels evenly: the last blocks are computed "
                                           "from fewer voxels, and the box is larger than the data",
                                           fmt::join(factor, "x"), fmt::join(dims, "x")));
    if (value == BlockValue::mean) meta.element = ElementType::f32;
    if (meta.job)
        for (PrintJob::Material& material : meta.job->materials) material.voxels.reset();
    return meta;
}

/// Along one axis: first and end of block `index`, within the source's `size`.
std::array<int, 2> find_block(int index, int factor, int size)
{
    return {index * factor, std::min(size, (index + 1) * factor)};
}

class DownsampledSource : public VolumeSource {
public:
    DownsampledSource(std::unique_ptr<VolumeSource> source, std::array<int, 3> const& factor, BlockValue value,
                      std::optional<std::array<double, 3>> const& pitch_mm)
        : VolumeSource(describe_blocks(source->meta(), factor, value, pitch_mm)), source_(std::move(source)),
          factor_(factor), source_dims_(source_->meta().dims), channels_(to_size(meta().channels))
    {
    }

    void use_threads(int threads) override { source_->use_threads(threads); }

    std::vector<std::string> list_notices() const override { return source_->list_notices(); }

    std::string describe_voxel(int x, int y, int z) const override
    {
        return fmt::format("{}, the first of a block of {}",
                           source_->describe_voxel(x * factor_[0], y * factor_[1], z * factor_[2]),
                           fmt::join(factor_, "x"));
    }

protected:
    /// Layers z_first .. z_end - 1 of the source, valid until the next call.
    std::span<float const> read_source(int z_first, int z_end)
    {
        std::size_t const layer = to_size(source_dims_[0]) * to_size(source_dims_[1]) * channels_;
        layers_.resize(layer * to_size(z_end - z_first));
        source_->read_slab(z_first, z_end - z_first, layers_);
        return layers_;
    }

    std::size_t block_layer() const { return to_size(meta().dims[0]) * to_size(meta().dims[1]) * channels_; }

    std::unique_ptr<VolumeSource> source_;
    std::array<int, 3> factor_;
    std::array<int, 3> source_dims_;
    std::size_t channels_;

private:
    std::vector<float> layers_;
};

class MeanSource final : public DownsampledSource {
public:
    using DownsampledSource::DownsampledSource;

    void read_slab(int z_first, int z_count, std::span<float> values) override
    {
        for (int z = 0; z < z_count; ++z)
            average(z_first + z, values.subspan(to_size(z) * block_layer(), block_layer()));
    }

private:
    void average(int z, std::span<float> values)
    {
        auto const [z_first, z_end] = find_block(z, factor_[2], source_dims_[2]);
        sums_.assign(values.size(), 0);
        for (int at = z_first; at < z_end; at += kSourceLayers) {
            int const end = std::min(z_end, at + kSourceLayers);
            add(read_source(at, end), end - at);
        }
        for (int y = 0; y < meta().dims[1]; ++y)
            for (int x = 0; x < meta().dims[0]; ++x) {
                double const voxels = static_cast<double>(z_end - z_first) * count_along(y, 1) * count_along(x, 0);
                for (std::size_t channel = 0; channel < channels_; ++channel) {
                    std::size_t const i = block_of(x, y) + channel;
                    values[i] = static_cast<float>(sums_[i] / voxels);
                }
            }
    }

    void add(std::span<float const> layers, int count)
    {
        auto value = layers.begin();
        for (int z = 0; z < count; ++z)
            for (int y = 0; y < source_dims_[1]; ++y)
                for (int x = 0; x < source_dims_[0]; ++x)
                    for (std::size_t channel = 0; channel < channels_; ++channel)
                        sums_[block_of(x / factor_[0], y / factor_[1]) + channel] += static_cast<double>(*value++);
    }

    std::size_t block_of(int x, int y) const { return (to_size(y) * to_size(meta().dims[0]) + to_size(x)) * channels_; }

    double count_along(int index, std::size_t axis) const
    {
        auto const [first, end] = find_block(index, factor_[axis], source_dims_[axis]);
        return end - first;
    }

    std::vector<double> sums_; ///< of a layer of blocks
};

class MostFrequentSource final : public DownsampledSource {
public:
    using DownsampledSource::DownsampledSource;

    void read_slab(int z_first, int z_count, std::span<float> values) override
    {
        auto out = values.begin();
        for (int z = z_first; z < z_first + z_count; ++z) {
            auto const [first, end] = find_block(z, factor_[2], source_dims_[2]);
            auto const layers = read_source(first, end);
            for (int y = 0; y < meta().dims[1]; ++y)
                for (int x = 0; x < meta().dims[0]; ++x)
                    out = std::ranges::copy(find_most_frequent(layers, end - first, x, y), out).out;
        }
    }

private:
    using Voxel = std::span<float const>;

    /// Of voxels whose numbers are finite.
    static bool is_less(Voxel a, Voxel b) { return std::ranges::lexicographical_compare(a, b); }

    /// A voxel that has a number that is not finite, if there is one.
    Voxel find_most_frequent(Voxel layers, int z_count, int x_block, int y_block)
    {
        auto const [x_first, x_end] = find_block(x_block, factor_[0], source_dims_[0]);
        auto const [y_first, y_end] = find_block(y_block, factor_[1], source_dims_[1]);
        block_.clear();
        for (int z = 0; z < z_count; ++z)
            for (int y = y_first; y < y_end; ++y)
                for (int x = x_first; x < x_end; ++x) {
                    std::size_t const row = to_size(z) * to_size(source_dims_[1]) + to_size(y);
                    block_.push_back(
                        layers.subspan((row * to_size(source_dims_[0]) + to_size(x)) * channels_, channels_));
                    if (!std::ranges::all_of(block_.back(), [](float number) { return std::isfinite(number); }))
                        return block_.back();
                }
        auto const is_other = [&](Voxel voxel) { return !std::ranges::equal(voxel, block_.front()); };
        if (std::ranges::none_of(block_, is_other)) return block_.front();
        std::ranges::sort(block_, is_less);
        Voxel most = block_.front();
        std::ptrdiff_t most_count = 0;
        for (auto at = block_.begin(); at != block_.end();) {
            auto const end = std::upper_bound(at, block_.end(), *at, is_less);
            if (end - at > most_count) {
                most = *at;
                most_count = end - at;
            }
            at = end;
        }
        return most;
    }

    std::vector<Voxel> block_;
};

/// Error (input) if the layers of a block, in eights, and the list of its voxels take more than `most_bytes`.
void check_block_memory(SourceMeta const& source, std::array<int, 3> const& factor, std::uint64_t most_bytes)
{
    std::array<std::uint64_t, 3> dims{}, block{};
    for (std::size_t i = 0; i < 3; ++i) {
        dims[i] = to_size(source.dims[i]);
        block[i] = to_size(std::min(source.dims[i], factor[i]));
    }
    std::uint64_t const layers = (block[2] + kSourceLayers - 1) / kSourceLayers * kSourceLayers;
    std::uint64_t const layer_bytes = dims[0] * dims[1] * to_size(source.channels) * sizeof(float);
    std::uint64_t const bytes = layers * layer_bytes + block[0] * block[1] * block[2] * sizeof(std::span<float const>);
    if (bytes <= most_bytes) return;
    auto const to_gib = [](std::uint64_t size) { return static_cast<double>(size) / 0x1p30; };
    fail_input(fmt::format("a block of --downsample has {} layers of {} x {} voxels: counting its labels takes "
                           "{:.3g} GiB of memory",
                           block[2], dims[0], dims[1], to_gib(bytes)),
               source.path, fmt::format("{:.3g} GiB are allowed", to_gib(most_bytes)),
               "make blocks of fewer layers, or allow more with --layer-memory");
}

} // namespace

std::unique_ptr<VolumeSource> downsample_source(std::unique_ptr<VolumeSource> source, std::array<int, 3> const& factor,
                                                BlockValue value, std::optional<std::array<double, 3>> const& pitch_mm,
                                                std::uint64_t layer_bytes)
{
    for (int const along : factor)
        if (along < 1 || along > 65535)
            fail_usage(fmt::format("--downsample {} is no number of voxels", along), "give 1 to 65535");
    if (value == BlockValue::mean) return std::make_unique<MeanSource>(std::move(source), factor, value, pitch_mm);
    check_block_memory(source->meta(), factor, layer_bytes);
    return std::make_unique<MostFrequentSource>(std::move(source), factor, value, pitch_mm);
}

} // namespace volpt
