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

/// `shown` draws every volume: density from black to white at the volume's largest. `exact` draws only what an 8-bit
/// picture holds without loss, and gives an Error (usage) otherwise.
enum class LayerLook { shown, exact };

/// What source metadata "colour.NAME" says, if it is "#rrggbb".
std::optional<PaintColour> find_named_colour(nlohmann::json const& metadata, std::string const& name);

/// How pictures show each material: source metadata "colour.NAME", else its albedo, in the bands that are nearest to
/// red, green and blue.
std::vector<PaintColour> choose_material_colours(PackedVolume const& volume);

/// Columns along x, rows along y, the first row on top: as the slices of a stack lie. `shown` turns prints (materials,
/// or albedo under a constant density) so that the world's +y is up, as their +z face is seen from outside. Materials
/// have their colours (source metadata "colour.NAME", else their albedo); otherwise the density is drawn where it has a
/// plane of its own, else the albedo (bands 0, 1, 2, or band 0 alone as grey), else the constant density as white.
/// Error (usage) if the volume has no layer z.
Image draw_layer(PackedVolume const& volume, int z, LayerLook look);

} // namespace volpt
