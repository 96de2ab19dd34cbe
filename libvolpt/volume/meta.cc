#include "libvolpt/volume/meta.h"

#include "libvolpt/volume/checked_sections.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

std::uint32_t round_up_to_gather(std::uint32_t elements)
{
    return elements <= 2 ? elements : (elements + 3) / 4 * 4;
}

PlaneShape make_shape(Encoding encoding, float value_scale, std::uint32_t channels)
{
    return {encoding, value_scale, channels, round_up_to_gather(channels), round_up_to_gather(1 + channels)};
}

float albedo_value_scale(Encoding encoding)
{
    return encoding == Encoding::u8 ? 1.0f / 255.0f : encoding == Encoding::u16 ? 1.0f / 65535.0f : 1.0f;
}

} // namespace

bool is_air(Material const& material)
{
    return std::ranges::all_of(material.sigma_t, [](float sigma_t) { return sigma_t == 0; });
}

AlbedoFilter choose_albedo_filter(Filter extinction, Filter albedo)
{
    if (albedo == Filter::trilinear) return AlbedoFilter::trilinear;
    return extinction == Filter::nearest ? AlbedoFilter::of_scattering : AlbedoFilter::nearest;
}

bool needs_labels(VolumeMeta const& meta)
{
    return meta.extinction == Source::material || meta.albedo == Source::material ||
           meta.anisotropy == Source::material;
}

std::array<int, 3> count_bricks_by_axis(VolumeMeta const& meta)
{
    std::array<int, 3> counts{};
    for (std::size_t axis = 0; axis < 3; ++axis) counts[axis] = (meta.dims[axis] + kBrickEdge - 1) / kBrickEdge;
    return counts;
}

double find_longest_side_mm(VolumeMeta const& meta)
{
    double longest_mm = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
        longest_mm = std::max(longest_mm, meta.dims[axis] * static_cast<double>(meta.pitch_mm[axis]));
    return longest_mm;
}

std::uint64_t count_bricks(VolumeMeta const& meta)
{
    std::uint64_t product = 1;
    for (int count : count_bricks_by_axis(meta)) product *= static_cast<std::uint64_t>(count);
    return product;
}

PlaneShape density_shape(VolumeMeta const& meta)
{
    if (meta.extinction != Source::plane) return {};
    bool const is_code = meta.density_encoding == Encoding::u8 || meta.density_encoding == Encoding::u16;
    return make_shape(meta.density_encoding, is_code ? meta.density_value_scale : 1.0f, 1);
}

PlaneShape albedo_shape(VolumeMeta const& meta)
{
    if (meta.albedo != Source::plane) return {};
    return make_shape(meta.albedo_encoding, albedo_value_scale(meta.albedo_encoding), meta.bands());
}

PlaneShape label_shape(VolumeMeta const& meta)
{
    return needs_labels(meta) ? make_shape(Encoding::u8, 1.0f, 1) : PlaneShape{};
}

PlaneShape emission_shape(VolumeMeta const& meta)
{
    return meta.has_emission ? make_shape(Encoding::f32, 1.0f, meta.bands()) : PlaneShape{};
}

PlaneShape values_shape(VolumeMeta const& meta)
{
    return meta.kept_values ? make_shape(choose_value_code(*meta.kept_values).encoding, 1.0f, 1) : PlaneShape{};
}

ExtinctionBands find_distinct_bands(VolumeMeta const& meta, std::vector<Material> const& materials)
{
    auto const is_same = [&](std::uint32_t a, std::uint32_t b) {
        if (meta.extinction == Source::plane) return true;
        if (meta.extinction == Source::constant) return meta.constant_extinction[a] == meta.constant_extinction[b];
        return std::all_of(materials.begin(), materials.end(),
                           [&](Material const& m) { return m.sigma_t[a] == m.sigma_t[b]; });
    };
    ExtinctionBands bands;
    for (std::uint32_t band = 0; band < meta.bands(); ++band) {
        auto const found = std::find_if(bands.representative.begin(), bands.representative.end(),
                                        [&](std::uint32_t other) { return is_same(band, other); });
        bands.index.push_back(static_cast<std::uint32_t>(found - bands.representative.begin()));
        if (found == bands.representative.end()) bands.representative.push_back(band);
    }
    return bands;
}

std::vector<float> build_material_tables(std::uint32_t bands, std::vector<Material> const& materials)
{
    std::size_t const plane = static_cast<std::size_t>(bands) * kMaxMaterials;
    std::vector<float> tables(2 * plane + kMaxMaterials);
    for (std::size_t label = 0; label < materials.size(); ++label) {
        for (std::size_t band = 0; band < bands; ++band) {
            tables[band * kMaxMaterials + label] = materials[label].sigma_t[band] + 0.0f; // -0 becomes 0
            tables[plane + band * kMaxMaterials + label] = materials[label].one_minus_albedo[band] + 0.0f;
        }
        tables[2 * plane + label] = materials[label].g;
    }
    return tables;
}

