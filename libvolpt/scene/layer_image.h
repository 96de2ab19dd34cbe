// One layer of a packed volume as a picture.
#pragma once

#include "libvolpt/image/drawing/drawing.h"
#include "libvolpt/image/image.h"
#include "libvolpt/volume/volume.h"

#include <array>
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

/// Columns along x, rows along y, the first row on top, as in a stack of slices; prints (materials, or albedo under a
/// constant density) as they are seen from above if `shown`: the world's +x to the right, its +y up. `shown` numbers
/// the layers of materials from the lowest one, as a printer lays them and a job's slices are numbered. Draws the
/// materials' colours (choose_material_colours; air without a colour is grey) if there are labels, else the density
/// plane, else the albedo plane (bands 0, 1, 2, or band 0 as grey), else white. Error (usage) if the volume has no
/// layer z.
Image draw_layer(PackedVolume const& volume, int z, LayerLook look);

/// Pixels of `pixel_mm` repeated along the longer side until all are squares, within half a pixel of the picture's
/// size: colours stay as they are. Error (usage) for more than 65535 pixels along a side.
Image repeat_to_squares(Image const& image, std::array<float, 2> pixel_mm);

} // namespace volpt
