#pragma once

#include "tools/options/option_group.h"

#include <cstdint>
#include <optional>

namespace volpt {

/// --picture-memory, in every tool that reads pictures.
void declare_picture_memory(boost::program_options::options_description& options);
/// Bytes, for choose_picture_memory; nothing if the option is not given.
std::optional<std::uint64_t> read_picture_memory(boost::program_options::variables_map const& values);

} // namespace volpt
