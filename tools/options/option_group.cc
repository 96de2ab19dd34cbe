#include "tools/options/option_group.h"

namespace volpt {
namespace po = boost::program_options;

po::typed_value<std::string>* text_value(char const* name)
{
    return po::value<std::string>()->value_name(name);
}

po::typed_value<std::vector<std::string>>* repeatable_value(char const* name)
{
    return po::value<std::vector<std::string>>()->value_name(name);
}

bool is_given(po::variables_map const& values, std::string_view option)
{
    auto const found = values.find(std::string(option));
    return found != values.end() && !found->second.empty() && !found->second.defaulted();
}

std::optional<std::string> given_text(po::variables_map const& values, std::string_view option)
{
    if (!is_given(values, option)) return std::nullopt;
    return values.at(std::string(option)).as<std::string>();
}

std::vector<std::string> given_texts(po::variables_map const& values, std::string_view option)
{
    if (!is_given(values, option)) return {};
    return values.at(std::string(option)).as<std::vector<std::string>>();
}

} // namespace volpt
