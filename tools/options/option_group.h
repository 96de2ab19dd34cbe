// A topic of options that several tools share: declares them, then reads them.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace volpt {

/// Sharing an option between tools is sharing its group. Options are best declared as
/// `po::value<std::string>()->value_name("X,Y,Z")` and read with the parsers of units.h, whose errors name the option,
/// the text and an example; `po::value<std::vector<std::string>>()` may be repeated; `po::bool_switch()` is a flag.
class OptionGroup {
public:
    virtual ~OptionGroup() = default;

    /// Heading in --help: "Camera".
    virtual std::string title() const = 0;
    virtual void declare(boost::program_options::options_description& options) = 0;
    /// Called once, after parsing. Error (usage) says what cannot be meant.
    virtual void read(boost::program_options::variables_map const& values) = 0;
};

/// True if the user gave the option, on the command line or in a --config file.
bool is_given(boost::program_options::variables_map const& values, std::string_view option);

/// The text of a string option if the user gave it.
std::optional<std::string> given_text(boost::program_options::variables_map const& values, std::string_view option);

} // namespace volpt
