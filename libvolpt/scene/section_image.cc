#include "libvolpt/scene/section_image.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/packed_layers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

enum class SectionQuantity { label, density, albedo, none };

SectionQuantity find_quantity(VolumeMeta const& meta)
{
    if (needs_labels(meta)) return SectionQuantity::label;
    if (meta.extinction == Source::plane) return SectionQuantity::density;
    return meta.albedo == Source::plane ? SectionQuantity::albedo : SectionQuantity::none;
}

bool is_print(VolumeMeta const& meta)
{
    auto const quantity = find_quantity(meta);
    return quantity == SectionQuantity::label || quantity == SectionQuantity::albedo;
}

/// Smaller differences are hard to tell apart on a screen.
constexpr float kLeastDifference = 0.15f;

bool are_alike(PaintColour const& a, PaintColour const& b)
{
    float difference = 0;
    for (std::size_t i = 0; i < 3; ++i) difference = std::max(difference, std::abs(a[i] - b[i]));
    return difference < kLeastDifference;
}

/// Hues that are far from each other, at three brightnesses.
PaintColour make_replacement(int number)
{
    float const hue = std::fmod(static_cast<float>(number) * 0.618034f, 1.0f);
    constexpr float kBrightness[] = {0.9f, 0.6f, 0.35f};
    PaintColour colour{};
    for (std::size_t i = 0; i < 3; ++i) {
        float const distance = std::abs(std::fmod(hue + static_cast<float>(i) / 3.0f, 1.0f) * 6 - 3) - 1;
        colour[i] = std::clamp(distance, 0.0f, 1.0f) * kBrightness[number / 7 % 3];
    }
    return colour;
}

/// Colour of one voxel into channel values; `white` is the density drawn so.
class VoxelPainter {
public:
    explicit VoxelPainter(PackedVolume const& volume)
        : view_(volume.view()), quantity_(find_quantity(volume.meta())), bands_(volume.meta().bands())
    {
        if (quantity_ == SectionQuantity::label) colours_ = choose_distinct_colours(volume);
        white_ = std::max(view_.global_majorant[0], 1e-30f);
    }

    std::vector<std::string> list_channels() const
    {
        bool const is_colour =
            quantity_ == SectionQuantity::label || (quantity_ == SectionQuantity::albedo && bands_ >= 3);
        return is_colour ? std::vector<std::string>{"R", "G", "B"} : std::vector<std::string>{"Y"};
    }

    void paint(std::array<int, 3> voxel, std::size_t pixel, Image& image) const
    {
        PaintColour const colour = find_colour(voxel, image.channels.size());
        for (std::size_t channel = 0; channel < image.channels.size(); ++channel)
            image.channels[channel].values[pixel] = colour[channel];
    }

private:
    PaintColour find_colour(std::array<int, 3> voxel, std::size_t channels) const
    {
        PaintColour colour{1, 1, 1};
        switch (quantity_) {
        case SectionQuantity::label:
            return colours_[read_label_voxel(view_, voxel)];
        case SectionQuantity::density:
            colour[0] = read_plane_voxel(view_, view_.density, voxel) / white_;
            break;
        case SectionQuantity::albedo:
            for (std::size_t i = 0; i < channels; ++i)
                colour[i] = 1 - read_plane_voxel(view_, view_.one_minus_albedo, voxel, static_cast<std::uint32_t>(i));
            break;
        case SectionQuantity::none:
            break;
        }
        return colour;
    }

    VolumeView view_;
    SectionQuantity quantity_;
    std::uint32_t bands_;
    std::vector<PaintColour> colours_;
    float white_ = 1;
};

} // namespace

