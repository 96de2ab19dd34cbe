#include "libvolpt/medium/remap/remapped_volume.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/parallel.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/packed_stream.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

void check_options(PackedVolume const& volume, RemapOptions const& options)
{
    VolumeMeta const& meta = volume.meta();
    if ((options.opacity || options.albedo) && (needs_labels(meta) || meta.extinction != Source::plane))
        fail_usage("curves of opacity and albedo need a volume of densities without materials",
                   "materials have their extinction and albedo in the material table");
    if (options.albedo && options.albedo->largest_y() > 1)
        fail_usage(fmt::format("the albedo curve reaches {}", options.albedo->largest_y()), "albedo is at most 1");
    if (!options.crop) return;
    if (!volume.surface().is_empty() || !volume.surroundings().is_empty())
        fail_usage("a volume that is bounded by a mesh, or with surfaces around it, cannot be cropped",
                   "crop the volume that it was packed from");
    for (std::size_t i = 0; i < 3; ++i) {
        int const first = options.crop->first[i], end = options.crop->end[i];
        if (first < 0 || first >= end || end > meta.dims[i])
            fail_usage(
                fmt::format("the crop {}:{} along {} is no range of {} voxels", first, end, "xyz"[i], meta.dims[i]),
                fmt::format("give FIRST:END with 0 <= FIRST < END <= {}", meta.dims[i]));
    }
}

class RemappedVolume final : public VoxelStream {
public:
    RemappedVolume(std::unique_ptr<VoxelStream> packed, RemapOptions options)
        : packed_(std::move(packed)), options_(std::move(options))
    {
        copy_description(*packed_);
        meta_.kept_values.reset();
        crop_ = options_.crop.value_or(Crop{{0, 0, 0}, meta_.dims});
        for (std::size_t j = 0; j < 3; ++j) {
            double const shift = crop_.first[j] * static_cast<double>(meta_.pitch_mm[j]);
            for (std::size_t i = 0; i < 3; ++i)
                meta_.placement.origin_world_mm[i] += meta_.placement.rotation[3 * i + j] * shift;
            meta_.dims[j] = crop_.end[j] - crop_.first[j];
        }
        if (options_.opacity) {
            bool const keeps_floats = meta_.density_encoding == Encoding::f32;
            meta_.density_encoding = keeps_floats ? Encoding::f32 : Encoding::u16;
            meta_.density_value_scale = 1;
            if (!keeps_floats && options_.opacity->largest_y() > 0)
                meta_.density_value_scale = static_cast<float>(std::max(options_.opacity->largest_y() / 65535, 1e-37));
        }
        if (options_.albedo) {
            meta_.albedo = Source::plane;
            meta_.albedo_filter = AlbedoFilter::of_scattering;
            meta_.albedo_encoding = Encoding::f16;
            meta_.constant_one_minus_albedo.assign(meta_.bands(), 0.0f);
        }
    }

    void use_threads(int threads) override
    {
        threads_ = threads;
        packed_->use_threads(threads);
    }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        VoxelSlab const whole = packed_->read_slab(crop_.first[2] + z_first, z_count);
        VoxelSlab slab{z_first,
                       z_count,
                       cut(whole.density, z_count, 1, density_),
                       cut(whole.one_minus_albedo, z_count, meta_.bands(), one_minus_albedo_),
                       cut(whole.label, z_count, 1, label_),
                       cut(whole.emission, z_count, meta_.bands(), emission_)};
        if (options_.albedo) one_minus_albedo_.resize(density_.size() * meta_.bands());
        std::size_t const layer = density_.size() / static_cast<std::size_t>(z_count);
        if (options_.opacity || options_.albedo)
            parallel_for_joined(threads_, static_cast<std::size_t>(z_count),
                                [&](std::size_t i, int) { map_voxels(i * layer, (i + 1) * layer); });
        slab.density = density_;
        slab.one_minus_albedo = one_minus_albedo_;
        return slab;
    }

private:
    /// The part of whole layers that lies in the box.
    template <typename Number>
    std::span<Number const> cut(std::span<Number const> whole, int z_count, std::size_t channels,
                                std::vector<Number>& part) const
    {
        part.clear();
        if (whole.empty()) return part;
        auto const& dims = packed_->meta().dims;
        auto const at = [](int v) { return static_cast<std::size_t>(v); };
        part.reserve(at(meta_.dims[0]) * at(meta_.dims[1]) * at(z_count) * channels);
        for (int z = 0; z < z_count; ++z)
            for (int y = crop_.first[1]; y < crop_.end[1]; ++y) {
                std::size_t const row = (at(z) * at(dims[1]) + at(y)) * at(dims[0]) + at(crop_.first[0]);
                auto const voxels = whole.subspan(row * channels, at(meta_.dims[0]) * channels);
                part.insert(part.end(), voxels.begin(), voxels.end());
            }
        return part;
    }

    void map_voxels(std::size_t first, std::size_t end)
    {
        std::size_t const bands = meta_.bands();
        for (std::size_t i = first; i < end; ++i) {
            auto const density = static_cast<double>(density_[i]);
            if (options_.albedo) {
                auto const darkness = static_cast<float>(1 - options_.albedo->evaluate(density));
                std::fill_n(one_minus_albedo_.begin() + static_cast<std::ptrdiff_t>(i * bands), bands, darkness);
            }
            if (options_.opacity) density_[i] = static_cast<float>(options_.opacity->evaluate(density));
        }
    }

    std::unique_ptr<VoxelStream> packed_;
    RemapOptions options_;
    Crop crop_;
    int threads_ = 1;
    std::vector<float> density_;
    std::vector<float> one_minus_albedo_;
    std::vector<std::uint8_t> label_;
    std::vector<float> emission_;
};

} // namespace

std::unique_ptr<VoxelStream> make_remapped_volume(PackedVolume volume, RemapOptions options)
{
    check_options(volume, options);
    return std::make_unique<RemappedVolume>(make_packed_stream(std::move(volume), {}), std::move(options));
}

} // namespace volpt
