// The numbers of single frames. For sandboxed processes: GDCM's decoders are not safe on hostile files.
#pragma once

#include "formats/dicom/image.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace volpt {

class DicomFile;

class DicomPixels {
public:
    DicomPixels();
    ~DicomPixels();
    DicomPixels(DicomPixels const&) = delete;
    DicomPixels& operator=(DicomPixels const&) = delete;

    /// slope * stored + intercept, rounded once; `numbers` holds columns * rows. Error (input) names file and frame.
    void read(DicomImage const& image, DicomFrame const& frame, std::span<float> numbers);

private:
    void read_picture(DicomImage const& image, DicomFrame const& frame, std::span<float> numbers);

    std::unique_ptr<DicomFile> file_; ///< a compressed one stays open for its other frames
    std::vector<float> mosaic_;       ///< the picture of mosaic_path_
    std::string mosaic_path_;
};

} // namespace volpt
