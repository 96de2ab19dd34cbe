#include "libvolpt/scene/layer_image.h"

#include "libvolpt/colour/colour_space.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/packed_layers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace volpt {
namespace {

std::optional<PaintColour> parse_colour(std::string const& text)
{
    std::uint32_t value = 0;
    auto const* const end = text.data() + text.size();
    if (text.size() != 7 || text[0] != '#' || std::from_chars(text.data() + 1, end, value, 16).ptr != end)
        return std::nullopt;
    PaintColour colour{};
    for (std::size_t i = 0; i < 3; ++i) colour[i] = static_cast<float>(value >> (16 - 8 * i) & 0xffu) / 255.0f;
    return colour;
}

PaintColour show_albedo(Material const& material, std::vector<float> const& wavelengths_nm)
{
    auto const& darkness = material.one_minus_albedo;
    PaintColour colour{};
    if (wavelengths_nm.empty()) {
        for (std::size_t i = 0; i < 3; ++i) colour[i] = 1 - darkness[darkness.size() < 3 ? 0 : i];
        return colour;
    }
    std::vector<Triple> const weights = make_band_weights(darkness.size(), wavelengths_nm, Illuminant::d65);
    Triple xyz{};
    for (std::size_t band = 0; band < darkness.size(); ++band)
        for (std::size_t i = 0; i < 3; ++i) xyz[i] += weights[band][i] * (1 - static_cast<double>(darkness[band]));
    Triple const rgb = kRelativeXyzToRgb * xyz;
    for (std::size_t i = 0; i < 3; ++i) colour[i] = static_cast<float>(std::clamp(rgb[i], 0.0, 1.0));
    return colour;
}

void require_own_colours(PackedVolume const& volume)
{
    auto const metadata = nlohmann::json::parse(volume.source_metadata_json());
    for (Material const& material : volume.materials())
        if (!find_named_colour(metadata, material.name))
            fail_usage(fmt::format("material '{}' has no opaque colour of its own", material.name),
                       "pack the slices with --palette");
}

/// By its albedo air would be as white as a white ink.
void paint_air(PackedVolume const& volume, std::vector<PaintColour>& colours)
{
    constexpr PaintColour kGrey{0.5f, 0.5f, 0.5f};
    auto const metadata = nlohmann::json::parse(volume.source_metadata_json());
    auto const& materials = volume.materials();
    for (std::size_t i = 0; i < materials.size(); ++i)
        if (is_air(materials[i]) && !find_named_colour(metadata, materials[i].name)) colours[i] = kGrey;
}

void draw_labels(PackedVolume const& volume, int z, LayerLook look, Image& image)
{
    if (look == LayerLook::exact) require_own_colours(volume);
    auto colours = choose_material_colours(volume);
    if (look == LayerLook::shown) paint_air(volume, colours);
    std::vector<std::uint8_t> labels(image.pixel_count());
    read_label_layer(volume.view(), z, labels);
    for (std::size_t channel = 0; channel < 3; ++channel)
        for (std::size_t i = 0; i < labels.size(); ++i) image.channels[channel].values[i] = colours[labels[i]][channel];
}

void draw_density(PackedVolume const& volume, int z, LayerLook look, Image& image)
{
    VolumeMeta const& meta = volume.meta();
    VolumeView const view = volume.view();
    bool const is_exact = meta.density_encoding == Encoding::u8 && meta.density_value_scale == 1.0f;
    if (look == LayerLook::exact && !is_exact)
        fail_usage("the densities are no integers of 8 or 16 bits", "write .nrrd or .mha, which hold any number");
    float const white = look == LayerLook::exact ? 255.0f : std::max(view.global_majorant[0], 1e-30f);
    auto& values = image.channels[0].values;
    read_plane_layer(view, view.density, z, values);
    for (float& value : values) value /= white;
}

void draw_albedo(PackedVolume const& volume, int z, LayerLook look, Image& image)
{
    VolumeView const view = volume.view();
    if (look == LayerLook::exact &&
        (volume.meta().albedo_encoding != Encoding::u8 || (view.bands != 1 && view.bands != 3)))
        fail_usage("the albedo is not 8-bit grey or R G B", "a PNG stack cannot hold it");
    std::vector<float> values(image.pixel_count() * view.one_minus_albedo.channels);
    read_plane_layer(view, view.one_minus_albedo, z, values);
    for (std::size_t channel = 0; channel < image.channels.size(); ++channel)
        for (std::size_t i = 0; i < image.pixel_count(); ++i)
            image.channels[channel].values[i] = 1 - values[i * view.one_minus_albedo.channels + channel];
}

void flip_rows(Image& image)
{
    auto const width = static_cast<std::ptrdiff_t>(image.width);
    for (Channel& channel : image.channels)
        for (int y = 0; y < image.height / 2; ++y)
            std::swap_ranges(channel.values.begin() + y * width, channel.values.begin() + (y + 1) * width,
                             channel.values.begin() + (image.height - 1 - y) * width);
}

void flip_columns(Image& image)
{
    auto const width = static_cast<std::ptrdiff_t>(image.width);
    for (Channel& channel : image.channels)
        for (auto row = channel.values.begin(); row != channel.values.end(); row += width)
            std::reverse(row, row + width);
}

constexpr double kMostSide_pixels = 65535;
constexpr double kMostPixels = 1 << 28;

/// Pixels along a side that squares of `side_mm` make of it.
double count_squares(int pixels, float pixel_mm, float side_mm)
{
    return std::max(1.0, std::round(pixels * static_cast<double>(pixel_mm) / static_cast<double>(side_mm)));
}

} // namespace

