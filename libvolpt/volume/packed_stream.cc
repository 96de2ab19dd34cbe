// Streams the layers of a packed volume.
#include "libvolpt/volume/packed_stream.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/parallel.h"
#include "libvolpt/volume/emitters/emitter_section.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/packed_layers.h"
#include "libvolpt/volume/surroundings/surrounding_sections.h"

#include <algorithm>

namespace volpt {
namespace {

class PackedStream final : public VoxelStream {
public:
    PackedStream(PackedVolume volume, RepackOptions const& options)
        : volume_(std::move(volume)), view_(volume_.view()), kept_values_(volume_.kept_values()),
          source_values_(volume_.source_values())
    {
        meta_ = volume_.meta();
        materials_ = volume_.materials();
        source_metadata_json_ = volume_.source_metadata_json();
        scene_hints_json_ = volume_.scene_hints_json();
        surface_ = volume_.surface();
        surroundings_ = volume_.surroundings();
        emitters_ = volume_.emitters();
        if ((!surroundings_.is_empty() || !emitters_.empty()) && options.pitch_mm)
            fail_usage("--pitch would move the volume's box among the surfaces and emitters that stand around it",
                       "change the scene and pack it again");
        if (!surface_.is_empty() && options.pitch_mm)
            fail_usage("--pitch would change the size of the mesh that bounds the volume",
                       "pack the mesh again with --mesh-scale");
        meta_.scale = options.scale.value_or(meta_.scale);
        if (options.filter) change_filter(*options.filter);
        if (options.g) {
            meta_.g = *options.g;
            for (auto& material : materials_) material.g = *options.g;
        }
        if (options.pitch_mm) change_pitch(*options.pitch_mm);
        if (options.encoding && meta_.extinction == Source::plane) change_encoding(*options.encoding);
    }

    void use_threads(int threads) override { threads_ = threads; }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        std::size_t const layer = static_cast<std::size_t>(meta_.dims[0]) * static_cast<std::size_t>(meta_.dims[1]);
        auto const layers = static_cast<std::size_t>(z_count);
        density_.resize(view_.density.channels * layer * layers);
        one_minus_albedo_.resize(view_.one_minus_albedo.channels * layer * layers);
        label_.resize(view_.label.channels * layer * layers);
        emission_.resize(view_.emission.channels * layer * layers);
        numbers_.resize(kept_values_.channels * layer * layers);
        parallel_for_joined(threads_, layers, [&](std::size_t i, int) {
            int const z = z_first + static_cast<int>(i);
            auto const part = [&](auto& values) {
                std::size_t const size = values.size() / layers;
                return std::span(values).subspan(i * size, size);
            };
            if (!density_.empty()) read_plane_layer(view_, view_.density, z, part(density_));
            if (!one_minus_albedo_.empty()) read_plane_layer(view_, view_.one_minus_albedo, z, part(one_minus_albedo_));
            if (!label_.empty()) read_label_layer(view_, z, part(label_));
            if (!emission_.empty()) read_plane_layer(view_, view_.emission, z, part(emission_));
            if (!numbers_.empty()) read_kept_layer(z, part(numbers_));
        });
        volume_.check_unchanged();
        return {z_first, z_count, density_, one_minus_albedo_, label_, emission_, numbers_};
    }

    std::optional<SourceValues> source_values() const override { return source_values_; }

private:
    void read_kept_layer(int z, std::span<float> numbers) const
    {
        read_plane_layer(view_, kept_values_, z, numbers);
        float const offset = choose_value_code(*meta_.kept_values).offset;
        for (float& number : numbers) number += offset;
    }

    /// Of both planes, where the albedo has a filter of its own.
    void change_filter(Filter filter)
    {
        meta_.filter = filter;
        if (meta_.albedo_filter != AlbedoFilter::of_scattering)
            meta_.albedo_filter = choose_albedo_filter(filter, filter);
    }

    void change_pitch(std::array<double, 3> const& pitch_mm)
    {
        auto& placement = meta_.placement;
        for (std::size_t j = 0; j < 3; ++j) {
            auto const pitch = static_cast<float>(pitch_mm[j]);
            double const shift =
                0.5 * meta_.dims[j] * (static_cast<double>(meta_.pitch_mm[j]) - static_cast<double>(pitch));
            for (std::size_t i = 0; i < 3; ++i) placement.origin_world_mm[i] += placement.rotation[3 * i + j] * shift;
            meta_.pitch_mm[j] = pitch;
        }
    }

    void change_encoding(Encoding encoding)
    {
        if (encoding == meta_.density_encoding) return;
        float maximum = 0;
        for (int z = 0; z < meta_.dims[2]; ++z) {
            auto const slab = read_slab(z, 1);
            for (float const density : slab.density) maximum = std::max(maximum, density);
        }
        // Densities in other codes need not give their numbers any more.
        if (source_values_ && source_values_->store != ValueStore::plane) source_values_->store = ValueStore::none;
        meta_.density_encoding = encoding;
        meta_.density_value_scale = 1;
        if (maximum > 0 && encoding == Encoding::u8) meta_.density_value_scale = maximum / 255.0f;
        if (maximum > 0 && encoding == Encoding::u16) meta_.density_value_scale = maximum / 65535.0f;
    }

