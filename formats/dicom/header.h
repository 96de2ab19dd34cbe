// Reads the header of one DICOM file, up to its pixel data.
#pragma once

#include "formats/dicom/image.h"

namespace volpt {

/// A file that holds no slices has a `refusal` instead of frames. Error (input) names the file if it is damaged, or
/// says what a volume cannot have.
DicomImage read_dicom_header(std::string const& path, std::uint32_t file);

} // namespace volpt
