#pragma once

#include <cstdint>
#include <string>

namespace volpt {

/// The least of the machine's memory, the limits of the control groups (v1 and v2) that this process is in, and its
/// address-space limit (ulimit -v).
std::uint64_t find_usable_memory();

/// For messages: "4 GiB", "0.5 GiB", "137 GiB".
std::string spell_gib(std::uint64_t bytes);

} // namespace volpt
