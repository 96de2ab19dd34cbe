// The model parts of a 3MF file.
//
// 3MF Core Specification 1.3 (2021), Materials and Properties Extension 1.2 (2021), Production Extension 1.1 (2020),
// 3MF Consortium.
#pragma once

#include "formats/mesh/reader.h"

#include <cstddef>
#include <functional>

namespace volpt {

/// The bytes of a part by its name, which has no slash before it. Error (input) names `where` if there is none, or if
/// it has more than `max_bytes`.
using ReadModelPart =
    std::function<std::vector<std::byte>(std::string const& name, std::string const& where, std::uint64_t max_bytes)>;

/// Reads `root`, of whose build the mesh is, and the parts that it names; `where` names the file. Pictures are read if
/// they are kept. Error (input) names the part and the object.
MeshFile parse_three_mf_model(ReadModelPart const& read_part, std::string const& root, std::string const& where,
                              MeshPictures pictures);

} // namespace volpt
