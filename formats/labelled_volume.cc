// Turns exact colours into material labels, slab by slab.
#include "formats/labelled_volume.h"

#include "formats/place_source.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

class LabelledVolume final : public VoxelStream {
public:
    LabelledVolume(std::unique_ptr<VolumeSource> source, Palette palette, LabelledOptions options)
        : source_(std::move(source)), colours_(std::move(palette.colours)), notices_(source_->meta().notices)
    {
        if (source_->meta().element != ElementType::u8)
            fail_input(fmt::format("the numbers are {}", element_name(source_->meta().element)), source_->meta().path,
                       "the colours of a palette have 8 bits a channel", "save the slices with 8 bits");
        materials_ = std::move(palette.materials);
        place_source(source_->meta(), options.pitch_mm, meta_, notices_);
        fill_medium(options);
        auto metadata = nlohmann::ordered_json::parse(source_->meta().metadata_json);
        for (std::size_t i = 0; i < materials_.size(); ++i)
            metadata["colour." + materials_[i].name] = format_colour(colours_[i]);
        source_metadata_json_ = metadata.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        auto const voxels = static_cast<std::size_t>(meta_.dims[0]) * static_cast<std::size_t>(meta_.dims[1]) *
                            static_cast<std::size_t>(z_count);
        auto const channels = static_cast<std::size_t>(source_->meta().channels);
        values_.resize(voxels * channels);
        source_->read_slab(z_first, z_count, values_);
        labels_.resize(voxels);
        for (std::size_t i = 0; i < voxels; ++i) {
            std::uint32_t const colour = pack_colour(values_.data() + i * channels, channels);
            // Neighbours mostly have the same colour.
            if (colour != colours_[label_]) label_ = find_label(colour, z_first, i);
            labels_[i] = static_cast<std::uint8_t>(label_);
        }
        return {z_first, z_count, {}, {}, labels_};
    }

    std::vector<std::string> list_notices() const override { return notices_; }

private:
    static std::uint32_t pack_colour(float const* values, std::size_t channels)
    {
        std::uint32_t colour = 0;
        for (std::size_t channel = 0; channel < 3; ++channel)
            colour = colour << 8 | static_cast<std::uint32_t>(values[channels == 1 ? 0 : channel]);
        return colour << 8 | (channels == 4 ? static_cast<std::uint32_t>(values[3]) : 0xffu);
    }

    std::size_t find_label(std::uint32_t colour, int z_first, std::size_t index) const
    {
        auto const found = std::find(colours_.begin(), colours_.end(), colour);
        if (found != colours_.end()) return static_cast<std::size_t>(found - colours_.begin());
        std::string known;
        for (std::size_t i = 0; i < std::min<std::size_t>(colours_.size(), 8); ++i)
            known += fmt::format("{}{} {}", i == 0 ? "" : ", ", materials_[i].name, format_colour(colours_[i]));
        fail_input(fmt::format("the colour {} is of no material", format_colour(colour)),
                   describe_voxel_at(*source_, z_first, index), "colours are matched exactly; the palette has " + known,
                   "add it to the palette, or save the slices without smoothing");
    }

    void fill_medium(LabelledOptions const& options)
    {
        std::size_t const bands = materials_.front().sigma_t.size();
        meta_.filter = options.filter;
        meta_.scale = options.scale;
        meta_.extinction = meta_.albedo = meta_.anisotropy = Source::material;
        meta_.band_numbers.resize(bands);
        for (std::size_t band = 0; band < bands; ++band) meta_.band_numbers[band] = static_cast<std::uint32_t>(band);
        meta_.constant_extinction.assign(bands, 1.0f);
        meta_.constant_one_minus_albedo.assign(bands, 0.0f);
    }

    std::unique_ptr<VolumeSource> source_;
    std::vector<std::uint32_t> colours_;
    std::vector<std::string> notices_;
    std::size_t label_ = 0; ///< of the voxel before
    std::vector<float> values_;
    std::vector<std::uint8_t> labels_;
};

} // namespace

std::unique_ptr<VoxelStream> make_labelled_volume(std::unique_ptr<VolumeSource> source, Palette palette,
                                                  LabelledOptions options)
{
    return std::make_unique<LabelledVolume>(std::move(source), std::move(palette), std::move(options));
}

} // namespace volpt
