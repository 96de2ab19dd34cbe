// What a Mitsuba scene says beside its medium, as scene hints: sensor, light, and the surface that bounds the medium.
#pragma once

#include "formats/mitsuba/values.h"
#include "libvolpt/scene/scene_hints.h"

namespace volpt {

/// The first sensor with its film and sampler, and the first constant or envmap emitter. `notices` say what the
/// renderer does otherwise.
SceneHints read_mitsuba_hints(MitsubaTree const& tree, std::vector<std::string>& notices);

/// The box's faces as the shape's bsdf makes them; other bsdfs than null, dielectric and roughdielectric become none,
/// with a notice.
BoundarySpec read_mitsuba_boundary(MitsubaTree const& tree, MitsubaNode const& shape,
                                   std::vector<std::string>& notices);

/// The full horizontal angle for a fov measured along `axis` ("x", "y", "diagonal", "smaller", "larger"); absent for
/// another axis.
std::optional<double> find_fov_x_deg(double fov_deg, std::string const& axis, double width, double height);

/// The index of refraction at 589 nm by Mitsuba's name of the material (E. Hecht, Optics), whatever the case.
std::optional<double> find_ior(std::string_view name);

} // namespace volpt
