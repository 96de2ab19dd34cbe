#include "tools/options/option_group.h"

namespace volpt {
namespace po = boost::program_options;

namespace {

template <typename Value>
class ChosenValue : public po::typed_value<Value>, public OffersChoices {
public:
    ChosenValue(std::string const& name, ValueChoices offered) : po::typed_value<Value>(nullptr)
    {
        choices = std::move(offered);
        this->value_name(name);
    }
};

template <typename Value>
class FileValue final : public ChosenValue<Value>, public NamesFile {
public:
    FileValue(std::string const& name, ValueChoices offered, FileValueKind kind)
        : ChosenValue<Value>(name, std::move(offered))
    {
        what = kind;
    }
};

} // namespace

// An options_description owns what these return.
po::typed_value<std::string>* text_value(std::string const& name, ValueChoices choices)
{
    return new ChosenValue<std::string>(name, std::move(choices));
}

po::typed_value<std::vector<std::string>>* repeatable_value(char const* name, ValueChoices choices)
{
    return new ChosenValue<std::vector<std::string>>(name, std::move(choices));
}

po::typed_value<std::string>* file_value(char const* name, ValueChoices choices, FileValueKind what)
{
    return new FileValue<std::string>(name, std::move(choices), what);
}

po::typed_value<std::vector<std::string>>* repeatable_file(char const* name, ValueChoices choices)
{
    return new FileValue<std::vector<std::string>>(name, std::move(choices), FileValueKind::file);
}

bool looks_like_numbers(std::string const& text)
{
    return !text.empty() && text.find_first_not_of("0123456789.,+-eE ") == std::string::npos;
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
