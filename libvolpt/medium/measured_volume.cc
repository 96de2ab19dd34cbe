#include "libvolpt/medium/measured_volume.h"

#include "libvolpt/core/encoding.hd.h"
#include "libvolpt/medium/albedo_volume.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/parallel.h"
#include "libvolpt/volume/source/label_signs.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace volpt {
namespace {

double largest_code(Encoding encoding)
{
    return encoding == Encoding::u8 ? 255 : 65535;
}

bool is_fixed_point(Encoding encoding)
{
    return encoding == Encoding::u8 || encoding == Encoding::u16;
}

/// Steps between low and high if every integer between them is a code of its own.
std::optional<double> count_window_steps(ElementType element, Window const& window)
{
    bool const whole = window.low == std::floor(window.low) && window.high == std::floor(window.high);
    double const steps = window.high - window.low;
    if (!is_integer(element) || !whole || steps > 65535 || std::abs(window.low) > 1e7) return std::nullopt;
    return steps;
}

std::size_t layer_voxels(std::array<int, 3> dims)
{
    return static_cast<std::size_t>(dims[0]) * static_cast<std::size_t>(dims[1]);
}

[[noreturn]] void refuse_value(VolumeSource const& source, int z_first, std::size_t index, float value)
{
    fail_input(fmt::format("the value {} is no density", value), describe_voxel_at(source, z_first, index),
               "densities are finite and not negative",
               std::isnan(value) ? "give --nan VALUE, the number that NaN stands for, for example --nan 0"
               : std::isfinite(value)
                   ? "map values to density with --window LO,HI, or give --clamp: negative ones are 0"
                   : "give --clamp: infinite numbers become the largest float");
}

/// The options with the source's own window where none is given.
MeasuredOptions complete_options(SourceMeta const& source, MeasuredOptions options)
{
    if (!options.window && !options.opacity && source.natural_window)
        options.window = Window{(*source.natural_window)[0], (*source.natural_window)[1]};
    return options;
}

class MeasuredVolume final : public VoxelStream {
public:
    MeasuredVolume(std::unique_ptr<VolumeSource> source, MeasuredOptions options)
        : source_(std::move(source)), options_(complete_options(source_->meta(), std::move(options))),
          notices_(source_->meta().notices),
          code_(options_.opacity ? choose_density_code(*options_.opacity, options_.encoding)
                                 : choose_density_code(source_->meta().element, options_.window, options_.encoding))
    {
        notices_.insert(notices_.begin(), options_.notices.begin(), options_.notices.end());
        below_ = options_.clamped_before[0];
        above_ = options_.clamped_before[1];
        if (code_.needs_maximum) code_.value_scale = find_step();
        fill_meta();
        source_metadata_json_ = source_->meta().metadata_json;
    }

    void use_threads(int threads) override
    {
        threads_ = threads;
        source_->use_threads(threads);
    }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        std::size_t const layer = layer_voxels(meta_.dims);
        density_.resize(layer * static_cast<std::size_t>(z_count));
        source_->read_slab(z_first, z_count, density_);
        if (may_be_labels()) add_runs(density_, distinct_);
        if (meta_.kept_values) numbers_ = density_;
        if (options_.albedo_curve) colour(*options_.albedo_curve);
        clamped_.assign(static_cast<std::size_t>(z_count), {});
        parallel_for_ordered(
            threads_, clamped_.size(),
            [&](std::size_t i, int) {
                auto const values = std::span(density_).subspan(i * layer, layer);
                if (options_.opacity)
                    apply_curve(z_first + static_cast<int>(i), values);
                else if (options_.window)
                    apply_window(z_first + static_cast<int>(i), values, clamped_[i]);
                else
                    check(z_first + static_cast<int>(i), values);
            },
            [&](std::size_t i, int) {
                below_ += clamped_[i].below;
                above_ += clamped_[i].above;
            });
        if (options_.transfer) {
            count_outside_table();
            colour(*options_.transfer);
        }
        return {.z_first = z_first,
                .z_count = z_count,
                .density = density_,
                .one_minus_albedo = one_minus_albedo_,
                .source_values = numbers_};
    }

    std::optional<SourceValues> source_values() const override
    {
        SourceValues values{.element = source_->meta().element, .store = find_store()};
        if (options_.window) values.window = {options_.window->low, options_.window->high};
        values.below = below_;
        values.above = above_;
        if (options_.opacity)
            for (auto const [x, y] : options_.opacity->points()) values.opacity.push_back({x, y});
        if (options_.transfer)
            for (auto const& [density, albedo] : options_.transfer->points())
                values.transfer.push_back({density, albedo});
        return values;
    }

