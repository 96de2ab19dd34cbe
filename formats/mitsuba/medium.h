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
};

/// Heterogeneous and homogeneous media of both syntaxes. Error (input) for materials by name, extinction or albedo out
/// of range, grids of three channels as extinction; a phase function other than hg and isotropic becomes isotropic,
/// with a notice.
MitsubaMedium read_mitsuba_medium(MitsubaTree const& tree, MitsubaNode const& medium,
                                  std::vector<std::string>& notices);

} // namespace volpt
