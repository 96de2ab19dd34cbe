#include "tools/options/listing/option_list.h"

#include "libvolpt/sys/json.h"
#include "tools/options/listing/value_kinds.h"

#include <algorithm>
#include <boost/program_options/cmdline.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace po = boost::program_options;
namespace {

struct ListedValue {
    std::string name = {};       ///< of an option or a command, without "--"
    std::string short_name = {}; ///< "o"
    unsigned count = 0;          ///< of values
    bool repeats = false;
    std::string value = {}; ///< what stands for it in --help
    ValueKinds kinds = {};
    std::string help = {};
};

ListedValue list_option(po::option_description const& option)
{
    ListedValue listed;
    listed.name = option.long_name();
    // "-o" where there is a short name; else the long one, with its dashes.
    std::string const spelled = option.canonical_display_name(po::command_line_style::allow_dash_for_short);
    if (spelled.size() == 2) listed.short_name = spelled.substr(1);
    listed.count = option.semantic()->max_tokens();
    listed.repeats = dynamic_cast<po::typed_value<std::vector<std::string>> const*>(option.semantic().get()) != nullptr;
    if (listed.count > 0) listed.value = option.semantic()->name();
    listed.kinds = read_value_kinds(option);
    listed.help = option.description();
    return listed;
}

/// The last one repeats if the tool takes more of them than it names.
std::vector<ListedValue> list_arguments(ToolDescription const& description)
{
    std::vector<ListedValue> arguments;
    for (auto const& [name, choices] : description.arguments)
        arguments.push_back({.count = 1, .value = name, .kinds = read_value_kinds(name, choices)});
    if (!arguments.empty()) arguments.back().repeats = description.arguments_max > arguments.size();
    return arguments;
}

std::string fill_column(std::string text)
{
    std::ranges::replace_if(
        text, [](char c) { return c == '\t' || c == '\n'; }, ' ');
    return text.empty() ? "-" : text;
}

std::string format_row(char const* kind, ListedValue const& listed)
{
    return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", kind, fill_column(listed.name),
                       fill_column(listed.short_name), listed.count, listed.repeats ? "repeats" : "once",
                       fill_column(listed.value), fill_column(fmt::format("{}", fmt::join(listed.kinds.words, " "))),
                       fill_column(fmt::format("{}", fmt::join(listed.kinds.files, " "))), fill_column(listed.help));
}

nlohmann::ordered_json describe_as_json(ListedValue const& listed)
{
    nlohmann::ordered_json object;
    if (!listed.name.empty()) object["name"] = listed.name;
    if (!listed.short_name.empty()) object["short"] = listed.short_name;
    object["values"] = listed.count;
    object["repeats"] = listed.repeats;
    object["value"] = listed.value;
    object["words"] = listed.kinds.words;
    object["files"] = listed.kinds.files;
    if (!listed.help.empty()) object["help"] = listed.help;
    return object;
}

std::string list_as_text(ToolDescription const& description, std::vector<po::options_description> const& groups)
{
    std::string rows;
    for (auto const& command : description.commands)
        rows += format_row("command", {.name = command.name, .help = command.summary});
    for (auto const& argument : list_arguments(description)) rows += format_row("argument", argument);
    for (auto const& group : groups)
        for (auto const& option : group.options()) rows += format_row("option", list_option(*option));
    return rows;
}

std::string list_as_json(ToolDescription const& description, std::vector<po::options_description> const& groups)
{
    auto const empty = nlohmann::ordered_json::array();
    nlohmann::ordered_json list{
        {"tool", description.name}, {"commands", empty}, {"arguments", empty}, {"options", empty}};
    for (auto const& command : description.commands)
        list["commands"].push_back({{"name", command.name}, {"help", command.summary}});
    for (auto const& argument : list_arguments(description)) list["arguments"].push_back(describe_as_json(argument));
    for (auto const& group : groups)
        for (auto const& option : group.options()) list["options"].push_back(describe_as_json(list_option(*option)));
    return format_json(list) + "\n";
}

} // namespace

std::string list_options(ToolDescription const& description, std::vector<po::options_description> const& groups,
                         AnswerForm form)
{
    return form == AnswerForm::json ? list_as_json(description, groups) : list_as_text(description, groups);
}

} // namespace volpt
