// A film for pictures: the environment behind an object darkened, so that a white object does not vanish in white
// light.
#pragma once

#include "libvolpt/render/render_film.h"

#include <optional>

namespace volpt {

/// What a plain environment is multiplied by behind the object, if nothing else is said. Reflectances of so little
/// vanish instead, which are those of dark objects.
inline constexpr double kDefaultBackdrop = 0.2;

/// At what part of its radiance pictures show the environment behind the object: `factor`, by default kDefaultBackdrop
/// if it is the same in all directions, so that an object of albedo near 1 looks like it, else 1. Error (usage)
/// unless `factor` is in 0 .. 1; and if it is given, but paths from a camera do not see an environment as the only
/// light: with a probe, a hidden background or emitters, in the dark, or where particles make the film.
double choose_backdrop(Scene const& scene, std::optional<double> factor);

/// `film` without 1 - `factor` of what its samples saw of the environment without an event between: they are rendered
/// again up to their first event, by devices and threads of `options`, and subtracted; of each tile the first 32 or
/// an eighth of the samples, which stand for all. The sums are for pictures: squares, and with them standard errors,
/// stay as they are. Only for scenes whose choose_backdrop takes a factor. `light` is needed if the scene's light is an
/// image. Error (input) if volume or light is not the film's; (system) if all devices fail.
Film dim_background(Film const& film, PackedVolume const& volume, LightImage const* light, double factor,
                    RenderOptions const& options);

} // namespace volpt
