// The shapes of a Mitsuba scene that bound no medium, as surroundings of the volume.
#pragma once

#include "formats/mitsuba/bsdf.h"
#include "formats/mitsuba/shape_mesh.h"
#include "libvolpt/volume/surroundings/surrounding_shapes.h"
#include "libvolpt/volume/volume.h"

#include <span>

namespace volpt {

/// A sphere, or triangles, in the world.
struct MitsubaShape {
    std::string name; ///< for messages
    std::size_t bsdf = 0;
    double radius = 0; ///< of a sphere; 0: triangles
    std::array<double, 3> centre{0, 0, 0};
    ShapeMesh mesh; ///< its uv are the texture's
};

struct MitsubaSurroundings {
    std::vector<MitsubaShape> shapes;
    std::vector<MitsubaBsdf> bsdfs;

    bool is_coloured() const;
};

/// All shapes but those that bound the media, `bounding`, lights, and those with a medium. Those that cannot be read
/// are named in `notices`, or stay unused. Error (input) for files that cannot be read, values out of range, and
/// stretched spheres.
MitsubaSurroundings read_mitsuba_surroundings(MitsubaTree const& tree, std::span<MitsubaNode const* const> bounding,
                                              std::vector<std::string>& notices);

/// In the axes of the box of `meta`. Shapes that lie in the medium are left out, as no path in a medium meets them;
/// those that reach into it are named in `notices`. The medium is in `solids_voxels`, closed meshes in voxels from the
/// corner of the box, or, where there are none, in all of the box.
SurroundingShapes place_mitsuba_surroundings(MitsubaSurroundings const& surroundings, VolumeMeta const& meta,
                                             std::vector<std::string>& notices,
                                             std::span<TriangleMesh const> solids_voxels = {});

} // namespace volpt
