// volprep --list-materials: what comes with the programs and may be named in place of a file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace volpt {

/// {"materials": [{"name", "materials": [name, ..], "bands", "wavelengths_nm" if it has any, "source"}], "printers":
/// [{"name", "printer", "dpi", "layers_um"}], "transfer": [{"name", "points": [{"density", "albedo"}]}]}. A file that
/// cannot be read has "name" and "error".
nlohmann::ordered_json report_presets();

/// The same as lines, under a heading for each option.
std::string format_presets(nlohmann::ordered_json const& presets);

} // namespace volpt
