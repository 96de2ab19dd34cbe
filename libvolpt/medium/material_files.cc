// Looks for material tables where the user says and where the programs were installed.
#include "libvolpt/medium/material_files.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt {
namespace {

namespace fs = std::filesystem;

bool is_file(fs::path const& path)
{
    std::error_code ignored;
    return fs::exists(path, ignored) && !fs::is_directory(path, ignored);
}

std::vector<std::string> list_tables()
{
    std::vector<std::string> names;
    for (auto const& folder : list_material_folders()) {
        std::error_code ignored;
        for (auto const& entry : fs::directory_iterator(folder, ignored)) {
            auto const& file = entry.path();
            if (file.extension() == ".json" && !file.stem().string().ends_with(".schema"))
                names.push_back(file.stem().string());
        }
    }
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

} // namespace

std::vector<fs::path> list_material_folders()
{
    std::vector<fs::path> folders;
    if (char const* const named = std::getenv("VOLPT_DATA_DIR")) folders.push_back(fs::path(named) / "materials");
    std::error_code error;
    fs::path const program = fs::read_symlink("/proc/self/exe", error);
    if (!error) folders.push_back(program.parent_path().parent_path() / "share" / "volpt" / "materials");
    return folders;
}

MaterialTable open_material_table(std::string const& name_or_path)
{
    if (is_file(name_or_path)) return read_material_table(name_or_path);
    if (name_or_path.find('/') == std::string::npos && !name_or_path.empty())
        for (auto const& folder : list_material_folders())
            for (char const* const ending : {"", ".json"})
                if (is_file(folder / (name_or_path + ending)))
                    return read_material_table(folder / (name_or_path + ending));
    auto const names = list_tables();
    fail_input("there is no such material table", name_or_path,
               names.empty() ? "no table came with the programs either"
                             : fmt::format("these come with the programs: {}", fmt::join(names, ", ")),
               "name a JSON file (docs/formats/materials.md), or set VOLPT_DATA_DIR");
}

} // namespace volpt
