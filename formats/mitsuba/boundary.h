// Dielectric interfaces of a Mitsuba scene, and the one that bounds the medium.
#pragma once

#include "formats/mitsuba/values.h"
#include "libvolpt/scene/scene_hints.h"

namespace volpt {

/// The box's faces as the shape's bsdf makes them; other bsdfs than null, dielectric and roughdielectric become none,
/// with a notice.
BoundarySpec read_mitsuba_boundary(MitsubaTree const& tree, MitsubaNode const& shape,
                                   std::vector<std::string>& notices);

/// Of dielectric, thindielectric and roughdielectric, with Mitsuba's defaults. `notices` say what of the roughness is
/// rendered otherwise.
BoundarySpec read_mitsuba_dielectric(MitsubaNode const& bsdf, std::vector<std::string>& notices);

/// The shape's bsdf, own or referred to; nullptr if it has none.
MitsubaNode const* find_mitsuba_bsdf(MitsubaTree const& tree, MitsubaNode const& shape);

/// The property `name`, a number or the name of a material; `fallback` is one. Error (input) for unknown materials and
/// beyond 0.1 to 10.
double read_mitsuba_ior(MitsubaNode const& bsdf, char const* name, char const* fallback);

/// The index of refraction at 589 nm by Mitsuba's name of the material (E. Hecht, Optics), whatever the case.
std::optional<double> find_ior(std::string_view name);

} // namespace volpt
