// The DICOM files of a folder or a pattern. In every build: one without GDCM can still say what a folder holds.
#pragma once

#include <string>
#include <vector>

namespace volpt {

/// A DICOM file, or a folder or pattern of file names with one. Error (input) if a file that is named cannot be read.
bool is_dicom(std::string const& input);

struct DicomFiles {
    std::vector<std::string> paths; ///< by name
    std::vector<std::string> notices;
};

/// By content, whatever the names: files of other kinds are left out with a notice, folders inside it are not entered.
/// Error (input) if the folder or a file cannot be read.
DicomFiles list_dicom_files(std::string const& input);

} // namespace volpt
