// One entry of a material table: its keys, checked.
#pragma once

#include "libvolpt/volume/volume.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace volpt {

struct MaterialEntry {
    Material material;
    std::optional<std::uint8_t> id;
    std::optional<std::uint32_t> colour; ///< 0xrrggbbaa
    std::optional<double> ior;
};

/// Error (input) names `where`, the material and the key.
MaterialEntry read_material_entry(nlohmann::json const& entry, std::string const& where);

/// A number of 1 to 4. Error (input) names `where`.
double read_ior(nlohmann::json const& value, std::string const& where);

/// Error (input) for the first key of an object that is not among `known`; names the nearest one.
void refuse_unknown_keys(nlohmann::json const& object, std::span<std::string_view const> known,
                         std::string const& where);

/// An entry to copy, for messages.
extern char const* const kMaterialExample;

} // namespace volpt
