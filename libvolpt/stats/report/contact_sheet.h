// A contact sheet: target, prediction, the map of their Delta E 2000, a table of patches in L*a*b*, the verdict in
// words, notes, and further views. Without a comparison, the views and notes alone.
#pragma once

#include "libvolpt/stats/report/html_report.h"
#include "libvolpt/stats/report/patches.h"
#include "libvolpt/stats/report/sheet_views.h"

#include <optional>

namespace volpt {

struct SheetLabels {
    std::vector<std::string> notes;    ///< lines of text, such as the settings of the print
    std::optional<double> width_mm;    ///< of the pictures, for a scale bar
    std::vector<SheetView> views = {}; ///< above the comparison
    DisplayBackground background = list_default_backgrounds().back(); ///< of views with alpha
};

/// The test is the prediction, the reference the target. The result is R, G, B, sRGB-coded. Error (usage) unless the
/// verdict has the metric de2000 with its map, both have colours, and the patches lie inside the picture.
Image draw_contact_sheet(ReportedPair const& pair, std::vector<Patch> const& patches, SheetLabels const& labels = {});

/// The same as one HTML page that loads nothing from elsewhere.
std::string format_contact_sheet(ReportedPair const& pair, std::vector<Patch> const& patches,
                                 SheetLabels const& labels = {});

/// A sheet of views and notes alone.
Image draw_view_sheet(SheetLabels const& labels);
std::string format_view_sheet(std::string const& title, SheetLabels const& labels);

} // namespace volpt
