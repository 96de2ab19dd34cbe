// What a client is told of the volume itself, whatever is rendered: its numbers, and sections through it.
#pragma once

#include "libvolpt/scene/section_image.h"
#include "tools/volview/display.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace volpt {

/// {"file","dims","pitch_mm","size_mm","bands","materials":[{"name","color":"#rrggbb"}],
/// "histogram":{"from","to","counts":[256]} or null,"histogram_values":"density"}. The histogram reads all voxels, on
/// up to `threads` threads.
nlohmann::ordered_json describe_volume(PackedVolume const& volume, std::string const& file, int threads);

/// Of the texts of a query: axis "x", "y" or "z". Error (usage) if there is no such section.
VolumeSection parse_section(PackedVolume const& volume, std::string const& axis, std::string const& index);

/// draw_section in the proportions of the world, at most 1024 pixels along a side.
EncodedPicture encode_section(PackedVolume const& volume, VolumeSection const& section);

/// describe_voxel for a place of the section's picture, texts of x and y in 0..1 from the upper left. Error (usage) for
/// others.
nlohmann::ordered_json describe_place(PackedVolume const& volume, VolumeSection const& section, std::string const& x,
                                      std::string const& y);

} // namespace volpt
