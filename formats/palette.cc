// Reads the colours beside the materials of a table.
#include "formats/palette.h"

#include "formats/json_file.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/materials.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

std::uint32_t parse_colour(nlohmann::json const& entry, std::string const& where)
{
    auto const found = entry.find("colour");
    if (found == entry.end() || !found->is_string())
        fail_input("has no colour", where, "slices are matched to materials by it", R"(add "colour": "#rrggbb")");
    auto const& text = found->get_ref<std::string const&>();
    std::uint32_t value = 0;
    bool const is_sized = (text.size() == 7 || text.size() == 9) && text[0] == '#';
    auto const end = text.data() + text.size();
    if (!is_sized || std::from_chars(text.data() + 1, end, value, 16).ptr != end)
        fail_input(fmt::format("colour '{}' is none", text.substr(0, 40)), where, {},
                   "write #rrggbb or #rrggbbaa in hexadecimal digits");
    return text.size() == 7 ? value << 8 | 0xffu : value;
}

} // namespace

Palette read_palette(std::filesystem::path const& path)
{
    Palette palette;
    palette.materials = read_material_table(path);
    auto const root = read_json_file(path);
    for (auto const& entry : root.at("materials")) {
        std::size_t const index = palette.colours.size();
        std::string const where = fmt::format("{}: material '{}'", path.string(), palette.materials[index].name);
        std::uint32_t const colour = parse_colour(entry, where);
        auto const same = std::find(palette.colours.begin(), palette.colours.end(), colour);
        if (same != palette.colours.end())
            fail_input(fmt::format("has the colour {} of '{}'", format_colour(colour),
                                   palette.materials[static_cast<std::size_t>(same - palette.colours.begin())].name),
                       where, "a colour stands for one material", "give it another");
        palette.colours.push_back(colour);
    }
    return palette;
}

std::string format_colour(std::uint32_t colour)
{
    return (colour & 0xffu) == 0xffu ? fmt::format("#{:06x}", colour >> 8) : fmt::format("#{:08x}", colour);
}

} // namespace volpt
