// Expands folders and reads lists of names.
#include "tools/volmerge/inputs.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

namespace volpt {
namespace fs = std::filesystem;
namespace {

void append_folder(std::vector<fs::path>& paths, fs::path const& folder)
{
    std::error_code error;
    std::vector<fs::path> films;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (entry->path().extension() == ".vpf") films.push_back(entry->path());
    if (error) fail_input("cannot list the folder: " + error.message(), folder.string(), {}, "check its permissions");
    std::ranges::sort(films);
    paths.insert(paths.end(), films.begin(), films.end());
}

void append_lines(std::vector<fs::path>& paths, std::istream& lines, std::string const& name)
{
    for (std::string line; std::getline(lines, line);)
        if (!line.empty()) paths.emplace_back(line);
    if (lines.bad()) fail_input("cannot read the list of films", name, {}, "give a text file, one name a line");
}

} // namespace

std::vector<fs::path> list_inputs(std::vector<std::string> const& arguments, std::optional<std::string> const& list)
{
    if (arguments.empty() && !list) fail_usage("no film is given", "give films, a folder of films, or --inputs FILE");
    std::vector<fs::path> paths;
    for (std::string const& argument : arguments) {
        std::error_code ignored;
        if (fs::is_directory(argument, ignored))
            append_folder(paths, argument);
        else
            paths.emplace_back(argument);
    }
    if (!list) return paths;
    if (*list == "-") {
        append_lines(paths, std::cin, "stdin");
        return paths;
    }
    std::ifstream file(*list);
    std::error_code ignored;
    if (!file || fs::is_directory(*list, ignored))
        fail_input(std::string("cannot open the list of films: ") + std::strerror(errno), *list, {},
                   "check the name and the permissions");
    append_lines(paths, file, *list);
    return paths;
}

} // namespace volpt
