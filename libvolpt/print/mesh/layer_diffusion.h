// One ink per voxel in layers that follow a surface.
//
// A. Brunton, C. A. Arikan, P. Urban, Pushing the Limits of 3D Color Printing: Error Diffusion with Translucent
// Materials, ACM TOG 35(1), 2015.
#pragma once

#include "libvolpt/print/ink_choice.h"
#include "libvolpt/print/mesh/mixture_palette.h"

namespace volpt {

/// The axis along which the voxels of a column lie, one per layer.
enum class ColumnAxis : std::uint16_t { x, y, z };

inline constexpr std::uint16_t kOutsidePlace = 0;
inline constexpr std::uint16_t kCorePlace = 1;
inline constexpr std::uint16_t kCoatPlace = 2; ///< above the ink
inline constexpr int kMaxInkLayers = 16382;

/// The place of a voxel in layer 0 .. kMaxInkLayers of the ink.
constexpr std::uint16_t make_ink_place(int layer, ColumnAxis axis)
{
    return static_cast<std::uint16_t>((layer + 1) << 2 | static_cast<int>(axis));
}
constexpr bool is_ink(std::uint16_t place)
{
    return place >> 2 != 0;
}
constexpr bool are_in_one_layer(std::uint16_t a, std::uint16_t b)
{
    return a >> 2 == b >> 2;
}
constexpr ColumnAxis get_column_axis(std::uint16_t ink_place)
{
    return static_cast<ColumnAxis>(ink_place & 3);
}

/// Voxels by x, then y. There is no ink in the first and last row and column.
struct PrintSlice {
    std::vector<std::uint16_t> places;
    std::vector<std::uint32_t> colours; ///< sRGB, 0xRRGGBB, of ink
};

struct PrintLabels {
    std::uint8_t outside, core, coat;
};

/// Error diffusion within each layer, all layers at once, slice by slice upwards. A voxel takes one of the inks of its
/// mixture (InkChoice); all of the remaining error goes to neighbours in its layer that are still to come, in this
/// slice and the next one, with Floyd and Steinberg's weights wherever a layer is flat. Where there is none, it goes to
/// any such neighbour with ink, and else to the next voxel with ink. As in InkDiffusion, the error of the layers before
/// in a column of voxels shifts the choice, so that layers complement one another: the column lies along the axis
/// nearest to the surface's normal, in voxels. Errors are integers, and nothing is lost.
class LayerDiffusion {
public:
    LayerDiffusion(int width, int height, std::size_t inks);

    /// The slices of a solid, from the lowest; `next` is null at the last one. width * height labels: ink i is label i.
    void halftone_slice(PrintSlice const& slice, PrintSlice const* next, MixturePalette& palette,
                        PrintLabels const& labels_beside, std::span<std::uint8_t> labels);

    /// As InkDiffusion's, after the last slice.
    std::vector<double> find_unpaid_voxels() const;

private:
    struct Step;
    void halftone_voxel(Step const& step, MixturePalette& palette, std::span<std::uint8_t> labels);
    void spread(Step const& step);
    std::int32_t* find_owed(Step const& step);

    int width_, height_;
    std::size_t inks_;
    int slice_ = 0;
    std::vector<std::int32_t> errors_[2]; ///< of the voxels of this slice and the next, inks fastest; 0 once visited
    std::vector<std::int32_t> owed_z_;    ///< by column along z, of its layers before
    std::vector<std::int32_t> owed_y_;    ///< along y in this slice
    std::vector<std::int32_t> owed_x_;    ///< along x in this row
    std::vector<std::int32_t> left_;      ///< error without a neighbour
    std::vector<std::int32_t> due_;
    InkChoice choice_;
    Rng rng_;
};

} // namespace volpt
