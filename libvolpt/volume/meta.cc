// Checks a volume's metadata and derives shapes, distinct bands and the stored record from it.
#include "libvolpt/volume/meta.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

bool is_enum_valid(Source s)
{
    return s == Source::constant || s == Source::plane || s == Source::material;
}
bool is_enum_valid(Encoding e)
{
    return static_cast<std::uint32_t>(e) <= static_cast<std::uint32_t>(Encoding::f32);
}
bool is_enum_valid(Filter f)
{
    return f == Filter::trilinear || f == Filter::nearest;
}

bool is_non_negative(float v)
{
    return std::isfinite(v) && v >= 0.0f;
}
bool is_fraction(float v)
{
    return v >= 0.0f && v <= 1.0f;
}
bool is_anisotropy(float v)
{
    return v > -1.0f && v < 1.0f;
}

// Rotations in files are often rounded to four or five digits.
bool is_orthonormal(std::array<double, 9> const& m)
{
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            double const dot = m[i] * m[j] + m[3 + i] * m[3 + j] + m[6 + i] * m[6 + j];
            if (!(std::abs(dot - (i == j ? 1.0 : 0.0)) <= 1e-3)) return false;
        }
    }
    return true;
}

std::string find_geometry_contradiction(VolumeMeta const& meta)
{
    for (std::size_t axis = 0; axis < 3; ++axis) {
        int const voxels = meta.dims[axis];
        if (voxels < 1 || voxels > static_cast<int>(vpk::kMaxDim)) {
            return fmt::format("dims[{}] is {}; an axis has 1 to {} voxels", axis, voxels, vpk::kMaxDim);
        }
        float const pitch = meta.pitch_mm[axis];
        if (!(std::isfinite(pitch) && pitch > 0.0f)) {
            return fmt::format("pitch_mm[{}] is {}; it has to be finite and positive", axis, pitch);
        }
        if (!std::isfinite(meta.placement.origin_world_mm[axis])) return "the origin is not finite";
    }
    if (!is_orthonormal(meta.placement.rotation)) return "the rotation is not orthonormal";
    if (!is_enum_valid(meta.filter)) return "the filter is neither trilinear nor nearest";
    return {};
}

std::string find_band_contradiction(VolumeMeta const& meta)
{
    std::size_t const bands = meta.band_numbers.size();
    if (bands < 1 || bands > static_cast<std::size_t>(kMaxBands)) {
        return fmt::format("there are {} bands; a volume has 1 to {}", bands, kMaxBands);
    }
    for (std::size_t b = 1; b < bands; ++b) {
        if (meta.band_numbers[b] <= meta.band_numbers[b - 1]) return "the band numbers do not ascend";
    }
    if (meta.extinction == Source::constant &&
        (meta.constant_extinction.size() != bands ||
         !std::all_of(meta.constant_extinction.begin(), meta.constant_extinction.end(), is_non_negative))) {
        return "constant_extinction needs one finite, non-negative value a band";
    }
    if (meta.albedo == Source::constant &&
        (meta.constant_one_minus_albedo.size() != bands ||
         !std::all_of(meta.constant_one_minus_albedo.begin(), meta.constant_one_minus_albedo.end(), is_fraction))) {
        return "constant_one_minus_albedo needs one value of 0 to 1 a band";
    }
    return {};
}

std::string find_source_contradiction(VolumeMeta const& meta)
{
    if (!is_enum_valid(meta.extinction) || !is_enum_valid(meta.albedo) || !is_enum_valid(meta.anisotropy)) {
        return "a source is none of constant, plane, material";
    }
    if (meta.anisotropy == Source::plane) return "anisotropy comes from a constant or from materials, not from a plane";
    if (!is_non_negative(meta.scale))
        return fmt::format("scale is {}; it has to be finite and not negative", meta.scale);
    if (meta.anisotropy == Source::constant && !is_anisotropy(meta.g)) {
        return fmt::format("g is {}; it has to lie between -1 and 1, both excluded", meta.g);
    }
    if (meta.extinction == Source::plane) {
        if (!is_enum_valid(meta.density_encoding)) return "the density encoding is unknown";
        if (!(std::isfinite(meta.density_value_scale) && meta.density_value_scale > 0.0f)) {
            return fmt::format("density_value_scale is {}; it has to be finite and positive", meta.density_value_scale);
        }
    }
    if (meta.albedo == Source::plane && !is_enum_valid(meta.albedo_encoding)) return "the albedo encoding is unknown";
    return {};
}

