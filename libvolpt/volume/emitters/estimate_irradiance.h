// About how bright emitters make a volume, for the exposure of its pictures.
#pragma once

#include "libvolpt/volume/emitters/emitter.h"
#include "libvolpt/volume/volume.h"

#include <span>

namespace volpt {

/// W/mm^2, by the largest band, on a surface in the middle of the volume's box that faces each emitter in turn: without
/// shadows, and at least from half the box's diagonal. Spots and areas count as if they shone towards it.
double estimate_irradiance(std::span<Emitter const> emitters, VolumeMeta const& meta);

/// The exposure at which a white diffuse surface there is shown as half of white, a power of sqrt(2); 1 without light.
double choose_exposure(std::span<Emitter const> emitters, VolumeMeta const& meta);

} // namespace volpt
