// What microscopy programs write about their stacks into TIFF's ImageDescription, as far as it decides what pages are.
#pragma once

#include <cstddef>
#include <string>

namespace volpt {

/// Error (input) if the text, of ImageJ or of OME, says that there are other slices than the `pages`: kept outside of
/// TIFF's pages, or of several channels or times in turn.
void check_tiff_description(std::string const& description, std::size_t pages, int channels, std::string const& where);

} // namespace volpt
