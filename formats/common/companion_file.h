// Files that a header names beside itself.
#pragma once

#include "formats/reader.h"

namespace volpt {

/// The file that the header at `header_path` calls `name`, relative to the header's folder. Error (input) if that lies
/// outside the folder (an absolute name, or one with "..") and `outside` is `refused`: a header from elsewhere could
/// name any file of the user. Links are followed. `field` is for the message: "ElementDataFile".
std::filesystem::path find_companion(std::filesystem::path const& header_path, std::string const& name,
                                     char const* field, OutsideFiles outside);

} // namespace volpt
