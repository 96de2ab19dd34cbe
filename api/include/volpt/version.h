// The version of the library.
#pragma once

#include "volpt/export.h"

#include <string>

namespace volpt {
VOLPT_API_NAMESPACE v0
{

    /// That of the programs, for example "0.1.0".
    VOLPT_API std::string version();
    /// The git revision of the source, "-dirty" if changed since; "unknown" outside a checkout.
    VOLPT_API std::string revision();

} // namespace v0
} // namespace volpt
