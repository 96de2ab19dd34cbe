// What both forms of the contact sheet show.
#pragma once

#include "libvolpt/image/drawing/drawing.h"
#include "libvolpt/stats/report/contact_sheet.h"
#include "libvolpt/stats/report/error_map.h"

namespace volpt {

struct ContactParts {
    Image target, prediction; ///< displayable
    NamedMap map;
    Image painted_map;
    std::vector<PatchColours> patches;
    Illuminant illuminant;            ///< of the patches' L*a*b*
    std::vector<MetricValue> figures; ///< of de2000 and of its noise
};

/// Errors as draw_contact_sheet has them.
ContactParts collect_contact_parts(ReportedPair const& pair, std::vector<Patch> const& patches);

/// Linear sRGB as it is painted: coded and clamped.
PaintColour show_colour(Colour rgb);

} // namespace volpt
