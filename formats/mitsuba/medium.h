// The participating medium of a Mitsuba scene: constants or grids of extinction and albedo.
#pragma once

#include "formats/mitsuba/values.h"
#include "formats/vol/reader.h"
#include "libvolpt/core/volume_view.hd.h"

namespace volpt {

/// A .vol file and the place of its voxels.
struct MitsubaGrid {
    std::filesystem::path path;
    VolHeader header;
    Matrix4 box_to_world = kIdentity; ///< of the unit cube that the voxels fill, half a voxel beyond their centres
    Filter filter = Filter::trilinear;
};

/// A constant (one value, or red, green and blue) or a grid.
struct MitsubaQuantity {
    std::vector<double> constant;
    std::optional<MitsubaGrid> grid;
};

struct MitsubaMedium {
    MitsubaQuantity extinction; ///< times scale: sigma_t
    MitsubaQuantity albedo;
    double scale = 1;
    double g = 0;
    std::string name; ///< "medium homogeneous 'milk'"

    bool has_grid() const { return extinction.grid || albedo.grid; }
};

/// Of a constant.
inline float get_mitsuba_band(std::vector<double> const& values, std::size_t band)
{
    return static_cast<float>(values.size() == 1 ? values[0] : values[band]);
}
/// Of a constant albedo.
inline float find_one_minus_albedo(MitsubaMedium const& medium, std::size_t band)
{
    return static_cast<float>(1 - static_cast<double>(get_mitsuba_band(medium.albedo.constant, band)));
}

/// Heterogeneous and homogeneous media of both syntaxes. Error (input) for materials by name, extinction or albedo out
/// of range, grids of three channels as extinction; a phase function other than hg and isotropic becomes isotropic,
/// with a notice.
MitsubaMedium read_mitsuba_medium(MitsubaTree const& tree, MitsubaNode const& medium,
                                  std::vector<std::string>& notices);

} // namespace volpt
