// What the value of an option or an argument may be, as far as a shell can complete it.
#pragma once

#include "tools/options/option_group.h"

#include <boost/program_options/options_description.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace volpt {

struct ValueKinds {
    std::vector<std::string> words; ///< "smooth"; "diffuse:" goes on
    std::vector<std::string> files; ///< endings, ".vpk"; "*": any file; "/": folders alone
};

/// Reads the name of a value, alternatives separated by '|', and adds `choices`. A word in small letters, or with a
/// digit, stands for itself (off, D50), "diffuse:A" for what begins with "diffuse:", OUT.vpk for files that end so,
/// AXIS for the six axes, FOLDER for a folder, and FILE for any file unless `choices` names endings. Other words in
/// capitals stand for what cannot be listed.
ValueKinds read_value_kinds(std::string_view name, ValueChoices const& choices = {});

/// The same of an option as it was declared; a value that names a file and says no more is any file.
ValueKinds read_value_kinds(boost::program_options::option_description const& option);

} // namespace volpt
