// Which of the images that were found are the slices of one volume.
#pragma once

#include "formats/dicom/image.h"
#include "formats/reader.h"

#include <string>
#include <vector>

namespace volpt {

/// A frame of images[image].
struct DicomSlice {
    std::size_t image = 0;
    std::size_t frame = 0;
};

/// "scan/IM12", or "heart.dcm: frame 3", counted from 1 as DICOM does.
std::string describe_dicom_slice(DicomImage const& image, DicomFrame const& frame);
std::string describe_dicom_slice(std::vector<DicomImage> const& images, DicomSlice slice);

/// Up to eight names, and how many more.
std::string list_some_names(std::vector<std::string> const& names);

struct DicomSeries {
    std::string choice;             ///< of several, what chooses this one: number, description or UID; else empty
    std::vector<DicomSlice> slices; ///< of one size and orientation; not sorted
    std::vector<std::string> notices;
};

/// The slices of the series that `wanted` chooses: by its UID, by its number, or by a part of its description, whatever
/// the case; empty if there is one alone, or if `missing` says that the one of most slices is read, with a notice.
/// Copies of a slice, other kinds of objects and localizers are left out with a notice. Error (input) lists the series,
/// or the kinds of slices in one series.
DicomSeries choose_dicom_series(std::vector<DicomImage> const& images, std::string const& wanted, MissingChoice missing,
                                std::string const& where);

} // namespace volpt
