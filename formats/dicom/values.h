// Values of a DICOM data set, whatever its VR says: files in the wild are not strict.
#pragma once

#include <gdcmDataSet.h>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

/// Trimmed; letters that are no printable ASCII become '?', as their set is unknown. Empty if it is absent.
std::string find_dicom_text(gdcm::DataSet const& data, gdcm::Tag tag);

/// Of VR DS or IS. None if it is absent or empty; Error (input) names `where` and `keyword` if it is no list of
/// numbers.
std::vector<double> find_dicom_numbers(gdcm::DataSet const& data, gdcm::Tag tag, char const* keyword,
                                       std::string const& where);
/// The first of them.
std::optional<double> find_dicom_number(gdcm::DataSet const& data, gdcm::Tag tag, char const* keyword,
                                        std::string const& where);

/// Of VR US.
std::optional<unsigned> find_dicom_word(gdcm::DataSet const& data, gdcm::Tag tag);

/// Copies of the data sets of a sequence, which share its values.
std::vector<gdcm::DataSet> list_dicom_items(gdcm::DataSet const& data, gdcm::Tag tag);

} // namespace volpt
