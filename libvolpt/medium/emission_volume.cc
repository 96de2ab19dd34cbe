#include "libvolpt/medium/emission_volume.h"

#include "libvolpt/colour/planck.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

namespace volpt {
namespace {

constexpr char kEmissionOptions[] = "--emission, --emission-grid and --emission-file";

class EmissionVolume final : public VoxelStream {
public:
    EmissionVolume(std::unique_ptr<VoxelStream> volume, std::unique_ptr<VolumeSource> source, EmissionOptions options)
        : volume_(std::move(volume)), source_(std::move(source)), options_(std::move(options))
    {
        copy_description(*volume_);
        if (meta_.has_emission)
            fail_usage("the volume has an emission already", fmt::format("leave out {}", kEmissionOptions));
        if (meta_.albedo_filter != AlbedoFilter::of_scattering)
            fail_usage("the albedo of the volume is interpolated by itself, and how much a medium emits follows from "
                       "extinction and albedo in one voxel",
                       fmt::format("leave out {}, or give --filter nearest", kEmissionOptions));
        if (source_ && source_->meta().dims != meta_.dims)
            fail_input(fmt::format("the emission has {} voxels, the volume {}", fmt::join(source_->meta().dims, "x"),
                                   fmt::join(meta_.dims, "x")),
                       source_->meta().path, "both are of the same voxels", "resample one of them");
        channels_ = source_ ? static_cast<std::size_t>(source_->meta().channels) : options_.constant.size();
        bool const is_blackbody = options_.numbers == EmissionNumbers::blackbody;
        if (channels_ != 1 && (is_blackbody || channels_ != meta_.bands()))
            fail_usage(is_blackbody ? fmt::format("{} numbers are no temperature", channels_)
                                    : fmt::format("the emission has {} numbers for {} bands", channels_, meta_.bands()),
                       is_blackbody ? "give one number per voxel, or --emission-from radiance"
                                    : "give one number for all bands, or one for each");
        if (is_blackbody) compute_blackbody(meta_.bands(), meta_.wavelengths_nm, 1000); // refuses bands now
        meta_.has_emission = true;
    }

    void use_threads(int threads) override
    {
        threads_ = threads;
        volume_->use_threads(threads);
        if (source_) source_->use_threads(threads);
    }

    int layers_at_a_time() const override { return volume_->layers_at_a_time(); }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        VoxelSlab slab = volume_->read_slab(z_first, z_count);
        std::size_t const layer = static_cast<std::size_t>(meta_.dims[0]) * static_cast<std::size_t>(meta_.dims[1]);
        auto const layers = static_cast<std::size_t>(z_count);
        numbers_.resize(layer * layers * channels_);
        if (source_)
            source_->read_slab(z_first, z_count, numbers_);
        else
            for (std::size_t i = 0; i < numbers_.size(); ++i)
                numbers_[i] = static_cast<float>(options_.constant[i % channels_]);
        emission_.resize(layer * layers * meta_.bands());
        parallel_for_joined(threads_, layers, [&](std::size_t z, int) {
            for (std::size_t voxel = z * layer; voxel < (z + 1) * layer; ++voxel) fill_voxel(slab, voxel);
        });
        slab.emission = emission_;
        return slab;
    }

    std::vector<std::string> list_facts() const override { return volume_->list_facts(); }
    std::vector<std::string> list_notices() const override
    {
        auto notices = volume_->list_notices();
        if (!source_) return notices;
        std::ranges::copy(join_notices(*source_), std::back_inserter(notices));
        return notices;
    }

    std::string report_json() const override { return volume_->report_json(); }
    std::optional<SourceValues> source_values() const override { return volume_->source_values(); }

private:
    void fill_voxel(VoxelSlab const& slab, std::size_t voxel)
    {
        std::size_t const bands = meta_.bands();
        std::span<float> const radiance(emission_.data() + voxel * bands, bands);
        float const* const numbers = numbers_.data() + voxel * channels_;
        for (std::size_t i = 0; i < channels_; ++i) check_number(slab, voxel, numbers[i]);
        if (options_.numbers == EmissionNumbers::blackbody) {
            fill_blackbody(static_cast<double>(numbers[0]), radiance);
            return;
        }
        for (std::size_t band = 0; band < bands; ++band) {
            double value = options_.scale * static_cast<double>(numbers[channels_ == 1 ? 0 : band]);
            if (value > 0 && options_.numbers == EmissionNumbers::radiance_per_mm) {
                double const sigma_a = find_absorption(slab, voxel, band);
                if (!(sigma_a > 0))
                    refuse(slab, voxel, fmt::format("the emission is {}/mm where nothing absorbs", value),
                           "a medium emits where it absorbs", "give it a density, and an albedo below 1");
                value /= sigma_a;
            }
            radiance[band] = static_cast<float>(value);
        }
    }

    void fill_blackbody(double number, std::span<float> radiance) const
    {
        double const temperature_k = options_.temperature_scale * (number - options_.temperature_offset);
        if (!(temperature_k > 0)) {
            std::ranges::fill(radiance, 0.0f);
            return;
        }
        auto const blackbody = compute_blackbody(radiance.size(), meta_.wavelengths_nm, temperature_k);
        for (std::size_t band = 0; band < radiance.size(); ++band)
            radiance[band] = static_cast<float>(options_.scale * blackbody[band]);
    }

    /// sigma_a in 1/mm.
    double find_absorption(VoxelSlab const& slab, std::size_t voxel, std::size_t band) const
    {
        Material const* const material = slab.label.empty() ? nullptr : &materials_[slab.label[voxel]];
        float const extinction = meta_.extinction == Source::plane      ? slab.density[voxel]
                                 : meta_.extinction == Source::material ? material->sigma_t[band]
                                                                        : meta_.constant_extinction[band];
        float const share = meta_.albedo == Source::plane      ? slab.one_minus_albedo[voxel * meta_.bands() + band]
                            : meta_.albedo == Source::material ? material->one_minus_albedo[band]
                                                               : meta_.constant_one_minus_albedo[band];
        return static_cast<double>(meta_.scale) * static_cast<double>(extinction) * static_cast<double>(share);
    }

    void check_number(VoxelSlab const& slab, std::size_t voxel, float number) const
    {
        bool const may_be_negative = options_.numbers == EmissionNumbers::blackbody;
        if (std::isfinite(number) && (may_be_negative || number >= 0)) return;
        refuse(slab, voxel, fmt::format("the value {} is no emission", number),
               may_be_negative ? "temperatures are finite" : "radiance is finite and not negative",
               "give --clamp, or correct the file");
    }

    [[noreturn]] void refuse(VoxelSlab const& slab, std::size_t voxel, std::string what, std::string why,
                             std::string hint) const
    {
        std::string const where = source_ ? describe_voxel_at(*source_, slab.z_first, voxel) : "--emission";
        fail_input(std::move(what), where, std::move(why), std::move(hint));
    }

    std::unique_ptr<VoxelStream> volume_;
    std::unique_ptr<VolumeSource> source_; ///< null: the same number everywhere
    EmissionOptions options_;
    std::size_t channels_ = 1;
    int threads_ = 1;
    std::vector<float> numbers_;
    std::vector<float> emission_;
};

} // namespace

std::unique_ptr<VoxelStream> add_emission(std::unique_ptr<VoxelStream> volume, std::unique_ptr<VolumeSource> source,
                                          EmissionOptions options)
{
    return std::make_unique<EmissionVolume>(std::move(volume), std::move(source), std::move(options));
}

} // namespace volpt
