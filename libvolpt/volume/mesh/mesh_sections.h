// The mesh in a .vpk (docs/formats/vpk.md).
#pragma once

#include "libvolpt/sys/container/sectioned_file.h"
#include "libvolpt/volume/mesh/surface_mesh.h"
#include "libvolpt/volume/meta.h"

namespace volpt {

/// The mesh is not empty. Error (usage) if its solids nest in a way that `meta` and that number of materials cannot
/// have.
void write_mesh_sections(SectionedWriter& writer, SurfaceMeshView const& mesh, VolumeMeta const& meta,
                         std::size_t materials);

/// The mesh, empty if the file's version is below 2 or it has only surroundings. Error (input) unless sizes fit,
/// vertices are finite and in the box, and no index, link or leaf leads outside (validate_bvh_links).
SurfaceMeshView read_mesh_sections(SectionedFile const& file, VolumeMeta const& meta, std::size_t materials);

/// Error (input) unless check_mesh accepts the mesh, or each solid and what is around it where they nest, every vertex
/// is used, normals are unit, the hierarchy is one of the mesh (validate_bvh), and bounds, area, volume and clearances
/// have exactly the bits that follow from it.
void check_mesh_contents(SectionedFile const& file, SurfaceMeshView const& mesh, VolumeMeta const& meta, int threads);

} // namespace volpt
