// Questions about parsed options that every group asks.
#include "tools/options/option_group.h"

namespace volpt {

bool is_given(boost::program_options::variables_map const& values, std::string_view option)
{
    auto const found = values.find(std::string(option));
    return found != values.end() && !found->second.empty() && !found->second.defaulted();
}

std::optional<std::string> given_text(boost::program_options::variables_map const& values, std::string_view option)
{
    if (!is_given(values, option)) return std::nullopt;
    return values.at(std::string(option)).as<std::string>();
}

} // namespace volpt
