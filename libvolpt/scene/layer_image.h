// One layer of a packed volume as a picture.
#pragma once

#include "libvolpt/image/drawing/drawing.h"
#include "libvolpt/image/image.h"
#include "libvolpt/volume/volume.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

/// `shown` draws every volume, densities from black to white at the largest one. `exact` draws only what an 8-bit
/// picture holds without loss, else it is an Error (usage).
enum class LayerLook { shown, exact };

/// The colour "#rrggbb" of the source metadata "colour.NAME", if there is one.
std::optional<PaintColour> find_named_colour(nlohmann::json const& metadata, std::string const& name);

/// The colour of each material in pictures: source metadata "colour.NAME", else its albedo.
std::vector<PaintColour> choose_material_colours(PackedVolume const& volume);

/// Columns along x, rows along y, the first row on top, as in a stack of slices. `shown` flips prints (materials, or
/// albedo under a constant density) so that the world's +y is up, as their +z face is seen from outside. Draws the
/// materials' colours (choose_material_colours) if there are labels, else the density plane, else the albedo plane
/// (bands 0, 1, 2, or band 0 as grey), else white. Error (usage) if the volume has no layer z.
Image draw_layer(PackedVolume const& volume, int z, LayerLook look);

} // namespace volpt
