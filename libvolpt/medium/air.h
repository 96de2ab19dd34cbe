// Materials of a table that are air: what surrounds an object in a box of voxels.
#pragma once

#include "libvolpt/medium/materials.h"

namespace volpt {

/// Makes a material air: no extinction, the index of refraction of the whole box. `colour_or_name` is a material's
/// name, or a colour of pictures: "#rrggbb[aa]", "r,g,b[,a]" of 0 to 255, "black" or "white". A material of that colour
/// gives way to one named "air"; where there is none, "air" is added. Returns a sentence on what became air. Error
/// (usage) if it is neither a name nor a colour, or if materials are told apart by id and none has the colour.
std::string make_air(MaterialTable& table, std::string const& colour_or_name, std::string const& where);

/// Leaves out the materials that are air: no printer has them.
void drop_air(MaterialTable& table);

} // namespace volpt
