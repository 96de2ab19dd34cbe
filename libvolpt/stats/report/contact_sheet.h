// A contact sheet: target, prediction, the map of their Delta E 2000, and a table of patches in L*a*b*.
#pragma once

#include "libvolpt/stats/report/html_report.h"
#include "libvolpt/stats/report/patches.h"

namespace volpt {

/// The test is the prediction, the reference the target. The verdict has to hold the metric de2000 with its map; Error
/// (usage) otherwise, without colours, or if a patch leaves the picture. R, G, B, sRGB-coded.
Image draw_contact_sheet(ReportedPair const& pair, std::vector<Patch> const& patches);

/// The same as one page that loads nothing from elsewhere.
std::string format_contact_sheet(ReportedPair const& pair, std::vector<Patch> const& patches);

} // namespace volpt
