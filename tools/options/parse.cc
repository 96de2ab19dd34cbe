// Parses with Boost.Program_options: GNU style, no guessing, values that start with a minus sign.
#include "tools/options/parse.h"

#include "libvolpt/sys/error.h"

#include <boost/program_options/parsers.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace volpt {
namespace {
namespace po = boost::program_options;

/// Everything of GNU style but abbreviation: `--samp` must not come to mean --samples today and be ambiguous tomorrow.
constexpr int kStyle = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;

/// "--spp --seed 3" would silently make "--seed" the value of --spp; values may start with '-' only if no option does
/// so.
void refuse_option_as_value(po::option const& option, po::options_description const& options)
{
    for (auto const& value : option.value) {
        bool const is_long = value.size() > 2 && value.starts_with("--") &&
                             options.find_nothrow(value.substr(2, value.find('=') - 2), false) != nullptr;
        bool const is_short = value.size() == 2 && value[0] == '-' && options.find_nothrow(value, false) != nullptr;
        bool const adjacent = !option.original_tokens.empty() && option.original_tokens.back() != value;
        if ((is_long || is_short) && !adjacent)
            fail_usage(fmt::format("--{} has no value: '{}' follows, which is an option", option.string_key, value),
                       fmt::format("write --{}={} if it is meant", option.string_key, value));
    }
}

void store_config_file(std::string const& path, po::options_description const& options, po::variables_map& values)
{
    std::ifstream file = std::filesystem::is_regular_file(path) ? std::ifstream(path) : std::ifstream();
    if (!file.is_open())
        fail_input("cannot be opened as a file", path, "--config names it", "give a readable text file");
    try {
        po::store(po::parse_config_file(file, options), values);
    } catch (po::error const& error) {
        fail_usage(fmt::format("{}: {}", path, error.what()), "lines are 'name = value' with the names of --help");
    }
}

} // namespace

ParsedCommandLine parse_command_line(std::vector<std::string> const& words, po::options_description const& options)
{
    ParsedCommandLine result;
    po::parsed_options const parsed = po::command_line_parser(words).options(options).style(kStyle).run();
    for (po::option const& option : parsed.options) {
        if (option.position_key >= 0)
            result.arguments.insert(result.arguments.end(), option.value.begin(), option.value.end());
        else
            refuse_option_as_value(option, options);
    }
    po::store(parsed, result.values);
    if (auto const config = result.values.find("config"); config != result.values.end())
        store_config_file(config->second.as<std::string>(), options, result.values);
    po::notify(result.values);
    return result;
}

} // namespace volpt
