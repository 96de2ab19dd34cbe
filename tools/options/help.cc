// Puts the text of --help together.
#include "tools/options/help.h"

#include <fmt/format.h>
#include <sstream>

namespace volpt {

std::string format_help(ToolDescription const& description,
                        std::vector<boost::program_options::options_description> const& groups)
{
    std::string page;
    for (std::size_t i = 0; i < description.usage.size(); ++i)
        page += fmt::format("{} {} {}\n", i == 0 ? "Usage:" : "      ", description.name, description.usage[i]);
    page += fmt::format("\n{}\n", description.summary);
    for (auto const& group : groups) {
        std::ostringstream table;
        table << group;
        page += "\n" + table.str();
    }
    for (auto const& note : description.notes) page += fmt::format("\n{}\n", note);
    if (!description.examples.empty()) page += "\nExamples:\n";
    for (auto const& example : description.examples)
        page += fmt::format("  {}\n      {}\n", example.command, example.meaning);
    page += fmt::format("\nExit status:\n  0  {}\n", description.status_0);
    if (!description.status_1.empty()) page += fmt::format("  1  {}\n", description.status_1);
    page += "  2  the command line cannot be meant\n"
            "  3  an input is unreadable or damaged\n"
            "  4  the device, the disk or the system failed\n";
    return page;
}

} // namespace volpt
