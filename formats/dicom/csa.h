// The CSA headers in which Siemens' scanners keep what DICOM has no element for.
//
// Layout as nibabel describes it (nipy.org/nibabel/dicom/siemens_csa.html).
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace volpt {

using CsaValues = std::map<std::string, std::vector<std::string>>;

/// Values by name of a CSA header of either version, trimmed; nothing of what lies behind damage.
CsaValues read_csa_header(std::span<std::byte const> bytes);

} // namespace volpt