    PackedVolume volume_;
    VolumeView view_;
    PlaneView kept_values_;
    std::optional<SourceValues> source_values_;
    int threads_ = 1;
    std::vector<float> density_;
    std::vector<float> one_minus_albedo_;
    std::vector<std::uint8_t> label_;
    std::vector<float> emission_;
    std::vector<float> numbers_;
};

class BandSelection final : public VoxelStream {
public:
    BandSelection(std::unique_ptr<VoxelStream> stream, std::vector<std::uint32_t> const& band_numbers)
        : stream_(std::move(stream)), is_grey_(is_grey(stream_->meta(), stream_->materials()))
    {
        copy_description(*stream_);
        for (auto const number : band_numbers) kept_.push_back(find_band(number));
        std::sort(kept_.begin(), kept_.end());
        if (std::adjacent_find(kept_.begin(), kept_.end()) != kept_.end())
            fail_usage("--bands names a band twice", "name it once");
        // One band out of several keeps its channel of a coloured light; so do renumbered bands.
        if (meta_.light_channels.empty() && kept_.size() < meta_.bands()) meta_.light_channels = meta_.band_numbers;
        keep(meta_.light_channels);
        keep(meta_.wavelengths_nm);
        keep(meta_.band_numbers);
        for (std::size_t i = 0; is_grey_ && i < kept_.size(); ++i)
            meta_.band_numbers[i] = static_cast<std::uint32_t>(i);
        keep(meta_.constant_extinction);
        keep(meta_.constant_one_minus_albedo);
        for (auto& material : materials_) {
            keep(material.sigma_t);
            keep(material.one_minus_albedo);
        }
        keep_bands(surroundings_, kept_, stream_->meta().bands());
        keep_bands(emitters_, kept_);
    }

    void use_threads(int threads) override { stream_->use_threads(threads); }
    int layers_at_a_time() const override { return stream_->layers_at_a_time(); }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        VoxelSlab slab = stream_->read_slab(z_first, z_count);
        slab.one_minus_albedo = keep(slab.one_minus_albedo, one_minus_albedo_);
        slab.emission = keep(slab.emission, emission_);
        return slab;
    }

    std::vector<std::string> list_notices() const override { return stream_->list_notices(); }
    std::vector<std::string> list_facts() const override { return stream_->list_facts(); }
    std::string report_json() const override { return stream_->report_json(); }

    std::optional<SourceValues> source_values() const override
    {
        auto values = stream_->source_values();
        if (!values) return values;
        for (auto& point : values->transfer) keep(point.albedo);
        return values;
    }

private:
    std::size_t find_band(std::uint32_t number) const
    {
        auto const& numbers = stream_->meta().band_numbers;
        auto const found = std::find(numbers.begin(), numbers.end(), number);
        if (found != numbers.end()) return static_cast<std::size_t>(found - numbers.begin());
        std::string list;
        for (auto const known : numbers) list += (list.empty() ? "" : ", ") + std::to_string(known);
        fail_usage("--bands: the volume has no band " + std::to_string(number), "choose among " + list);
    }

    /// Of a plane by voxel and band, into `kept`.
    std::span<float const> keep(std::span<float const> plane, std::vector<float>& kept) const
    {
        std::size_t const bands = stream_->meta().bands();
        kept.clear();
        for (std::size_t i = 0; i < plane.size(); i += bands)
            for (std::size_t const band : kept_) kept.push_back(plane[i + band]);
        return kept;
    }

    template <typename Value>
    void keep(std::vector<Value>& by_band) const
    {
        std::vector<Value> values;
        for (std::size_t const band : kept_)
            if (band < by_band.size()) values.push_back(by_band[band]);
        by_band = std::move(values);
    }

    std::unique_ptr<VoxelStream> stream_;
    bool is_grey_;
    std::vector<std::size_t> kept_;
    std::vector<float> one_minus_albedo_;
    std::vector<float> emission_;
};

bool are_equal(std::vector<float> const& values)
{
    return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

} // namespace

bool is_grey(VolumeMeta const& meta, std::vector<Material> const& materials)
{
    // The only band of a chromatic volume keeps its number, and the volume stays chromatic.
    if (meta.bands() == 1) return meta.band_numbers[0] == 0;
    if (meta.extinction == Source::plane) return true;
    if (meta.extinction == Source::constant) return are_equal(meta.constant_extinction);
    return std::all_of(materials.begin(), materials.end(),
                       [](Material const& material) { return are_equal(material.sigma_t); });
}

std::unique_ptr<VoxelStream> make_packed_stream(PackedVolume volume, RepackOptions const& options)
{
    return std::make_unique<PackedStream>(std::move(volume), options);
}

std::unique_ptr<VoxelStream> select_bands(std::unique_ptr<VoxelStream> stream,
                                          std::vector<std::uint32_t> const& band_numbers)
{
    return std::make_unique<BandSelection>(std::move(stream), band_numbers);
}

} // namespace volpt
