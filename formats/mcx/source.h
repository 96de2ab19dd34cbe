// The source of an MCX input as an emitter.
//
// Source: "Source types" of MCX's README (Fang and Boas 2009), and where mcx launches photons.
#pragma once

#include "formats/mcx/input.h"
#include "libvolpt/volume/emitters/emitter.h"

namespace volpt {

/// Where a source is, and how its light comes into the volume.
struct McxPlace {
    std::array<int, 3> dims{};
    double unit_mm = 1;
    double origin = 0; ///< of positions
    /// Whether the faces of the volume are a boundary, and light passes them unchanged on its way in all the same:
    /// emitters then begin behind the face that their light comes through.
    bool starts_behind_faces = false;
};

/// `source` is Optode.Source. The world is in mm, its origin the corner of the volume. Error (input) names the file and
/// the field: a type that no emitter has, a beam with a focus, one that misses the volume. `notices` say where the
/// light differs from MCX's.
Emitter read_mcx_source(McxNode const& source, McxPlace const& place, std::vector<std::string>& notices);

} // namespace volpt