StoredMeta to_record(VolumeMeta const& meta, std::vector<Material> const& materials)
{
    StoredMeta stored{};
    vpk::MetaRecord& record = stored.record;
    std::transform(meta.dims.begin(), meta.dims.end(), record.dims.begin(),
                   [](int v) { return static_cast<std::uint32_t>(v); });
    record.bands = meta.bands();
    record.pitch_mm = meta.pitch_mm;
    record.scale = meta.scale;
    record.rotation = meta.placement.rotation;
    record.origin_world_mm = meta.placement.origin_world_mm;
    record.filter = static_cast<std::uint32_t>(meta.filter);
    record.albedo_filter = static_cast<std::uint32_t>(meta.albedo_filter);
    record.extinction = static_cast<std::uint32_t>(meta.extinction);
    record.albedo = static_cast<std::uint32_t>(meta.albedo);
    record.anisotropy = static_cast<std::uint32_t>(meta.anisotropy);
    record.material_count = static_cast<std::uint32_t>(materials.size());
    for (std::uint32_t const channel : meta.light_channels) record.light_channels[channel / 32] |= 1u << channel % 32;
    std::copy(meta.band_numbers.begin(), meta.band_numbers.end(), stored.by_band.band_numbers.begin());
    if (meta.anisotropy == Source::constant) record.g = meta.g;
    if (meta.extinction == Source::plane) {
        record.density_encoding = static_cast<std::uint32_t>(meta.density_encoding);
        record.density_value_scale = density_shape(meta).value_scale;
    }
    if (meta.albedo == Source::plane) record.albedo_encoding = static_cast<std::uint32_t>(meta.albedo_encoding);
    if (meta.extinction == Source::constant) {
        std::copy(meta.constant_extinction.begin(), meta.constant_extinction.end(),
                  stored.by_band.constant_extinction.begin());
    }
    if (meta.albedo == Source::constant) {
        std::copy(meta.constant_one_minus_albedo.begin(), meta.constant_one_minus_albedo.end(),
                  stored.by_band.constant_one_minus_albedo.begin());
    }
    return stored;
}

namespace {

template <std::size_t from_size, std::size_t to_size>
void copy_columns(vpk::BandColumns<from_size> const& from, std::size_t first, std::size_t count,
                  vpk::BandColumns<to_size>& to, std::size_t to_first)
{
    auto const copy = [&](auto const& column, auto& to_column) {
        std::copy_n(column.begin() + static_cast<std::ptrdiff_t>(first), count,
                    to_column.begin() + static_cast<std::ptrdiff_t>(to_first));
    };
    copy(from.band_numbers, to.band_numbers);
    copy(from.constant_extinction, to.constant_extinction);
    copy(from.constant_one_minus_albedo, to.constant_one_minus_albedo);
    copy(from.global_majorant, to.global_majorant);
}

} // namespace

void write_meta(SectionedWriter& writer, StoredMeta stored, VolumeMeta const& meta)
{
    vpk::MoreBandsRecord more{};
    copy_columns(stored.by_band, 0, vpk::kMetaBands, stored.record.by_band, 0);
    copy_columns(stored.by_band, vpk::kMetaBands, kMaxBands - vpk::kMetaBands, more, 0);
    writer.write_section(vpk::kMeta, std::as_bytes(std::span(&stored.record, 1)));
    if (meta.bands() > vpk::kMetaBands) writer.write_section(vpk::kMoreBands, std::as_bytes(std::span(&more, 1)));
    if (!meta.wavelengths_nm.empty())
        writer.write_section(vpk::kWavelengths, std::as_bytes(std::span(meta.wavelengths_nm)));
}

StoredMeta read_stored_meta(SectionedFile const& file)
{
    StoredMeta stored{};
    stored.record = read_record<vpk::MetaRecord>(file, vpk::kMeta);
    std::uint32_t const bands = stored.record.bands;
    if (bands < 1 || bands > static_cast<std::uint32_t>(kMaxBands))
        refuse_section(file, vpk::kMeta, offsetof(vpk::MetaRecord, bands),
                       fmt::format("{} bands; a volume has 1 to {}", bands, kMaxBands));
    copy_columns(stored.record.by_band, 0, vpk::kMetaBands, stored.by_band, 0);
    if (bands > vpk::kMetaBands)
        copy_columns(read_record<vpk::MoreBandsRecord>(file, vpk::kMoreBands), 0, kMaxBands - vpk::kMetaBands,
                     stored.by_band, vpk::kMetaBands);
    return stored;
}

VolumeMeta from_record(StoredMeta const& stored)
{
    vpk::MetaRecord const& record = stored.record;
    std::size_t const bands = record.bands;
    VolumeMeta meta;
    std::transform(record.dims.begin(), record.dims.end(), meta.dims.begin(), [](std::uint32_t v) {
        return static_cast<int>(std::min(v, vpk::kMaxDim + 1)); // one too many stays one too many
    });
    meta.pitch_mm = record.pitch_mm;
    meta.scale = record.scale;
    meta.placement = {record.rotation, record.origin_world_mm};
    meta.filter = static_cast<Filter>(record.filter);
    meta.albedo_filter = static_cast<AlbedoFilter>(record.albedo_filter);
    meta.extinction = static_cast<Source>(record.extinction);
    meta.albedo = static_cast<Source>(record.albedo);
    meta.anisotropy = static_cast<Source>(record.anisotropy);
    meta.g = record.g;
    if (meta.extinction == Source::plane) {
        meta.density_encoding = static_cast<Encoding>(record.density_encoding);
        meta.density_value_scale = record.density_value_scale;
    }
    if (meta.albedo == Source::plane) meta.albedo_encoding = static_cast<Encoding>(record.albedo_encoding);
    auto const first = [&](auto const& values) {
        return std::vector(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(bands));
    };
    for (std::uint32_t channel = 0; channel < 64; ++channel)
        if ((record.light_channels[channel / 32] >> channel % 32 & 1u) != 0) meta.light_channels.push_back(channel);
    meta.band_numbers = first(stored.by_band.band_numbers);
    meta.constant_extinction = first(stored.by_band.constant_extinction);
    meta.constant_one_minus_albedo = first(stored.by_band.constant_one_minus_albedo);
    return meta;
}

} // namespace volpt
