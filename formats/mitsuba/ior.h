// Indices of refraction by Mitsuba's names of materials.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace volpt {

/// At 589 nm (E. Hecht, Optics, and the names that Mitsuba gives them); upper and lower case are the same.
std::optional<double> find_ior(std::string_view name);

/// "vacuum, helium, ...", for messages.
std::string list_ior_names();

} // namespace volpt
