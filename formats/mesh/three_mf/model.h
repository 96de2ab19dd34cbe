// The model part of a 3MF file.
//
// 3MF Core Specification 1.3 (2021) and Materials and Properties Extension 1.2 (2021), 3MF Consortium.
#pragma once

#include "formats/mesh/reader.h"

#include <cstddef>
#include <span>

namespace volpt {

/// Changes `xml`, which has to stay until the call returns. Error (input) names `where` and the object.
MeshFile parse_three_mf_model(std::span<std::byte> xml, std::string const& where);

} // namespace volpt