    std::vector<std::string> list_notices() const override
    {
        auto notices = notices_;
        std::ranges::copy(source_->list_notices(), std::back_inserter(notices));
        std::uint64_t const voxels = layer_voxels(meta_.dims) * static_cast<std::uint64_t>(meta_.dims[2]);
        if (may_be_labels())
            if (auto const traits = find_integer_traits(distinct_, voxels); look_like_labels(source_->meta(), traits))
                notices.push_back(advise_materials(source_->meta(), traits));
        if (below_ + above_ > 0) notices.push_back(describe_clamped(below_, above_));
        if (outside_table_ > 0)
            notices.push_back(
                fmt::format("{} densities lie outside the transfer table ({} to {}) and took its end values",
                            outside_table_, options_.transfer->first_density(), options_.transfer->last_density()));
        return notices;
    }

private:
    struct Clamped {
        std::uint64_t below = 0;
        std::uint64_t above = 0;
    };

    ValueStore find_store() const
    {
        if (meta_.kept_values) return ValueStore::plane;
        if (options_.window) return code_.counts_steps ? ValueStore::steps : ValueStore::none;
        if (options_.opacity) return ValueStore::none;
        return keeps_numbers(source_->meta().element, code_) ? ValueStore::density : ValueStore::none;
    }

    /// Whoever maps the numbers knows that they are no labels.
    bool may_be_labels() const { return is_integer(source_->meta().element) && !options_.window && !options_.opacity; }

    /// Refuses what is no density. -0, which would change the checksum of an otherwise equal volume, becomes 0.
    void check(int z, std::span<float> values) const
    {
        std::uint32_t largest = 0; // a sign or an infinite exponent makes it larger than any density
        for (float& value : values) {
            value += 0.0f;
            largest = std::max(largest, bits_from_float(value));
        }
        if (largest < 0x7f800000u) return;
        auto const bad = std::find_if(values.begin(), values.end(), [](float v) { return !std::isfinite(v) || v < 0; });
        refuse_value(*source_, z, static_cast<std::size_t>(bad - values.begin()), *bad);
    }

    void apply_curve(int z, std::span<float> values) const
    {
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (!std::isfinite(values[i])) refuse_value(*source_, z, i, values[i]);
            values[i] = static_cast<float>(options_.opacity->evaluate(static_cast<double>(values[i]))) + 0.0f;
        }
    }

    void apply_window(int z, std::span<float> values, Clamped& clamped) const
    {
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (!std::isfinite(values[i])) refuse_value(*source_, z, i, values[i]);
            values[i] = apply_window(values[i], clamped) + 0.0f;
        }
    }

    float apply_window(float value, Clamped& clamped) const
    {
        auto const v = static_cast<double>(value);
        if (v < options_.window->low) ++clamped.below;
        if (v > options_.window->high) ++clamped.above;
        double const inside = std::clamp(v, options_.window->low, options_.window->high) - options_.window->low;
        // Exactly the float that the code decodes to, so that nothing is lost.
        if (code_.counts_steps) return static_cast<float>(inside) * code_.value_scale;
        return static_cast<float>(inside / (options_.window->high - options_.window->low));
    }

    void count_outside_table()
    {
        auto const first = static_cast<float>(options_.transfer->first_density());
        auto const last = static_cast<float>(options_.transfer->last_density());
        for (float const density : density_)
            if (density < first || density > last) ++outside_table_;
    }

    /// Albedo of what is in density_, which may be no densities yet.
    void colour(TransferTable const& table)
    {
        std::size_t const bands = table.bands();
        one_minus_albedo_.resize(density_.size() * bands);
        for (std::size_t i = 0; i < density_.size(); ++i)
            table.evaluate(density_[i], std::span(one_minus_albedo_).subspan(i * bands, bands));
    }

    /// Largest value / largest code, by reading the source once.
    float find_step()
    {
        SourceMeta const& source = source_->meta();
        std::vector<float> layer(layer_voxels(source.dims));
        float maximum = 0;
        for (int z = 0; z < source.dims[2]; ++z) {
            source_->read_slab(z, 1, layer);
            for (std::size_t i = 0; i < layer.size(); ++i) {
                if (!std::isfinite(layer[i]) || layer[i] < 0) refuse_value(*source_, z, i, layer[i]);
                maximum = std::max(maximum, layer[i]);
            }
        }
        float const step = maximum / (code_.encoding == Encoding::u8 ? 255.0f : 65535.0f);
        if (maximum > 0 && !(step >= 1e-37f))
            fail_input(fmt::format("the largest value is {}", maximum), source.path,
                       "no step of an integer code is so small", "use --encode f32");
        return maximum > 0 ? step : 1.0f;
    }

    void fill_meta()
    {
        SourceMeta const& source = source_->meta();
        place_source(source, options_.pitch_mm, meta_, notices_);
        if (!is_exact_in_float(source.element) && !options_.window && !options_.opacity)
            notices_.push_back(fmt::format("{} values are rounded to float (24 bits)", element_name(source.element)));
        fill_medium();
    }

    void fill_medium()
    {
        auto const& table = options_.transfer ? options_.transfer : options_.albedo_curve;
        std::size_t const bands = table ? table->bands() : options_.albedo.size();
        meta_.filter = options_.filter;
        meta_.scale = options_.scale;
        meta_.g = options_.g;
        meta_.extinction = Source::plane;
        meta_.density_encoding = code_.encoding;
        meta_.density_value_scale = code_.value_scale;
        if (options_.keep_values == KeepValues::yes && find_store() != ValueStore::density)
            meta_.kept_values = source_->meta().element;
        meta_.albedo = table ? Source::plane : Source::constant;
        meta_.albedo_encoding = options_.encoding == Encoding::f32 ? Encoding::f32 : Encoding::f16;
        meta_.band_numbers.resize(bands);
        for (std::size_t band = 0; band < bands; ++band) meta_.band_numbers[band] = static_cast<std::uint32_t>(band);
        meta_.constant_extinction.assign(bands, 1.0f);
        meta_.constant_one_minus_albedo.assign(bands, 0.0f);
        if (table) return;
        for (std::size_t band = 0; band < bands; ++band)
            meta_.constant_one_minus_albedo[band] = static_cast<float>(1 - options_.albedo[band]);
    }

    std::unique_ptr<VolumeSource> source_;
    MeasuredOptions options_;
    std::vector<std::string> notices_;
    DensityCode code_;
    std::vector<float> density_;
    std::vector<float> one_minus_albedo_;
    std::vector<float> numbers_; ///< of the source, if they are kept in a plane
    DistinctValues distinct_;    ///< of what was read, if it may_be_labels
    int threads_ = 1;
    std::vector<Clamped> clamped_; ///< by layer of the slab
    std::uint64_t below_ = 0;
    std::uint64_t above_ = 0;
    std::uint64_t outside_table_ = 0;
};

} // namespace

