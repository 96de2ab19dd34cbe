// Resins of PolyJet printers as jobs call and colour them, and the materials of a table that they are.
#pragma once

#include "libvolpt/medium/materials.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace volpt {

enum class ResinColour {
#define VOLPT_RESIN(colour, table_names, table_colour, vero_colour, job_names) colour,
#include "libvolpt/medium/resins.def"
#undef VOLPT_RESIN
};

/// Those whose pixels have a colour of their own (find_vero_colour).
inline constexpr std::array kVeroResins{ResinColour::cyan,  ResinColour::magenta, ResinColour::yellow,
                                        ResinColour::black, ResinColour::white,   ResinColour::clear};

/// By a name of a job's manifest ("VeroCY-V", "verocyan"): letters and digits count, whatever their case.
std::optional<ResinColour> find_resin(std::string_view job_name);

/// By R, G and B of its pixels, 0xRRGGBBAA, whatever their alpha: the six colours of the Vero resins (voxel-print guide
/// of Stratasys, as its users write them).
std::optional<ResinColour> find_resin_of_colour(std::uint32_t colour);

/// The pixels' colour, alpha 255; nothing if none is known.
std::optional<std::uint32_t> find_vero_colour(ResinColour resin);

/// The material of the table that is the resin: by a name of the resin, then by the table's usual names (C, cyan), then
/// by the colour (#00ffff); the first one that is clear or support. Nothing if there is none.
std::optional<std::size_t> find_resin_material(MaterialTable const& table, ResinColour resin);

/// The name that a printer has for a material of a table's usual name: "VeroCY-V" for C. Nothing for others, and for
/// support.
std::optional<std::string> find_printer_name(std::string_view material);

} // namespace volpt
