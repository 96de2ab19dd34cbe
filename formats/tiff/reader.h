// TIFF files as slices: pages of one file, or one-page files of a series.
//
// TIFF 6.0 (Aldus, 1992) and BigTIFF, read by libtiff in a sandboxed process.
#pragma once

#include "formats/slices/stack.h"
#include "libvolpt/sys/sandbox.h"

#include <optional>

namespace volpt {

/// One path: each full page is a slice. Several: each file has one slice. `limits` are those of the process that reads;
/// absent: by the files' sizes. Read are grey (with alpha) of 8 to 64 bits and R G B (A) of 8 or 16, in strips or
/// tiles; Error (input) names file and page of anything else.
std::unique_ptr<SlicePictures> open_tiff_pictures(std::string where, std::vector<std::string> const& paths,
                                                  std::vector<std::string> notices,
                                                  std::optional<SandboxLimits> limits = {});

} // namespace volpt
