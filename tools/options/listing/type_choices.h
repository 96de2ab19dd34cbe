// Number types of headerless files, as --type takes them.
#pragma once

#include "libvolpt/volume/element_type.h"
#include "tools/options/option_group.h"

#include <string>

namespace volpt {

ValueChoices list_type_choices();

/// Error (usage), with the types there are, for an unknown one.
StoredType parse_type_option(std::string const& text);

} // namespace volpt
