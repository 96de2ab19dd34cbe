// Joins slabs of density and of albedo.
#include "libvolpt/medium/tinted_volume.h"

#include "libvolpt/sys/error.h"

#include <fmt/format.h>
#include <numeric>

namespace volpt {
namespace {

class TintedVolume final : public VoxelStream {
public:
    TintedVolume(std::unique_ptr<VoxelStream> density, std::unique_ptr<VolumeSource> albedo, Encoding albedo_encoding)
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

    std::vector<std::string> list_notices() const override
    {
        auto notices = density_->list_notices();
        auto const& more = albedo_->meta().notices;
        notices.insert(notices.end(), more.begin(), more.end());
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

std::unique_ptr<VoxelStream> make_tinted_volume(std::unique_ptr<VoxelStream> density,
                                                std::unique_ptr<VolumeSource> albedo, Encoding albedo_encoding)
{
    return std::make_unique<TintedVolume>(std::move(density), std::move(albedo), albedo_encoding);
}

} // namespace volpt
