// Emitters as options describe them: "beam origin=0,0,5 direction=0,0,-1 radius=1mm power=1".
#pragma once

#include "libvolpt/volume/emitters/emitter.h"

#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// "KIND key=value ..": positions and lengths in mm unless they name a unit, amounts one or one by band, in units of W,
/// mm and sr. A place is `origin`, `center` or `position`, a direction `direction` or `normal`.
///
///     point   origin                                   power or intensity
///     spot    origin direction angle [inner]           power or intensity; inner 0.75 of angle, both from the axis
///     sun     direction [angle]                        irradiance or radiance; angle is the full diameter
///     area    origin u v (half edges; front u x v)     power or radiance
///     area    origin direction radius (a disk)         power or radiance
///     sphere  center radius                            power or radiance
///     beam    origin direction [radius] [profile]      power; profile disc or gaussian; radius 0 is a pencil
///     beam    origin direction u v (half edges)        power; even over a rectangle
///     slit    origin direction u (half its length)     power
///
/// Error (usage) names the word that is wrong, what it may be and an example; `where` is the option.
Emitter parse_emitter(std::string_view text, std::string const& where);

/// Whether such a text gives the amount in lm, cd, lx or cd/m^2: pictures then hold luminances of some 1e-7, as lengths
/// are in mm.
bool is_photometric(std::string_view text);

/// "point", "spot", ..
std::vector<std::string> list_emitter_kinds();

/// The inverse, in one line; of a mesh, which no option can name, the triangles.
std::string describe_emitter(Emitter const& emitter);

} // namespace volpt
