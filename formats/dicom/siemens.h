// What Siemens keeps in private elements: how many slices a mosaic has, and which way they follow each other.
#pragma once

#include <array>
#include <gdcmDataSet.h>
#include <optional>
#include <string>

namespace volpt {

struct SiemensMosaic {
    unsigned slices = 0;                         ///< NumberOfImagesInMosaic, 1 and more
    std::optional<std::array<double, 3>> normal; ///< SliceNormalVector, LPS: from slice to slice
};

/// From the element (0019,100A) of SIEMENS MR HEADER, or the CSA image header (0029,1010); none if neither has a
/// number. Error (input) if they contradict each other.
std::optional<SiemensMosaic> find_siemens_mosaic(gdcm::DataSet const& data, std::string const& where);

/// Slices in a grid of United Imaging, (0065,1050); none if the file is no such.
std::optional<double> find_uih_grid(gdcm::DataSet const& data, std::string const& where);

} // namespace volpt
