#include "libvolpt/medium/presets/preset_names.h"

#include "libvolpt/sys/text/nearest_name.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt {

std::vector<std::string> list_preset_names(std::span<std::filesystem::path const> folders)
{
    std::vector<std::string> names;
    for (auto const& folder : folders) {
        std::error_code ignored;
        for (auto const& entry : std::filesystem::directory_iterator(folder, ignored)) {
            auto const& file = entry.path();
            if (file.extension() == ".json" && !file.stem().string().ends_with(".schema"))
                names.push_back(file.stem().string());
        }
    }
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

std::string describe_presets(std::span<std::string const> names, std::string const& wanted)
{
    if (names.empty()) return "none came with the programs either";
    std::vector<std::string_view> const known(names.begin(), names.end());
    std::string_view const nearest = find_nearest_name(wanted, known);
    return fmt::format("{} come{} with the programs{}", fmt::join(names, ", "), names.size() == 1 ? "s" : "",
                       nearest.empty() ? "" : fmt::format("; the nearest is {}", nearest));
}

} // namespace volpt
