// What a TIFF file says its volume is: which page is which slice, and how large its voxels are.
//
// Asked in this order: OME-XML; ImageJ's description; the shape that tifffile writes; SGI's ImageDepth and MetaMorph's
// planes; else each page is a slice.
#pragma once

#include "formats/reader.h"
#include "formats/tiff/connection.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

/// Where a slice is.
struct TiffPlane {
    std::uint32_t page = 0;              ///< of TiffConnection::pages()
    std::uint32_t layer = 0;             ///< of the page
    std::optional<std::uint32_t> sample; ///< the only one of a pixel that is read
};

struct TiffLayout {
    std::vector<TiffPlane> planes; ///< from the first slice to the last
    /// Pitch, and channel and volume that were chosen; path and notices are the file's alone.
    SourceMeta meta;
    bool is_series = false; ///< each file is a slice
};

/// Of one file, or of a series of files with a page each. `connection` is replaced by one to more files if OME's planes
/// lie there. Error (input) says what contradicts the file's pages, or what must be chosen.
TiffLayout find_tiff_layout(std::unique_ptr<TiffConnection>& connection, PartChoice const& choice,
                            std::optional<SandboxLimits> const& limits);

} // namespace volpt
