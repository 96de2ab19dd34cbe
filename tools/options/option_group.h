#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// Options of one topic: declares them, then reads them. Tools share an option by sharing its group. Values are
/// declared as text and read with the parsers of units.h, whose errors name the option, the text and an example; flags
/// are declared as `po::bool_switch()`.
class OptionGroup {
public:
    virtual ~OptionGroup() = default;

    /// Heading in --help: "Camera".
    virtual std::string title() const = 0;
    virtual void declare(boost::program_options::options_description& options) = 0;
    /// Called once, after parsing. Error (usage) for values that are invalid or contradict each other.
    virtual void read(boost::program_options::variables_map const& values) = 0;
};

/// What a value may be beyond what its name shows (listing/value_kinds.h); shells complete from it.
struct ValueChoices {
    std::vector<std::string> words = {}; ///< one that ends in ':' or '=' goes on
    std::string files = {};              ///< endings, ".exr .hdr"; "*": any file
};

/// Carries the choices of a value that has some.
struct OffersChoices {
    ValueChoices choices;
    virtual ~OffersChoices() = default;
};

/// The value of an option, as text; `name` stands for it in --help: "X,Y,Z".
boost::program_options::typed_value<std::string>* text_value(std::string const& name, ValueChoices choices = {});

/// The same for an option that may be repeated.
boost::program_options::typed_value<std::vector<std::string>>* repeatable_value(char const* name,
                                                                                ValueChoices choices = {});

/// Marks the value of an option that names a file, so that --provenance plain leaves the name out.
enum class FileValueKind { file, file_or_number };
struct NamesFile {
    FileValueKind what = FileValueKind::file;
    virtual ~NamesFile() = default;
};

/// A text_value or repeatable_value that names a file.
boost::program_options::typed_value<std::string>* file_value(char const* name, ValueChoices choices = {},
                                                             FileValueKind what = FileValueKind::file);
boost::program_options::typed_value<std::vector<std::string>>* repeatable_file(char const* name,
                                                                               ValueChoices choices = {});

/// "0.5" or "1,0.9,0.8"; what else a file_or_number is names a file.
bool looks_like_numbers(std::string const& text);

/// True if the user gave the option, on the command line or in a --config file.
bool is_given(boost::program_options::variables_map const& values, std::string_view option);

/// The text of an option with a text_value, if the user gave it.
std::optional<std::string> given_text(boost::program_options::variables_map const& values, std::string_view option);

/// The texts of an option with a repeatable_value, in order; none if the user did not give it.
std::vector<std::string> given_texts(boost::program_options::variables_map const& values, std::string_view option);

} // namespace volpt
