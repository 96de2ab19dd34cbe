// The shapes of a Mitsuba scene that bound no medium, as surroundings of the volume.
#pragma once

#include "formats/mitsuba/bsdf.h"
#include "formats/mitsuba/shape_mesh.h"
#include "libvolpt/volume/emitters/emitter.h"
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
    ShapeMesh mesh;              ///< its uv are the texture's
    std::vector<float> radiance; ///< by colour, from its front; empty: it emits nothing
};

struct MitsubaSurroundings {
    std::vector<MitsubaShape> shapes;
    std::vector<MitsubaBsdf> bsdfs;
    std::vector<Emitter> emitters; ///< that are no shapes

    bool is_coloured() const;
    bool has_light() const;
};

struct PlacedSurroundings {
    SurroundingShapes shapes;
    std::vector<Emitter> emitters; ///< those of the scene, then shapes; spheres that emit are no `shapes`
};

/// All shapes but those that bound the media, `bounding`, and those with a medium or an emitter other than `area`; and
/// the scene's emitters. What cannot be read is named in `notices`, or stays unused. Error (input) for files that
/// cannot be read, values out of range, and stretched spheres.
MitsubaSurroundings read_mitsuba_surroundings(MitsubaTree const& tree, std::span<MitsubaNode const* const> bounding,
                                              std::vector<std::string>& notices);

/// In the axes of the box of `meta`. Shapes that lie in the medium are left out, as no path in a medium meets them;
/// those that reach into it are named in `notices`. The medium is in `solids_voxels`, closed meshes in voxels from the
/// corner of the box, or, where there are none, in all of the box.
PlacedSurroundings place_mitsuba_surroundings(MitsubaSurroundings const& surroundings, VolumeMeta const& meta,
                                              std::vector<std::string>& notices,
                                              std::span<TriangleMesh const> solids_voxels = {});

} // namespace volpt
