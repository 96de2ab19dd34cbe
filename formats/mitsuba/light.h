// Emitters and surfaces of a Mitsuba scene as scene hints.
#pragma once

#include "formats/mitsuba/values.h"
#include "libvolpt/scene/scene_hints.h"

namespace volpt {

/// A constant or envmap emitter; absent for any other, which stays unread. A rotation that is not about an axis is
/// told.
std::optional<EnvironmentHint> read_mitsuba_emitter(MitsubaTree const& tree, MitsubaNode const& emitter,
                                                    std::vector<std::string>& notices);

/// What the shape's bsdf makes of the box's faces; other bsdfs than null, dielectric and roughdielectric are told and
/// become none.
BoundarySpec read_mitsuba_boundary(MitsubaTree const& tree, MitsubaNode const& shape,
                                   std::vector<std::string>& notices);

} // namespace volpt
