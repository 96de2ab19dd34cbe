// TIFF files as slices: pages of one file, or one-page files of a series.
//
// TIFF 6.0 (Aldus, 1992) and BigTIFF, by way of libtiff in a process of its own.
#pragma once

#include "formats/slices/pictures.h"
#include "libvolpt/sys/sandbox.h"

#include <optional>
#include <string_view>

namespace volpt {

/// True if the file begins as TIFF (or BigTIFF) does, in either byte order. Never throws.
bool is_tiff(std::string_view head);

/// One path: each full page is a slice. Several: each has one. `limits` are those of the process that reads; absent: by
/// the files' sizes. Error (input) names file and page: grey (with alpha) of 8 to 64 bits and R G B (A) of 8 or 16 are
/// read, in strips or tiles.
std::unique_ptr<SlicePictures> open_tiff_pictures(std::string where, std::vector<std::string> const& paths,
                                                  std::vector<std::string> notices,
                                                  std::optional<SandboxLimits> limits = {});

} // namespace volpt
