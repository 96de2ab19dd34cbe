#include "tools/options/listing/type_choices.h"

#include "libvolpt/sys/error.h"
#include "tools/options/units.h"

#include <fmt/format.h>

namespace volpt {

ValueChoices list_type_choices()
{
    std::string const names = list_element_names();
    ValueChoices choices;
    for (auto const name : split_list(names)) choices.words.emplace_back(name);
    return choices;
}

StoredType parse_type_option(std::string const& text)
{
    auto const type = parse_stored_type(text);
    if (!type) fail_usage(fmt::format("--type '{}' is unknown", text), "give one of " + list_element_names());
    return *type;
}

} // namespace volpt
