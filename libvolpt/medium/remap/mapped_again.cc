#include "libvolpt/medium/remap/mapped_again.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/volume/meta.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace volpt {
namespace {

constexpr char kPackAgain[] = "pack the source file again";

/// The numbers that a packed volume keeps, as a source.
class KeptNumbers final : public VolumeSource {
public:
    KeptNumbers(std::unique_ptr<VoxelStream> packed, SourceValues const& values, std::string const& path)
        : VolumeSource(describe(packed->meta(), values, path)), packed_(std::move(packed)), store_(values.store),
          low_(values.window ? (*values.window)[0] : 0.0)
    {
    }

    void use_threads(int threads) override { packed_->use_threads(threads); }

    void read_slab(int z_first, int z_count, std::span<float> values) override
    {
        slab_ = packed_->read_slab(z_first, z_count);
        auto const stored = store_ == ValueStore::plane ? slab_.source_values : slab_.density;
        std::ranges::copy(stored, values.begin());
        if (store_ != ValueStore::steps) return;
        auto const step = static_cast<double>(packed_->meta().density_value_scale);
        for (float& value : values)
            value = static_cast<float>(low_ + std::nearbyint(static_cast<double>(value) / step));
    }

    /// The packed volume's own, of the numbers that were read last.
    VoxelSlab const& slab() const { return slab_; }
    VoxelStream const& packed() const { return *packed_; }

private:
    static SourceMeta describe(VolumeMeta const& volume, SourceValues const& values, std::string const& path)
    {
        SourceMeta meta;
        meta.path = path;
        meta.dims = volume.dims;
        meta.element = values.element;
        meta.pitch_mm = {1, 1, 1}; // the box is placed as the packed one
        return meta;
    }

    std::unique_ptr<VoxelStream> packed_;
    ValueStore store_;
    double low_;
    VoxelSlab slab_;
};

/// Error (usage) if the emission has other bands than an albedo of `bands`.
void check_bands(VolumeMeta const& meta, std::size_t bands)
{
    if (meta.has_emission && bands != meta.bands())
        fail_usage(fmt::format("the new albedo has {} bands, the volume's emission {}", bands, meta.bands()),
                   "give as many albedos");
}

/// Bands as of a volume that is packed for the first time.
void set_bands(VolumeMeta& meta, std::size_t bands)
{
    check_bands(meta, bands);
    meta.wavelengths_nm.clear();
    meta.light_channels.clear();
    meta.band_numbers.resize(bands);
    std::iota(meta.band_numbers.begin(), meta.band_numbers.end(), 0u);
    meta.constant_extinction.assign(bands, 1.0f);
    meta.constant_one_minus_albedo.assign(bands, 0.0f);
}

/// What of a volume is made anew.
struct NewParts {
    bool density = false;
    bool albedo = false;
    bool bands = false;
};

class MappedAgain final : public VoxelStream {
public:
    MappedAgain(std::unique_ptr<KeptNumbers> numbers, MeasuredOptions options, NewParts made)
        : numbers_(*numbers), made_(made)
    {
        copy_description(numbers_.packed());
        measured_ = make_measured_volume(std::move(numbers), std::move(options));
        VolumeMeta const& from = measured_->meta();
        if (made_.density) {
            meta_.density_encoding = from.density_encoding;
            meta_.density_value_scale = from.density_value_scale;
            meta_.kept_values = from.kept_values;
        }
        if (made_.bands) set_bands(meta_, from.bands());
        if (!made_.albedo) return;
        meta_.albedo = from.albedo;
        meta_.albedo_filter = from.albedo_filter;
        meta_.albedo_encoding = from.albedo_encoding;
        meta_.constant_one_minus_albedo = from.constant_one_minus_albedo;
    }

    void use_threads(int threads) override { measured_->use_threads(threads); }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        VoxelSlab slab = measured_->read_slab(z_first, z_count);
        if (!made_.albedo) slab.one_minus_albedo = numbers_.slab().one_minus_albedo;
        if (!made_.density) slab.source_values = numbers_.slab().source_values;
        slab.emission = numbers_.slab().emission;
        return slab;
    }

    std::optional<SourceValues> source_values() const override
    {
        auto const made = measured_->source_values();
        if (made_.density) return made;
        auto values = numbers_.packed().source_values();
        if (values) values->transfer = made->transfer;
        return values;
    }

    std::vector<std::string> list_notices() const override { return measured_->list_notices(); }

private:
    KeptNumbers const& numbers_; ///< of measured_
    NewParts made_;
    std::unique_ptr<VoxelStream> measured_;
};

