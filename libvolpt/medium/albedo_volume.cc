#include "libvolpt/medium/albedo_volume.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <numeric>

namespace volpt {
namespace {

class AlbedoVolume final : public VoxelStream {
public:
    AlbedoVolume(std::unique_ptr<VolumeSource> source, MeasuredOptions const& options)
        : source_(std::move(source)), notices_(source_->meta().notices)
    {
        SourceMeta const& from = source_->meta();
        if (from.natural_window) window_ = {(*from.natural_window)[0], (*from.natural_window)[1]};
        if (options.window) window_ = *options.window;
        clamps_ = options.window.has_value();
        fill_meta(options);
        source_metadata_json_ = from.metadata_json;
    }

    void use_threads(int threads) override { source_->use_threads(threads); }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        auto const layer = static_cast<std::size_t>(meta_.dims[0]) * static_cast<std::size_t>(meta_.dims[1]);
        values_.resize(layer * static_cast<std::size_t>(z_count) * meta_.bands());
        source_->read_slab(z_first, z_count, values_);
        double const width = window_.high - window_.low;
        for (std::size_t i = 0; i < values_.size(); ++i) {
            double const value = static_cast<double>(values_[i]);
            if (!std::isfinite(value)) refuse_value(z_first, i);
            if (value < window_.low || value > window_.high) {
                if (!clamps_) refuse_value(z_first, i);
                ++(value < window_.low ? below_ : above_);
            }
            values_[i] = static_cast<float>((window_.high - std::clamp(value, window_.low, window_.high)) / width);
        }
        return {z_first, z_count, {}, values_, {}};
    }

    std::vector<std::string> list_notices() const override
    {
        auto notices = notices_;
        std::ranges::copy(source_->list_notices(), std::back_inserter(notices));
        if (below_ + above_ > 0) notices.push_back(describe_clamped(below_, above_));
        return notices;
    }

private:
    [[noreturn]] void refuse_value(int z_first, std::size_t index) const
    {
        std::size_t const voxel = index / meta_.bands();
        fail_input(
            fmt::format("the value {} is no albedo", values_[index]),
            fmt::format("{}, channel {}", describe_voxel_at(*source_, z_first, voxel), index % meta_.bands()),
            fmt::format("several numbers per voxel are its albedo by band, here {} to {}", window_.low, window_.high),
            std::isnan(values_[index]) ? "give --nan VALUE, the number that NaN stands for, for example --nan 0"
            : clamps_                  ? "give --clamp: infinite numbers become the largest float"
                                       : "say with --window LO,HI which numbers mean 0 and 1, or give --clamp");
    }

    void fill_meta(MeasuredOptions const& options)
    {
        SourceMeta const& from = source_->meta();
        auto const bands = static_cast<std::size_t>(from.channels);
        place_source(from, options.pitch_mm, meta_, notices_);
        meta_.filter = options.filter;
        meta_.scale = options.scale;
        meta_.g = options.g;
        meta_.albedo = Source::plane;
        bool const counts_255 = from.element == ElementType::u8 && window_.low == 0 && window_.high == 255;
        meta_.albedo_encoding = options.encoding.value_or(counts_255 ? Encoding::u8 : Encoding::f16);
        meta_.band_numbers.resize(bands);
        for (std::size_t band = 0; band < bands; ++band) meta_.band_numbers[band] = static_cast<std::uint32_t>(band);
        meta_.constant_extinction.assign(bands, 1.0f);
        meta_.constant_one_minus_albedo.assign(bands, 0.0f);
        notices_.push_back(
            fmt::format("{} numbers per voxel are taken as albedo by band; extinction is constant, {}/mm (--scale)",
                        bands, options.scale));
    }

    std::unique_ptr<VolumeSource> source_;
    Window window_{0, 1};
    bool clamps_ = false; ///< the user gave the window
    std::vector<std::string> notices_;
    std::vector<float> values_;
    std::uint64_t below_ = 0;
    std::uint64_t above_ = 0;
};

class AlbedoReplacement final : public VoxelStream {
public:
    AlbedoReplacement(std::unique_ptr<VoxelStream> density, std::unique_ptr<VolumeSource> albedo,
                      Encoding albedo_encoding)
        : density_(std::move(density)), albedo_(std::move(albedo))
    {
        meta_ = density_->meta();
        materials_ = density_->materials();
        source_metadata_json_ = density_->source_metadata_json();
        scene_hints_json_ = density_->scene_hints_json();
        auto const bands = static_cast<std::size_t>(albedo_->meta().channels);
        meta_.albedo = Source::plane;
        meta_.albedo_encoding = albedo_encoding;
        meta_.band_numbers.resize(bands);
        std::iota(meta_.band_numbers.begin(), meta_.band_numbers.end(), 0u);
        meta_.constant_extinction.assign(bands, 1.0f);
        meta_.constant_one_minus_albedo.assign(bands, 0.0f);
    }

    void use_threads(int threads) override
    {
        density_->use_threads(threads);
        albedo_->use_threads(threads);
    }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        VoxelSlab slab = density_->read_slab(z_first, z_count);
        values_.resize(slab.density.size() * meta_.bands());
        albedo_->read_slab(z_first, z_count, values_);
        for (std::size_t i = 0; i < values_.size(); ++i) {
            if (!(values_[i] >= 0 && values_[i] <= 1)) refuse_value(z_first, i);
            values_[i] = 1.0f - values_[i];
        }
        slab.one_minus_albedo = values_;
        return slab;
    }

    std::optional<SourceValues> source_values() const override { return density_->source_values(); }

    std::vector<std::string> list_notices() const override
    {
        auto notices = density_->list_notices();
        std::ranges::copy(join_notices(*albedo_), std::back_inserter(notices));
        return notices;
    }

private:
    [[noreturn]] void refuse_value(int z_first, std::size_t index) const
    {
        fail_input(fmt::format("the value {} is no albedo", values_[index]),
                   fmt::format("{}, channel {}", describe_voxel_at(*albedo_, z_first, index / meta_.bands()),
                               index % meta_.bands()),
                   "albedo lies between 0 and 1", "give --clamp, or correct the file");
    }

    std::unique_ptr<VoxelStream> density_;
    std::unique_ptr<VolumeSource> albedo_;
    std::vector<float> values_;
};

} // namespace

std::unique_ptr<VoxelStream> make_albedo_volume(std::unique_ptr<VolumeSource> source, MeasuredOptions const& options)
{
    if (options.transfer)
        fail_usage("--transfer has no meaning for a volume of several numbers per voxel", "they are its albedo");
    if (options.albedo_curve)
        fail_usage("--albedo-curve has no meaning for a volume of several numbers per voxel", "they are its albedo");
    if (options.opacity)
        fail_usage("--opacity has no meaning for a volume of several numbers per voxel", "they are its albedo");
    if (options.keep_values == KeepValues::yes)
        fail_usage("--keep-values has no meaning for a volume of several numbers per voxel", "they are its albedo");
    return std::make_unique<AlbedoVolume>(std::move(source), options);
}

std::unique_ptr<VoxelStream> replace_albedo(std::unique_ptr<VoxelStream> density, std::unique_ptr<VolumeSource> albedo,
                                            Encoding albedo_encoding)
{
    return std::make_unique<AlbedoReplacement>(std::move(density), std::move(albedo), albedo_encoding);
}

} // namespace volpt
