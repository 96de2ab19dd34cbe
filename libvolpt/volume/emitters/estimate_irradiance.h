// About how bright emitters make a volume, for the exposure of its pictures.
#pragma once

#include "libvolpt/volume/emitters/emitter.h"
#include "libvolpt/volume/volume.h"

#include <span>

namespace volpt {

/// W/mm^2 on a surface in the middle of the volume's box that faces each emitter in turn: without shadows, and at least
/// from half the box's diagonal. Of three bands their luminance, of other numbers the mean. Spots and areas count as if
/// they shone towards it; the radiance of meshes, whose area is not known here, does not count.
double estimate_irradiance(std::span<Emitter const> emitters, VolumeMeta const& meta);

/// The exposure at which a white diffuse surface in this light is shown as half of white: a power of sqrt(2) up to
/// 2^39; 1 without light.
double choose_exposure(double irradiance);

} // namespace volpt
