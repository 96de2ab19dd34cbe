// Messages between volprep and the sandboxed process that reads TIFF files.
#pragma once

#include "libvolpt/sys/sandbox.h"

#include <string>
#include <vector>

namespace volpt {

enum TiffMessage : std::uint32_t {
    kTiffNotes = 1,  ///< JSON: {"description": first page's text, "notices": [..]}
    kTiffPages = 2,  ///< an array of TiffPage
    kTiffPixels = 3, ///< a piece of the requested page; pieces follow until it is complete
};

struct TiffPage {
    std::uint64_t directory_offset = 0;
    std::uint32_t file = 0;   ///< index of its path
    std::uint32_t number = 0; ///< among all pages of its file, from 0
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t channels = 0; ///< as in SliceFacts
    std::uint32_t element = 0;  ///< an ElementType, in this machine's byte order
};

/// Index of a page, by which volprep asks for it.
using TiffRequest = std::uint32_t;

/// "stack.tif: page 3".
std::string describe_tiff_page(std::vector<std::string> const& paths, TiffPage const& page);

/// In the child: sends kTiffNotes and kTiffPages, then answers requests until the connection ends.
void serve_tiff(std::vector<std::string> const& paths, SandboxPort& port);

} // namespace volpt
