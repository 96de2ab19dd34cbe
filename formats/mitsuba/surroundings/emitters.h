// Emitters of a Mitsuba scene that are no surface and no environment.
#pragma once

#include "formats/mitsuba/values.h"
#include "libvolpt/volume/emitters/emitter.h"

#include <span>

namespace volpt {

/// One value or red, green and blue of the property `name`, 1 where it is absent. Error (input) beyond 0 to 1e9.
std::vector<float> read_mitsuba_light(MitsubaNode const& emitter, std::string_view name);

/// Whether one of the values is above 0; if none is, `notices` say that the emitter is left out.
bool sends_light(MitsubaNode const& emitter, std::span<float const> amount, std::vector<std::string>& notices);

/// The scene's emitters of the types point, spot, directional and collimated, in the world; others stay unused.
/// `notices` say what is rendered otherwise. Error (input) for values out of range.
std::vector<Emitter> read_mitsuba_emitters(MitsubaTree const& tree, std::vector<std::string>& notices);

} // namespace volpt
