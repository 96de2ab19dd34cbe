// Pictures of several slices side by side, as Siemens' scanners before Numaris X write them.
#pragma once

#include "formats/dicom/image.h"
#include "formats/dicom/siemens.h"

namespace volpt {

/// What ImageType's word MOSAIC means in a file that does not say how many slices it has.
enum class MosaicWord {
    absent,
    of_mosaic,
    of_slice, ///< Numaris X writes it where there is no mosaic
};
MosaicWord find_mosaic_word(gdcm::DataSet const& data);

/// Makes the picture's slices frames of `image`, which has one. Error (input) if their number does not fit its size, or
/// their direction its orientation.
void split_siemens_mosaic(DicomImage& image, SiemensMosaic const& mosaic);

} // namespace volpt
