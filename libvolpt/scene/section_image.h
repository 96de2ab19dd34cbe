// Sections of a packed volume across any axis, to look at: a picture, and what is at a place of it.
#pragma once

#include "libvolpt/image/image.h"
#include "libvolpt/scene/layer_image.h"

#include <nlohmann/json_fwd.hpp>

namespace volpt {

enum class VolumeAxis { x, y, z };

/// Voxels whose index along `axis` is `index`. The other two axes run along columns and rows, in the order x, y, z.
/// Where rows run along z, the world's +z is up. Of others the first row is on top, as in a stack of slices; only
/// prints (materials, or albedo under a constant density) are turned, the world's +x to the right, its +y up.
class VolumeSection {
public:
    /// Error (usage) if the volume has no such index.
    VolumeSection(PackedVolume const& volume, VolumeAxis axis, int index);

    int columns() const noexcept { return dims_[column_axis_]; }
    int rows() const noexcept { return dims_[row_axis_]; }
    /// Pitch along columns and rows.
    std::array<float, 2> pixel_mm() const noexcept { return pixel_mm_; }
    /// The voxel at a column (0 .. columns() - 1) and a row, from the upper left.
    std::array<int, 3> find_voxel(int column, int row) const;

private:
    std::array<int, 3> dims_;
    std::size_t axis_, column_axis_, row_axis_;
    int index_;
    std::array<float, 2> pixel_mm_{};
    bool is_column_mirrored_ = false, is_row_mirrored_ = false;
};

/// By label: choose_material_colours, air without a colour grey; a colour too near to that of a label before it is
/// replaced by another, so that no two of them look alike.
std::vector<PaintColour> choose_distinct_colours(PackedVolume const& volume);

/// As draw_layer with LayerLook::shown, but for the colours (choose_distinct_colours): labels, else density from black
/// to white at the largest one, else albedo, else white. Every pixel is the voxel at its middle, so that voxels are
/// repeated or left out evenly where `width` and `height`, in pixels, are not those of the section.
Image draw_section(PackedVolume const& volume, VolumeSection const& section, int width, int height);

/// Width and height in the proportions of the section in the world, each 1 .. `most_pixels`: the shorter side of a
/// voxel is a pixel where there is room.
std::array<int, 2> choose_picture_size(VolumeSection const& section, int most_pixels);

/// {"voxel": [x,y,z], "material": name | "density": number, "albedo": [by band]}: what of these the voxel itself says.
nlohmann::ordered_json describe_voxel(PackedVolume const& volume, std::array<int, 3> voxel);

} // namespace volpt
