// A contact sheet: target, prediction, the map of their Delta E 2000, and a table of patches in L*a*b*.
#pragma once

#include "libvolpt/stats/report/html_report.h"
#include "libvolpt/stats/report/patches.h"

namespace volpt {

/// The test is the prediction, the reference the target. The result is R, G, B, sRGB-coded. Error (usage) unless the
/// verdict has the metric de2000 with its map, both have colours, and the patches lie inside the picture.
Image draw_contact_sheet(ReportedPair const& pair, std::vector<Patch> const& patches);

/// The same as one HTML page that loads nothing from elsewhere.
std::string format_contact_sheet(ReportedPair const& pair, std::vector<Patch> const& patches);

} // namespace volpt
