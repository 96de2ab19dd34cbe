// The shapes of MCX's input, which give each voxel its medium.
//
// Source: "Input JSON Format" and "Shapes" of MCX's README (Fang and Boas 2009), and what mcx draws.
#pragma once

#include "formats/mcx/node.h"

#include <cstdint>

namespace volpt {

enum class McxShapeKind { box, subgrid, sphere, cylinder, slab, upper_space };

/// Lengths are in voxels from the corner of the volume; the centre of voxel i is at i + 0.5.
struct McxShape {
    McxShapeKind kind = McxShapeKind::box;
    std::uint8_t label = 0;
    std::string path;           ///< of its field
    std::array<double, 4> a{};  ///< box: low corner; sphere: centre; cylinder: one end; coefficients of a half-space
    std::array<double, 3> b{};  ///< box: high corner; cylinder: the other end
    double radius = 0;          ///< sphere, cylinder
    int axis = 0;               ///< slab
    std::array<int, 3> first{}; ///< subgrid; slab: first[0]
    std::array<int, 3> end{};   ///< behind the last one; slab: end[0]
};

/// What a list of shapes draws.
struct McxDrawing {
    std::array<int, 3> dims{0, 0, 0}; ///< of the last Grid, else as given
    std::uint8_t background = 0;      ///< medium where no shape is
    std::vector<McxShape> shapes;     ///< later ones cover earlier ones
};

/// `shapes` is the list of "Shapes", `dims` is Domain.Dim, zero if it is absent. `labels` is the number of media.
/// Origins are 0, or 1 where positions count from 1. Error (input) names the shape and its field.
McxDrawing read_mcx_shapes(McxNode const& shapes, std::array<int, 3> dims, int labels, double origin);

/// The voxels of layers z_first .. z_first + z_count - 1, x fastest; `drawn` counts those of each shape, covered ones
/// included.
void draw_mcx_layers(McxDrawing const& drawing, int z_first, int z_count, std::span<std::uint8_t> labels,
                     std::span<std::uint64_t> drawn);

} // namespace volpt