std::optional<PaintColour> find_named_colour(nlohmann::json const& metadata, std::string const& name)
{
    auto const found = metadata.find("colour." + name);
    if (found == metadata.end() || !found->is_string()) return std::nullopt;
    return parse_colour(found->get<std::string>());
}

std::vector<PaintColour> choose_material_colours(PackedVolume const& volume)
{
    auto const metadata = nlohmann::json::parse(volume.source_metadata_json());
    std::vector<PaintColour> colours;
    for (Material const& material : volume.materials())
        colours.push_back(
            find_named_colour(metadata, material.name).value_or(show_albedo(material, volume.meta().wavelengths_nm)));
    return colours;
}

Image draw_layer(PackedVolume const& volume, int z, LayerLook look)
{
    VolumeMeta const& meta = volume.meta();
    if (z < 0 || z >= meta.dims[2])
        fail_usage(fmt::format("there is no slice {}", z), fmt::format("give 0 to {}", meta.dims[2] - 1));
    bool const has_labels = needs_labels(meta);
    // Elements 0, 4 and 8 are the world's x, y and z of the box's own axes.
    auto const& rotation = meta.placement.rotation;
    if (look == LayerLook::shown && has_labels && rotation[8] < 0) z = meta.dims[2] - 1 - z;
    bool const has_density = !has_labels && meta.extinction == Source::plane;
    bool const has_albedo = !has_labels && !has_density && meta.albedo == Source::plane;
    if (look == LayerLook::exact && has_density && meta.albedo == Source::plane)
        fail_usage("density and albedo both differ from voxel to voxel", "a PNG stack holds one of them");
    bool const is_colour = has_labels || (has_albedo && meta.bands() >= 3);
    Image image = make_image(meta.dims[0], meta.dims[1], Transfer::srgb,
                             is_colour ? std::vector<std::string>{"R", "G", "B"} : std::vector<std::string>{"Y"});
    if (has_labels)
        draw_labels(volume, z, look, image);
    else if (has_density)
        draw_density(volume, z, look, image);
    else if (has_albedo)
        draw_albedo(volume, z, look, image);
    else if (look == LayerLook::exact)
        fail_usage("the volume is homogeneous", "there is nothing to draw");
    else
        std::fill(image.channels[0].values.begin(), image.channels[0].values.end(), 1.0f);
    bool const is_print = has_labels || (has_albedo && !has_density);
    if (look == LayerLook::shown && is_print) {
        if (rotation[4] > 0) flip_rows(image);
        if (rotation[0] < 0) flip_columns(image);
    }
    return image;
}

Image repeat_to_squares(Image const& image, std::array<float, 2> pixel_mm)
{
    float const side_mm = std::min(pixel_mm[0], pixel_mm[1]);
    double const width = count_squares(image.width, pixel_mm[0], side_mm);
    double const height = count_squares(image.height, pixel_mm[1], side_mm);
    if (!(width <= kMostSide_pixels && height <= kMostSide_pixels && width * height <= kMostPixels))
        fail_usage(
            fmt::format("in squares of {:g} mm the layer has {:.0f} x {:.0f} pixels, more than {:.0f}, or than {:.0f} "
                        "along a side",
                        side_mm, width, height, kMostPixels, kMostSide_pixels),
            "draw one pixel per voxel: --aspect voxel");
    Image squares;
    squares.width = static_cast<int>(width);
    squares.height = static_cast<int>(height);
    if (squares.width == image.width && squares.height == image.height) return image;
    squares.transfer = image.transfer;
    std::vector<std::size_t> columns(static_cast<std::size_t>(squares.width));
    auto const find_source = [](std::size_t to, int from_count, int to_count) {
        return (2 * to + 1) * static_cast<std::size_t>(from_count) / (2 * static_cast<std::size_t>(to_count));
    };
    for (std::size_t x = 0; x < columns.size(); ++x) columns[x] = find_source(x, image.width, squares.width);
    for (Channel const& channel : image.channels) {
        auto to = squares.add_channel(channel.name).values.begin();
        for (std::size_t y = 0; y < static_cast<std::size_t>(squares.height); ++y) {
            auto const row = static_cast<std::size_t>(image.width) * find_source(y, image.height, squares.height);
            for (std::size_t const column : columns) *to++ = channel.values[row + column];
        }
    }
    return squares;
}

} // namespace volpt
