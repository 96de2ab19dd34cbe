// A picture as a print: inks chosen by its colours in the upper layers, one material behind them.
#pragma once

#include "libvolpt/image/stored_image.h"
#include "libvolpt/print/separate_inks.h"
#include "libvolpt/sys/text/enum_words.h"
#include "libvolpt/volume/voxel_stream.h"

namespace volpt {

/// `diffusion`: one ink per voxel; `mixture`: every voxel of a column has the texel's mixture, at most 256 in all.
enum class Halftone { diffusion, mixture };
template <>
inline constexpr auto kWords<Halftone> = list_words<Halftone>({{Halftone::diffusion, "diffusion"},
                                                               {Halftone::mixture, "mixture"}});

struct PictureOptions {
    std::array<double, 2> size_mm{0, 0};                   ///< of the face, rounded to whole voxels
    std::array<double, 3> pitch_mm{0.0423, 0.0847, 0.027}; ///< about 600 x 300 dpi
    double ink_depth_mm = 0.5;                             ///< rounded to whole layers, at least one
    double core_mm = 0;                                    ///< the same
    std::string core_material = {}; ///< its name; empty: W, or, if there is none, the material of the highest luminance
    Halftone halftone = Halftone::diffusion;
    Intent intent = Intent::relative;
    float scale = 1; ///< of the materials' extinction
    std::string scene_hints_json = "{}";
    std::uint64_t layer_bytes = find_layer_memory(); ///< memory for a layer of bricks (check_layer_memory)
};

/// Seen from +z with +y up, the picture stands upright and unmirrored on the top face; the core lies below, the box's
/// middle at the origin. Voxels lie as in a stack of slices: rows from the top of the picture, layers upwards. Memory
/// holds a few numbers per texel and the slices that are being made. `where` names the picture, `table_name` the table,
/// for messages.
std::unique_ptr<VoxelStream> make_print_volume(StoredImage const& picture, std::string const& where,
                                               MaterialTable table, std::string const& table_name,
                                               PictureOptions const& options);

} // namespace volpt
