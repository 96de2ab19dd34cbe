// A mesh as a print: inks in a shell under its surface, one material within.
#pragma once

#include "libvolpt/print/mesh/surface_colours.h"
#include "libvolpt/print/separate_inks.h"
#include "libvolpt/volume/mesh/occupancy.h"
#include "libvolpt/volume/mesh/place_mesh.h"
#include "libvolpt/volume/voxel_stream.h"

namespace volpt {

struct MeshPrintOptions {
    double ink_depth_mm = 0.5;
    double clear_coat_mm = 0;       ///< within the mesh, above the ink
    std::string core_material = {}; ///< as PictureOptions
    Intent intent = Intent::relative;
    float scale = 1; ///< of the materials' extinction
    std::string scene_hints_json = "{}";
    std::uint64_t layer_bytes = find_layer_memory();
    int threads = 1; ///< of find_inside; those of the stream are set by use_threads
    /// Of a mesh that check_mesh does not accept: which voxels are inside (inside_by_winding.h). The mesh is its outer
    /// surface then, with the volume and area of its report. Null: of those of an accepted mesh.
    std::shared_ptr<Occupancy const> inside = {};
    std::uint64_t doubtful_voxels = 0; ///< for the report
};

/// Voxels whose centre is inside an accepted mesh in a box of fit_print_box.
Occupancy find_inside(PlacedMesh const& mesh, int threads);

/// Labels: inks where the distance of the voxel's centre to the mesh, less the clear coat, is at most the depth of ink,
/// by the colour of the nearest point of the mesh (of several, the triangle with the lowest number), as LayerDiffusion
/// chooses them; the core's material farther inside; a material "air", which is added, outside. The coat is of the
/// table's clear material, which is no ink then, or of one that is added. The mesh is copied as far as needed.
/// Memory holds a few slices. The same bits for any number of threads. `where` names the mesh, for messages.
std::unique_ptr<VoxelStream> make_mesh_print(PlacedMesh const& mesh, std::string const& where,
                                             std::unique_ptr<SurfaceColours> colours, MaterialTable table,
                                             std::string const& table_name, MeshPrintOptions const& options);

} // namespace volpt
