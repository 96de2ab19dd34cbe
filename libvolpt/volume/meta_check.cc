// find_contradiction: the checks of a volume's metadata.
#include "libvolpt/volume/medium_ranges.h"
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
    return kAnisotropyRange.contains(static_cast<double>(v));
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

/// Cameras stand within 1e9 mm of the origin: so does one that has the whole of such a box in view.
constexpr double kMaxSize_mm = 1e8;
constexpr double kMaxOrigin_mm = 5e8;
constexpr double kMinPitch_mm = 1e-9;
/// Of the box's longest side against the distance of its corner: less is lost in the rounding of camera positions.
constexpr double kMinSizeRatio = 1e-9;

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
    return find_extent_contradiction(meta);
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
    auto const& wavelengths = meta.wavelengths_nm;
    bool const is_visible =
        std::all_of(wavelengths.begin(), wavelengths.end(), [](float nm) { return nm >= 300.0f && nm <= 1100.0f; });
    if (!wavelengths.empty() &&
        (wavelengths.size() != bands || !is_visible ||
         std::adjacent_find(wavelengths.begin(), wavelengths.end(), std::greater_equal<>()) != wavelengths.end()))
        return "the wavelengths are not one a band, ascending, 300 to 1100 nm";
    auto const& channels = meta.light_channels;
    if (!channels.empty() &&
        (channels.size() != bands || channels.back() >= static_cast<std::uint32_t>(kMaxBands) ||
         std::adjacent_find(channels.begin(), channels.end(), std::greater_equal<>()) != channels.end())) {
        return fmt::format("the light channels are not one a band, ascending and below {}", kMaxBands);
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

std::string find_albedo_filter_contradiction(VolumeMeta const& meta)
{
    if (meta.albedo_filter == AlbedoFilter::of_scattering) return {};
    if (static_cast<std::uint32_t>(meta.albedo_filter) > static_cast<std::uint32_t>(AlbedoFilter::nearest))
        return "the albedo filter is unknown";
    if (meta.extinction != Source::plane || meta.albedo != Source::plane)
        return "there is an albedo filter, but extinction and albedo are not both planes";
    if (meta.has_emission)
        return "there is an albedo filter, and the medium emits: how much follows from both in one voxel";
    return {};
}

std::string find_source_contradiction(VolumeMeta const& meta)
{
    if (!is_enum_valid(meta.extinction) || !is_enum_valid(meta.albedo) || !is_enum_valid(meta.anisotropy)) {
        return "a source is none of constant, plane, material";
    }
    if (meta.anisotropy == Source::plane) return "anisotropy comes from a constant or from materials, not from a plane";
    if (!(meta.scale >= 0.0f && meta.scale <= kMaxScale))
        return fmt::format("scale is {}; it has to lie between 0 and {}", meta.scale, kMaxScale);
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
    return find_albedo_filter_contradiction(meta);
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

} // namespace

std::string find_extent_contradiction(VolumeMeta const& meta)
{
    double longest_mm = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        auto const pitch_mm = static_cast<double>(meta.pitch_mm[axis]);
        double const size_mm = meta.dims[axis] * pitch_mm;
        if (!(pitch_mm >= 0.999 * kMinPitch_mm && size_mm <= kMaxSize_mm)) // a float's rounding is no mistake
            return fmt::format("{} voxels of {} mm along {}; voxels have at least {} mm and a box at most {} mm",
                               meta.dims[axis], meta.pitch_mm[axis], "xyz"[axis], kMinPitch_mm, kMaxSize_mm);
        longest_mm = std::max(longest_mm, size_mm);
    }
    for (double const origin_mm : meta.placement.origin_world_mm)
        if (!(std::abs(origin_mm) <= kMaxOrigin_mm && std::abs(origin_mm) * kMinSizeRatio <= longest_mm))
            return fmt::format(
                "the origin has the coordinate {} mm; it has to lie within {} mm, and within 1e9 times the "
                "box's longest side, {} mm",
                origin_mm, kMaxOrigin_mm, longest_mm);
    return {};
}

std::string find_contradiction(VolumeMeta const& meta, std::vector<Material> const& materials)
{
    std::string found = find_geometry_contradiction(meta);
    if (found.empty()) found = find_source_contradiction(meta);
    if (found.empty()) found = find_band_contradiction(meta);
    if (found.empty()) found = find_material_contradiction(meta, materials);
    if (found.empty()) found = find_size_contradiction(meta, materials);
    return found;
}

} // namespace volpt