VolumeSection::VolumeSection(PackedVolume const& volume, VolumeAxis axis, int index)
    : dims_(volume.meta().dims), axis_(static_cast<std::size_t>(axis)), column_axis_(axis == VolumeAxis::x ? 1 : 0),
      row_axis_(axis == VolumeAxis::z ? 1 : 2), index_(index)
{
    VolumeMeta const& meta = volume.meta();
    if (index < 0 || index >= dims_[axis_])
        fail_usage(fmt::format("there is no section {} across {}", index, "xyz"[axis_]),
                   fmt::format("give 0 to {}", dims_[axis_] - 1));
    pixel_mm_ = {meta.pitch_mm[column_axis_], meta.pitch_mm[row_axis_]};
    // Elements 0, 4 and 8 are the world's x, y and z of the box's own axes.
    auto const& rotation = meta.placement.rotation;
    is_row_mirrored_ = row_axis_ == 2 ? rotation[8] > 0 : is_print(meta) && rotation[4] > 0;
    is_column_mirrored_ = is_print(meta) && rotation[4 * column_axis_] < 0;
}

std::array<int, 3> VolumeSection::find_voxel(int column, int row) const
{
    std::array<int, 3> voxel{};
    voxel[axis_] = index_;
    voxel[column_axis_] = is_column_mirrored_ ? columns() - 1 - column : column;
    voxel[row_axis_] = is_row_mirrored_ ? rows() - 1 - row : row;
    return voxel;
}

std::vector<PaintColour> choose_distinct_colours(PackedVolume const& volume)
{
    auto colours = choose_material_colours(volume);
    auto const metadata = nlohmann::json::parse(volume.source_metadata_json());
    auto const& materials = volume.materials();
    int number = 0;
    for (std::size_t i = 0; i < colours.size(); ++i) {
        if (is_air(materials[i]) && !find_named_colour(metadata, materials[i].name)) colours[i] = {0.5f, 0.5f, 0.5f};
        auto const end = colours.begin() + static_cast<std::ptrdiff_t>(i);
        // Of very many labels some are alike in the end.
        for (int tries = 0; tries < 64; ++tries) {
            if (std::none_of(colours.begin(), end, [&](PaintColour const& c) { return are_alike(c, colours[i]); }))
                break;
            colours[i] = make_replacement(number++);
        }
    }
    return colours;
}

std::array<int, 2> choose_picture_size(VolumeSection const& section, int most_pixels)
{
    auto const [column_mm, row_mm] = section.pixel_mm();
    double const width_mm = section.columns() * static_cast<double>(column_mm);
    double const height_mm = section.rows() * static_cast<double>(row_mm);
    double const wanted_mm = static_cast<double>(std::min(column_mm, row_mm));
    double const pixel_mm = std::max(wanted_mm, std::max(width_mm, height_mm) / most_pixels);
    auto const count = [&](double size_mm) {
        return static_cast<int>(std::clamp(std::round(size_mm / pixel_mm), 1.0, static_cast<double>(most_pixels)));
    };
    return {count(width_mm), count(height_mm)};
}

Image draw_section(PackedVolume const& volume, VolumeSection const& section, int width, int height)
{
    VoxelPainter const painter(volume);
    Image image = make_image(width, height, Transfer::srgb, painter.list_channels());
    auto const find_place = [](int pixel, int pixels, int voxels) {
        return static_cast<int>((2 * std::int64_t{pixel} + 1) * voxels / (2 * std::int64_t{pixels}));
    };
    std::size_t pixel = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x, ++pixel)
            painter.paint(
                section.find_voxel(find_place(x, width, section.columns()), find_place(y, height, section.rows())),
                pixel, image);
    return image;
}

nlohmann::ordered_json describe_voxel(PackedVolume const& volume, std::array<int, 3> voxel)
{
    VolumeMeta const& meta = volume.meta();
    VolumeView const view = volume.view();
    nlohmann::ordered_json content{{"voxel", voxel}};
    if (needs_labels(meta)) content["material"] = volume.materials()[read_label_voxel(view, voxel)].name;
    if (meta.extinction == Source::plane) content["density"] = read_plane_voxel(view, view.density, voxel);
    if (meta.albedo == Source::plane) {
        auto& albedo = content["albedo"] = nlohmann::ordered_json::array();
        for (std::uint32_t band = 0; band < meta.bands(); ++band)
            albedo.push_back(1 - read_plane_voxel(view, view.one_minus_albedo, voxel, band));
    }
    return content;
}

} // namespace volpt
