// Further pictures on a sheet, such as the views of a turntable: in rows, with captions and scale bars.
#pragma once

#include "libvolpt/image/displayed.h"

#include <optional>
#include <string>
#include <vector>

namespace volpt {

class Drawing;

struct SheetView {
    std::string caption;
    Image picture;                       ///< any; shown at exposure 1
    std::optional<double> width_mm = {}; ///< of the picture, for a scale bar
};

/// The height that draw_views takes, in pixels; 0 without views.
double measure_views(std::vector<SheetView> const& views);

/// From `top` downwards, as wide as the sheet, at most four in a row; over the background where they have alpha.
void draw_views(Drawing& drawing, std::vector<SheetView> const& views, DisplayBackground const& background, double top);

/// The same as HTML; empty without views.
std::string format_views(std::vector<SheetView> const& views, DisplayBackground const& background);

} // namespace volpt
