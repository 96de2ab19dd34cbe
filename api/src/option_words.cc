#include "api/src/option_words.h"

#include "api/src/access.h"
#include "api/src/caller_spelling.h"
#include "libvolpt/job/pack/pack_job.h"
#include "libvolpt/sys/text/nearest_name.h"
#include "tools/options/listing/option_list.h"
#include "tools/volcompare/options.h"
#include "tools/volinfo/options.h"
#include "tools/volmerge/options.h"
#include "tools/volrender/held_render.h"
#include "volpt/program.h"

#include <boost/program_options/options_description.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <span>

namespace volpt::v0 {
namespace {

using Names = std::span<std::string_view const>;

/// Lists, answers on stdout, and files to write. Of every program.
constexpr std::string_view kPrinted[] = {"help", "version", "list-options", "json", "config"};
constexpr std::string_view kOfVolprep[] = {"output",         "export",     "plane",     "list-grids",
                                           "list-materials", "check-mesh", "json-lines"};
constexpr std::string_view kOfVolrender[] = {"output",       "resume",       "checkpoint", "trials",
                                             "list-kernels", "list-devices", "turntable"};
constexpr std::string_view kOfVolmerge[] = {"output", "inputs"};
constexpr std::string_view kOfVolinfo[] = {"slice", "aspect", "json-lines"};
constexpr std::string_view kOfFilms[] = {"backdrop", "exposure", "reproducible", "denoise", "aov", "tone"};

constexpr std::string_view kOfPairs[] = {"metric",     "threshold",     "statistical",   "channels",
                                         "alpha",      "illuminant",    "test-transfer", "reference-transfer",
                                         "resample",   "correction",    "peak",          "pixels-per-degree",
                                         "threads",    "verbose",       "layer",         "noise-layer",
                                         "background", "picture-memory"};
constexpr std::string_view kOfConvergence[] = {"spp",         "seconds",       "channels",           "layer",
                                               "noise-layer", "test-transfer", "reference-transfer", "illuminant",
                                               "threads",     "verbose",       "picture-memory"};

bool has_name(Names names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

/// Whether the program alone has the option.
bool is_of_program(Task task, std::string_view name)
{
    if (task == Task::compare) return !has_name(kOfPairs, name);
    if (task == Task::convergence) return !has_name(kOfConvergence, name);
    if (has_name(kPrinted, name)) return true;
    if (task == Task::merge) return has_name(kOfVolmerge, name);
    if (task == Task::info) return has_name(kOfVolinfo, name);
    return task == Task::pack ? has_name(kOfVolprep, name) : has_name(kOfVolrender, name) || has_name(kOfFilms, name);
}

[[noreturn]] void fail_of_program(Task task, std::string_view function, std::string const& name)
{
    std::string const has_no = fmt::format("{} has no option {}", spell_function(function), spell_option(name));
    if (task == Task::pack) fail_usage(has_no, "run the program volprep");
    if (task == Task::info) fail_usage(has_no, "run the program volinfo");
    if (task == Task::compare) fail_usage(has_no, "run the program volcompare for reports in files");
    if (task == Task::convergence) fail_usage(has_no, "run the program volcompare --convergence for reports in files");
    if (task == Task::merge) fail_usage(has_no, "name films and outputs in the arguments, or run the program volmerge");
    if (has_name(kOfFilms, name)) fail_usage(has_no + ", which is of files", "give it to save");
    fail_usage(has_no, "save the film, or run the program volrender");
}

std::string print_groups(std::string name, std::vector<OptionGroup*> const& groups)
{
    CommonOptions common;
    std::vector<boost::program_options::options_description> tables;
    for (OptionGroup* const group : groups) group->declare(tables.emplace_back(group->title()));
    common.declare(tables.emplace_back(common.title()));
    return volpt::list_options({.name = std::move(name)}, tables, AnswerForm::json);
}

/// What --list-options --json of the program prints.
std::string print_options(Task task)
{
    if (task == Task::pack) return list_pack_options(find_program("volprep"));
    if (task == Task::render) return print_groups("volrender", VolrenderOptions().list_groups());
    if (task == Task::merge) return print_groups("volmerge", VolmergeOptions().list_groups());
    if (task == Task::info) return print_groups("volinfo", VolinfoOptions().list_groups());
    CompareOptions of_compare;
    return print_groups("volcompare", {&of_compare});
}

std::vector<OptionInfo> read_options(Task task)
{
    std::vector<OptionInfo> list;
    nlohmann::json const printed = nlohmann::json::parse(print_options(task));
    for (nlohmann::json const& option : printed.at("options"))
        list.push_back({option.at("name"), option.at("value"), option.at("words"), option.at("repeats"),
                        option.value("help", std::string())});
    return list;
}

/// All options of the program, read once in a process.
std::vector<OptionInfo> const& list_program_options(Task task)
{
    static std::vector<OptionInfo> const of_render = read_options(Task::render);
    static std::vector<OptionInfo> const of_compare = read_options(Task::compare);
    static std::vector<OptionInfo> const of_merge = read_options(Task::merge);
    static std::vector<OptionInfo> const of_info = read_options(Task::info);
    if (task == Task::render) return of_render;
    if (task == Task::merge) return of_merge;
    if (task == Task::info) return of_info;
    if (task != Task::pack) return of_compare;
    static std::vector<OptionInfo> const of_pack = read_options(Task::pack);
    return of_pack;
}

OptionInfo const* find_option(Task task, std::string_view name)
{
    auto const& options = list_program_options(task);
    auto const found = std::ranges::find(options, name, &OptionInfo::name);
    return found == options.end() ? nullptr : &*found;
}

[[noreturn]] void fail_unknown_option(Task task, std::string const& name)
{
    std::vector<std::string_view> names;
    for (OptionInfo const& option : list_program_options(task))
        if (!is_of_program(task, option.name)) names.push_back(option.name);
    std::string const nearest(find_nearest_name(name, names));
    fail_usage("there is no option " + spell_option(name),
               nearest.empty() ? std::string() : "the nearest is " + spell_option(nearest));
}

/// Adds the option as the program takes it: without a value if it is a switch that is on.
void append_checked(Options& checked, Task task, Option const& option)
{
    OptionInfo const* const known = find_option(task, option.name);
    if (known == nullptr) fail_unknown_option(task, option.name);
    if (!known->value.empty()) {
        if (option.value.empty()) fail_usage(spell_option(option.name) + " has no value", "give it " + known->value);
        checked.push_back(option);
        return;
    }
    if (!option.value.empty() && option.value != "on" && option.value != "off")
        fail_usage(fmt::format("{} is a switch, which '{}' is not", spell_option(option.name), option.value),
                   "it is on or off");
    if (option.value != "off") checked.push_back({option.name});
}

} // namespace

std::vector<OptionInfo> list_options(Task task)
{
    return translate_errors([&] {
        std::vector<OptionInfo> options = list_program_options(task);
        std::erase_if(options, [&](OptionInfo const& option) { return is_of_program(task, option.name); });
        return options;
    });
}

Options check_options(Task task, std::string_view function, Options const& options)
{
    // Starting volprep takes longer than packing a small volume.
    bool const needs_list = task != Task::pack || std::ranges::any_of(options, [](Option const& option) {
                                return option.value.empty() || option.value == "on" || option.value == "off" ||
                                       option.name.find('=') != std::string::npos;
                            });
    Options checked;
    for (Option const& option : options) {
        if (option.name.find('\0') != std::string::npos || option.value.find('\0') != std::string::npos)
            fail_usage("a text has a zero byte, which no option takes");
        std::string const name = option.name.substr(0, option.name.find('='));
        bool const is_known = task == Task::pack || find_option(task, name) != nullptr;
        if (is_known && is_of_program(task, name)) fail_of_program(task, function, option.name);
        if (needs_list)
            append_checked(checked, task, option);
        else
            checked.push_back(option);
    }
    return checked;
}

std::vector<std::string> spell_words(Task task, std::string_view function, Options const& options)
{
    std::vector<std::string> words;
    for (Option const& option : check_options(task, function, options))
        words.push_back("--" + option.name + (option.value.empty() ? "" : "=" + option.value));
    return words;
}

} // namespace volpt::v0
