// Whether a DICOM file can hold what its elements announce, before a library allocates by it.
#pragma once

#include <string>

namespace volpt {

/// Error (input) names tag and offset of the first element, item or fragment whose length is larger than the rest of
/// the file (but for pixel data of one piece, whose length is not needed). Deflated data are not looked into, and
/// nothing behind an element whose VR is unknown.
void check_dicom_lengths(std::string const& path);

} // namespace volpt
