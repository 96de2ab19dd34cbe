// How large a printed picture is: its face and the thickness behind it, as the options give them.
#pragma once

#include "libvolpt/image/image.h"
#include "tools/volprep/options.h"

namespace volpt {

/// Error (usage) unless the options give the face once and the thickness once, each in one way: --size or --width,
/// --core or --thickness.
void check_print_size(VolprepOptions const& options);

/// Sets size_mm and core_mm of `print`, whose pitch and ink depth are set. --width keeps the picture's aspect ratio.
/// --thickness is that of core and inks together, in whole layers: the core has what the inks leave. Error (usage)
/// where that is less than a layer.
void set_print_size(PictureOptions& print, VolprepOptions const& options, Image const& picture);

} // namespace volpt
