// Voxels of a packed volume by their values, and shares of its materials.
#pragma once

#include "libvolpt/image/drawing/drawing.h"
#include "libvolpt/volume/volume.h"

#include <nlohmann/json_fwd.hpp>

namespace volpt {

/// Number of voxels by value. A volume with materials: {"quantity": "material", "counts": {name: voxels}}. A density
/// plane: {"quantity": "density", "min", "max", "mean", "bin_width", "counts": 32 bins from 0 on, the last with its
/// upper end}. Others: {"quantity": "none"}.
nlohmann::ordered_json count_values(PackedVolume const& volume);

/// {"materials": [name, ..], "total": {name: share}, "amounts": {"volume_ml": {name: ml}, "whole_volume_ml", "mass_g":
/// {name: g} of those with a density, "whole_mass_g" if all have one, "inside_surface_ml" if a mesh bounds the volume},
/// "layers": [{"layer": z, "depth_mm": [top, bottom], "share": [by
/// material]}]}, from the uppermost layer (+z) down. Mixtures count as the inks they consist of.
/// Amounts are of all voxels that are not air, also where a mesh cuts them. Error (usage) unless the volume has
/// materials.
nlohmann::ordered_json report_coverage(PackedVolume const& volume);

/// The shares of report_coverage, stacked, each material in its colour, over the depth below the +z face, which ends
/// soon after the last layer that differs from the deepest one.
Drawing draw_coverage(PackedVolume const& volume);

} // namespace volpt
