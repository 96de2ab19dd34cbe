// Messages between volprep and the sandboxed process that reads TIFF files.
#pragma once

#include "libvolpt/sys/sandbox.h"

#include <string>
#include <vector>

namespace volpt {

enum TiffMessage : std::uint32_t {
    kTiffNotes = 1,  ///< JSON: {"texts": count, "notices": [..]}
    kTiffText = 2,   ///< a TiffTextPlace, and the text of that page; as many as kTiffNotes says
    kTiffPages = 3,  ///< an array of TiffPage
    kTiffPixels = 4, ///< a piece of the requested layer; pieces follow until it is complete
};

/// What the samples of a pixel are.
enum class TiffSamplesKind : std::uint32_t {
    colour,   ///< grey, R G B, and alpha
    channels, ///< numbers of several channels
};

struct TiffPage {
    std::uint64_t directory_offset = 0;
    double x_per_unit = 0;             ///< XResolution, 0 if absent
    double y_per_unit = 0;             ///< YResolution
    std::uint32_t resolution_unit = 0; ///< RESUNIT_*
    std::uint32_t file = 0;            ///< index of its path
    std::uint32_t number = 0;          ///< among all pages of its file, from 0
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t channels = 0; ///< samples of a pixel
    std::uint32_t element = 0;  ///< an ElementType, in this machine's byte order
    TiffSamplesKind kind = TiffSamplesKind::colour;
    std::uint32_t layers = 1; ///< that the page itself has: SGI's ImageDepth, planes of MetaMorph
    std::uint32_t room = 1;   ///< layers of its size for which the file has bytes from the first strip on
};
static_assert(sizeof(TiffPage) == 64); // no padding, which would be sent

/// Page of a file, both from 0.
struct TiffTextPlace {
    std::uint32_t file;
    std::uint32_t page;
};

/// Index of a page, and a layer below its `layers` or its `room`.
struct TiffRequest {
    std::uint32_t page;
    std::uint32_t layer;
};

/// "stack.tif: page 3".
std::string describe_tiff_page(std::vector<std::string> const& paths, TiffPage const& page);

/// In the child: sends kTiffNotes, kTiffText and kTiffPages, then answers requests until the connection ends.
void serve_tiff(std::vector<std::string> const& paths, SandboxPort& port);

} // namespace volpt