/// Error (usage) if the volume was clamped within the range from `low` to `high`.
void check_range(SourceValues const& values, char const* option, double low, double high, std::string const& path)
{
    ValueRange const told = find_told_range(values);
    bool const is_below = told.low && low < *told.low;
    if (!is_below && !(told.high && high > *told.high)) return;
    fail_usage(fmt::format("{} reaches from {} to {}, but {} was packed with {} numbers clamped to {} and {} to {}",
                           option, low, high, path, values.below, (*values.window)[0], values.above,
                           (*values.window)[1]),
               fmt::format("stay {} {}, or pack the source file again, with --keep-values to keep them all",
                           is_below ? "above" : "below", is_below ? *told.low : *told.high));
}

/// Error (usage) if the volume does not have the numbers that `map` needs.
void check_numbers(PackedVolume const& volume, NewMap const& map, std::string const& path)
{
    char const* const option = map.window ? "--window" : map.opacity ? "--opacity" : "--albedo-curve";
    auto const& values = volume.source_values();
    if (!values)
        fail_usage(fmt::format("{} maps a source file's numbers, and {} does not say how its densities follow from any",
                               option, path),
                   kPackAgain);
    if (values->store == ValueStore::none)
        fail_usage(fmt::format("{} maps a source file's numbers, and {} does not keep them: {}", option, path,
                               describe_map(*values)),
                   fmt::format("{}, with --keep-values to keep them", kPackAgain));
    if (map.window) check_range(*values, "--window", map.window->low, map.window->high, path);
    if (map.opacity)
        check_range(*values, "--opacity", map.opacity->points().front().x, map.opacity->points().back().x, path);
    if (map.albedo_curve)
        check_range(*values, "--albedo-curve", map.albedo_curve->first_density(), map.albedo_curve->last_density(),
                    path);
}

/// What made the densities of the volume, to the bit.
void set_stored_map(MeasuredOptions& options, SourceValues const& values, VolumeMeta const& meta)
{
    if (values.window) options.window = Window{(*values.window)[0], (*values.window)[1]};
    if (!values.opacity.empty()) {
        std::vector<PiecewiseCurve::Point> points;
        for (auto const& [value, density] : values.opacity) points.push_back({value, density});
        options.opacity.emplace(std::move(points), "the volume's own curve");
    }
    DensityCode const code = options.opacity ? choose_density_code(*options.opacity, {})
                                             : choose_density_code(values.element, options.window, {});
    if (code.encoding != meta.density_encoding) options.encoding = meta.density_encoding;
}

MeasuredOptions complete_map(NewMap map, SourceValues const& values, VolumeMeta const& meta)
{
    MeasuredOptions options;
    if (map.window || map.opacity) {
        options.window = map.window;
        options.opacity = std::move(map.opacity);
    } else {
        set_stored_map(options, values, meta);
    }
    if (options.window && values.window && values.store == ValueStore::steps) {
        if (options.window->low == (*values.window)[0]) options.clamped_before[0] = values.below;
        if (options.window->high == (*values.window)[1]) options.clamped_before[1] = values.above;
    }
    if (values.store == ValueStore::plane) options.keep_values = KeepValues::yes;
    if (!map.has_albedo() && !values.transfer.empty()) {
        std::vector<TransferTable::Point> points;
        for (auto const& [density, albedo] : values.transfer) points.push_back({density, albedo});
        map.transfer.emplace(std::move(points), "the volume's own transfer table");
    }
    options.transfer = std::move(map.transfer);
    options.albedo_curve = std::move(map.albedo_curve);
    if (map.albedo) options.albedo = std::move(*map.albedo);
    return options;
}

} // namespace

std::unique_ptr<VoxelStream> map_again(PackedVolume volume, RepackOptions repack, NewMap map, std::string const& path)
{
    VolumeMeta const meta = volume.meta();
    if (meta.extinction != Source::plane || needs_labels(meta))
        fail_usage(fmt::format("{} has no densities from numbers: its extinction is {}", path,
                               meta.extinction == Source::constant ? "constant" : "that of materials"),
                   kPackAgain);
    // What a plane keeps is exact where densities may be rounded.
    bool const makes_density = map.window || map.opacity || map.albedo_curve || meta.kept_values;
    if (makes_density) check_numbers(volume, map, path);
    // Without numbers, densities serve as such: an albedo alone follows from them.
    SourceValues const values = makes_density ? *volume.source_values()
                                              : SourceValues{.element = ElementType::f32, .store = ValueStore::density};
    bool const has_albedo = map.has_albedo();
    MeasuredOptions options = complete_map(std::move(map), values, meta);
    NewParts const made{
        .density = makes_density, .albedo = has_albedo || options.transfer.has_value(), .bands = has_albedo};
    if (makes_density && repack.encoding) options.encoding = std::exchange(repack.encoding, std::nullopt);
    if (!makes_density) options.encoding = repack.encoding == Encoding::f32 ? repack.encoding : std::nullopt;
    auto numbers = std::make_unique<KeptNumbers>(make_packed_stream(std::move(volume), repack), values, path);
    return std::make_unique<MappedAgain>(std::move(numbers), std::move(options), made);
}

} // namespace volpt
