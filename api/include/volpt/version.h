// The version of the library.
#pragma once

#include "volpt/export.h"

#include <string>

namespace volpt {
VOLPT_API_NAMESPACE v0
{

    /// That of the programs, for example "0.1.0".
    VOLPT_API std::string version();

} // namespace v0
} // namespace volpt
