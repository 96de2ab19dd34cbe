// TIFF files as slices: pages of one file, or one-page files of a series.
//
// TIFF 6.0 (Aldus, 1992) and BigTIFF, read by libtiff in a sandboxed process.
#pragma once

#include "formats/reader.h"
#include "formats/slices/stack.h"
#include "libvolpt/sys/sandbox.h"

#include <optional>

namespace volpt {

/// One path: the volume that the file says it holds (layout.h); without a word of it, each full page is a slice.
/// Several: each file has one slice. `limits` are those of the process that reads; absent: by the files' sizes. Read
/// are grey (with alpha), R G B (A) and palettes, and one of several channels, in strips or tiles; Error (input) names
/// file and page of anything else.
std::unique_ptr<SlicePictures> open_tiff_pictures(std::string where, std::vector<std::string> const& paths,
                                                  std::vector<std::string> notices,
                                                  std::optional<SandboxLimits> limits = {},
                                                  PartChoice const& part = {});

} // namespace volpt