std::string find_material_contradiction(VolumeMeta const& meta, std::vector<Material> const& materials)
{
    if (needs_labels(meta) != !materials.empty()) {
        return materials.empty() ? "a source is the material table, which is empty"
                                 : "there are materials, but no source reads them";
    }
    if (materials.size() > static_cast<std::size_t>(kMaxMaterials)) {
        return fmt::format("there are {} materials; a label is one byte", materials.size());
    }
    for (std::size_t m = 0; m < materials.size(); ++m) {
        Material const& material = materials[m];
        if (material.sigma_t.size() != meta.bands() || material.one_minus_albedo.size() != meta.bands()) {
            return fmt::format("material {} ('{}') has not {} bands", m, material.name, meta.bands());
        }
        if (!std::all_of(material.sigma_t.begin(), material.sigma_t.end(), is_non_negative) ||
            !std::all_of(material.one_minus_albedo.begin(), material.one_minus_albedo.end(), is_fraction) ||
            !is_anisotropy(material.g)) {
            return fmt::format("material {} ('{}') has a sigma_t, albedo or g out of range", m, material.name);
        }
    }
    return {};
}

std::string find_size_contradiction(VolumeMeta const& meta, std::vector<Material> const& materials)
{
    std::uint64_t const bricks = count_bricks(meta);
    std::uint64_t words_each = find_distinct_bands(meta, materials).representative.size();
    for (PlaneShape const& shape : {density_shape(meta), albedo_shape(meta), label_shape(meta)}) {
        words_each = std::max<std::uint64_t>(words_each, shape.table_stride);
    }
    if (bricks * words_each < vpk::kMaxWords) return {};
    return fmt::format("{} x {} x {} voxels make {} bricks, more than a table can index", meta.dims[0], meta.dims[1],
                       meta.dims[2], bricks);
}

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

std::string find_contradiction(VolumeMeta const& meta, std::vector<Material> const& materials)
{
    std::string found = find_geometry_contradiction(meta);
    if (found.empty()) found = find_source_contradiction(meta);
    if (found.empty()) found = find_band_contradiction(meta);
    if (found.empty()) found = find_material_contradiction(meta, materials);
    if (found.empty()) found = find_size_contradiction(meta, materials);
    return found;
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

vpk::MetaRecord to_record(VolumeMeta const& meta, std::vector<Material> const& materials)
{
    vpk::MetaRecord record{};
    std::transform(meta.dims.begin(), meta.dims.end(), record.dims.begin(),
                   [](int v) { return static_cast<std::uint32_t>(v); });
    record.bands = meta.bands();
    record.pitch_mm = meta.pitch_mm;
    record.scale = meta.scale;
    record.rotation = meta.placement.rotation;
    record.origin_world_mm = meta.placement.origin_world_mm;
    record.filter = static_cast<std::uint32_t>(meta.filter);
    record.extinction = static_cast<std::uint32_t>(meta.extinction);
    record.albedo = static_cast<std::uint32_t>(meta.albedo);
    record.anisotropy = static_cast<std::uint32_t>(meta.anisotropy);
    record.material_count = static_cast<std::uint32_t>(materials.size());
    std::copy(meta.band_numbers.begin(), meta.band_numbers.end(), record.band_numbers.begin());
    if (meta.anisotropy == Source::constant) record.g = meta.g;
    if (meta.extinction == Source::plane) {
        record.density_encoding = static_cast<std::uint32_t>(meta.density_encoding);
        record.density_value_scale = density_shape(meta).value_scale;
    }
    if (meta.albedo == Source::plane) record.albedo_encoding = static_cast<std::uint32_t>(meta.albedo_encoding);
    if (meta.extinction == Source::constant) {
        std::copy(meta.constant_extinction.begin(), meta.constant_extinction.end(), record.constant_extinction.begin());
    }
    if (meta.albedo == Source::constant) {
        std::copy(meta.constant_one_minus_albedo.begin(), meta.constant_one_minus_albedo.end(),
                  record.constant_one_minus_albedo.begin());
    }
    return record;
}

VolumeMeta from_record(vpk::MetaRecord const& record)
{
    auto const bands = std::min<std::size_t>(record.bands, kMaxBands);
    VolumeMeta meta;
    std::transform(record.dims.begin(), record.dims.end(), meta.dims.begin(), [](std::uint32_t v) {
        return static_cast<int>(std::min(v, vpk::kMaxDim + 1)); // one too many stays one too many
    });
    meta.pitch_mm = record.pitch_mm;
    meta.scale = record.scale;
    meta.placement = {record.rotation, record.origin_world_mm};
    meta.filter = static_cast<Filter>(record.filter);
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
    meta.band_numbers = first(record.band_numbers);
    meta.constant_extinction = first(record.constant_extinction);
    meta.constant_one_minus_albedo = first(record.constant_one_minus_albedo);
    return meta;
}

} // namespace volpt