bool keeps_numbers(ElementType element, DensityCode const& code)
{
    if (code.encoding == Encoding::f32) return true;
    if (code.encoding != Encoding::f16) return !code.needs_maximum;
    return element == ElementType::f16 || (is_integer(element) && element_size_bytes(element) == 1);
}

DensityCode choose_density_code(ElementType element, std::optional<Window> const& window,
                                std::optional<Encoding> wanted)
{
    DensityCode code;
    if (window) {
        auto const steps = count_window_steps(element, *window);
        Encoding const smallest = !steps ? Encoding::f32 : *steps <= 255 ? Encoding::u8 : Encoding::u16;
        code.encoding = wanted.value_or(smallest);
        code.counts_steps = steps && is_fixed_point(code.encoding) && *steps <= largest_code(code.encoding);
        if (is_fixed_point(code.encoding))
            code.value_scale = static_cast<float>(1 / (code.counts_steps ? *steps : largest_code(code.encoding)));
        return code;
    }
    std::size_t const size = element_size_bytes(element);
    Encoding const own = !is_integer(element) ? (element == ElementType::f16 ? Encoding::f16 : Encoding::f32)
                         : size == 1          ? Encoding::u8
                         : size == 2          ? Encoding::u16
                                              : Encoding::f32;
    code.encoding = wanted.value_or(own);
    bool const holds_integers = is_integer(element) && (size == 1 || (size == 2 && code.encoding == Encoding::u16));
    code.needs_maximum = is_fixed_point(code.encoding) && !holds_integers;
    return code;
}

DensityCode choose_density_code(PiecewiseCurve const& curve, std::optional<Encoding> wanted)
{
    DensityCode code;
    code.encoding = wanted.value_or(Encoding::f32);
    if (is_fixed_point(code.encoding) && curve.largest_y() > 0)
        code.value_scale = static_cast<float>(std::max(curve.largest_y() / largest_code(code.encoding), 1e-37));
    return code;
}

std::string describe_clamped(std::uint64_t below, std::uint64_t above)
{
    return fmt::format("{} values below and {} above the window were clamped", below, above);
}

std::unique_ptr<VoxelStream> make_measured_volume(std::unique_ptr<VolumeSource> source, MeasuredOptions options)
{
    if (options.window && options.opacity)
        fail_usage("--window and --opacity both give the density of the file's numbers", "give one of them");
    if (source->meta().channels > 1) return make_albedo_volume(std::move(source), options);
    return std::make_unique<MeasuredVolume>(std::move(source), std::move(options));
}

} // namespace volpt
