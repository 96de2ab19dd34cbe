#include "libvolpt/volume/source/cropped_source.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

SourceMeta describe_crop(SourceMeta meta, Crop const& crop, std::optional<std::array<double, 3>> const& pitch_mm)
{
    // A source that may not go without a pitch is refused when it is placed.
    bool const has_pitch = pitch_mm || meta.pitch_mm || meta.missing_pitch == MissingPitch::one_mm;
    auto const pitch = pitch_mm ? *pitch_mm : meta.pitch_mm.value_or(std::array<double, 3>{1, 1, 1});
    if (has_pitch) {
        std::array<double, 3> first_voxel = meta.first_voxel_world_mm.value_or(std::array<double, 3>{});
        for (std::size_t j = 0; j < 3; ++j) {
            double const steps = crop.first[j] - (meta.first_voxel_world_mm ? 0 : 0.5 * (meta.dims[j] - 1));
            // Volumes keep their pitch as float.
            double const along = steps * static_cast<double>(static_cast<float>(pitch[j]));
            for (std::size_t i = 0; i < 3; ++i) first_voxel[i] += meta.rotation[3 * i + j] * along;
        }
        meta.first_voxel_world_mm = first_voxel;
    }
    for (std::size_t i = 0; i < 3; ++i) meta.dims[i] = crop.end[i] - crop.first[i];
    if (meta.job)
        for (PrintJob::Material& material : meta.job->materials) material.voxels.reset();
    return meta;
}

class CroppedSource final : public VolumeSource {
public:
    CroppedSource(std::unique_ptr<VolumeSource> source, Crop const& crop,
                  std::optional<std::array<double, 3>> const& pitch_mm)
        : VolumeSource(describe_crop(source->meta(), crop, pitch_mm)), source_(std::move(source)), crop_(crop)
    {
    }

    void use_threads(int threads) override { source_->use_threads(threads); }
    bool is_indexed() const override { return source_->is_indexed(); }

    void read_slab(int z_first, int z_count, std::span<float> values) override
    {
        auto const channels = static_cast<std::size_t>(meta().channels);
        whole_.resize(source_voxels(z_count) * channels);
        source_->read_slab(crop_.first[2] + z_first, z_count, whole_);
        cut(z_count, channels, whole_, values);
    }

    void read_indexed(int z_first, int z_count, std::span<std::uint8_t> indices, std::span<Palette> palettes) override
    {
        whole_indices_.resize(source_voxels(z_count));
        source_->read_indexed(crop_.first[2] + z_first, z_count, whole_indices_, palettes);
        cut(z_count, 1, whole_indices_, indices);
    }

    std::vector<std::string> list_notices() const override { return source_->list_notices(); }

    std::string describe_voxel(int x, int y, int z) const override
    {
        return source_->describe_voxel(x + crop_.first[0], y + crop_.first[1], z + crop_.first[2]);
    }

private:
    std::size_t source_voxels(int z_count) const
    {
        SourceMeta const& source = source_->meta();
        return static_cast<std::size_t>(source.dims[0]) * static_cast<std::size_t>(source.dims[1]) *
               static_cast<std::size_t>(z_count);
    }

    template <typename Number>
    void cut(int z_count, std::size_t channels, std::vector<Number> const& whole, std::span<Number> part) const
    {
        std::size_t const row = static_cast<std::size_t>(meta().dims[0]) * channels;
        std::size_t const source_row = static_cast<std::size_t>(source_->meta().dims[0]) * channels;
        auto const source_rows = static_cast<std::size_t>(source_->meta().dims[1]);
        auto out = part.begin();
        for (std::size_t z = 0; z < static_cast<std::size_t>(z_count); ++z)
            for (auto y = static_cast<std::size_t>(crop_.first[1]); y < static_cast<std::size_t>(crop_.end[1]); ++y) {
                std::size_t const at =
                    (z * source_rows + y) * source_row + static_cast<std::size_t>(crop_.first[0]) * channels;
                out = std::copy_n(whole.begin() + static_cast<std::ptrdiff_t>(at), row, out);
            }
    }

    std::unique_ptr<VolumeSource> source_;
    Crop crop_;
    std::vector<float> whole_; ///< layers as the source has them
    std::vector<std::uint8_t> whole_indices_;
};

} // namespace

std::unique_ptr<VolumeSource> crop_source(std::unique_ptr<VolumeSource> source, Crop const& crop,
                                          std::optional<std::array<double, 3>> const& pitch_mm)
{
    SourceMeta const& meta = source->meta();
    for (std::size_t i = 0; i < 3; ++i)
        if (crop.first[i] < 0 || crop.first[i] >= crop.end[i] || crop.end[i] > meta.dims[i])
            fail_usage(fmt::format("--crop {}:{} along {} is no range of the {} voxels of {}", crop.first[i],
                                   crop.end[i], "xyz"[i], meta.dims[i], meta.path),
                       fmt::format("give FIRST:END with 0 <= FIRST < END <= {}", meta.dims[i]));
    return std::make_unique<CroppedSource>(std::move(source), crop, pitch_mm);
}

} // namespace volpt
