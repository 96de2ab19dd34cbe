// Pictures on the grid of a print.
#pragma once

#include "libvolpt/image/stored_image.h"

#include <array>
#include <vector>

namespace volpt {

/// Texels first .. first + weights.size() - 1, with weights that sum to 1.
struct Footprint {
    int first = 0;
    std::vector<double> weights;
};

/// Which texels make up each voxel along one axis: the texel at the voxel's centre, or, where texels are smaller than
/// voxels, all texels that the voxel covers, each by its share.
std::vector<Footprint> find_footprints(int texels, int voxels);

/// The picture that a print is to show: linear R, G, B, 0..1, of columns * rows texels, top row first. sRGB-coded
/// channels are decoded, alpha blends over white, grey has three equal channels; values are clamped. A texel takes the
/// pixel at its centre, or, where pixels are smaller, the mean of their linear values. Error (input) names `where` if
/// there is neither R, G, B nor Y, or a value is NaN.
std::vector<std::array<float, 3>> sample_target(StoredImage const& picture, int columns, int rows,
                                                std::string const& where);

} // namespace volpt
