// The surfaces around a volume in a .vpk (docs/formats/vpk.md).
#pragma once

#include "libvolpt/sys/container/sectioned_file.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/surroundings/surrounding_shapes.h"

#include <span>
#include <string>

namespace volpt {

/// What is wrong with shapes for a volume of `meta`, as a sentence; empty if they can be stored and rendered: indices
/// in range, coordinates finite and at most 2^30 voxels, radii positive, reflectances and texels in 0 .. 1, and no
/// weight of a BSDF above 1, so that no sample is brighter than the light.
std::string find_shape_problem(SurroundingShapes const& shapes, VolumeMeta const& meta);

/// Leaves only these bands, of `bands`, in colours and pictures.
void keep_bands(SurroundingShapes& shapes, std::span<std::size_t const> kept, std::size_t bands);

/// `shapes` are not empty and have no problem.
void write_surrounding_sections(SectionedWriter& writer, SurroundingShapes const& shapes, VolumeMeta const& meta);

/// A copy of the file's shapes, empty if it has none. Error (input) if sizes do not fit or find_shape_problem finds
/// something.
SurroundingShapes read_surrounding_sections(SectionedFile const& file, VolumeMeta const& meta);

} // namespace volpt
