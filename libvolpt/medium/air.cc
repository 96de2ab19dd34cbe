#include "libvolpt/medium/air.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/volume/meta.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <utility>

namespace volpt {
namespace {

/// "#rrggbb[aa]", "r,g,b" or "r,g,b,a" of 0 to 255, "black" or "white".
std::optional<std::uint32_t> parse_colour(std::string_view text)
{
    if (text == "black") return 0xffu;
    if (text == "white") return 0xffffffffu;
    if (text.starts_with('#')) return parse_hex_colour(text);
    std::uint32_t colour = 0;
    int numbers = 0;
    for (auto at = text.data(), end = at + text.size(); at != end || numbers == 0; ++numbers) {
        unsigned number = 0;
        auto const [rest, error] = std::from_chars(at, end, number);
        if (error != std::errc{} || number > 255 || numbers == 4 || (rest != end && *rest != ',')) return std::nullopt;
        colour = colour << 8 | number;
        if (rest != end && rest + 1 == end) return std::nullopt;
        at = rest == end ? end : rest + 1;
    }
    if (numbers == 3) return colour << 8 | 0xffu;
    return numbers == 4 ? std::optional(colour) : std::nullopt;
}

} // namespace

std::string make_air(MaterialTable& table, std::string const& colour_or_name, std::string const& where)
{
    Material air = make_air_material(table.bands());
    auto const is_named = [](std::string const& name) {
        return [&name](Material const& material) { return material.name == name; };
    };
    auto const named = std::ranges::find_if(table.materials, is_named(colour_or_name));
    if (named != table.materials.end()) {
        air.name = colour_or_name;
        *named = air;
        table.iors.erase(colour_or_name);
        return fmt::format("'{}' is air: no extinction, the box's index of refraction", colour_or_name);
    }
    auto const colour = parse_colour(colour_or_name);
    if (!colour) {
        std::string names;
        for (Material const& material : table.materials) names += (names.empty() ? "" : ", ") + material.name;
        fail_usage(fmt::format("--air '{}' is neither a material of {} nor a colour", colour_or_name, where),
                   fmt::format("give black, white, 0,0,0, #rrggbb or one of {}", names));
    }
    while (std::ranges::any_of(table.materials, is_named(air.name))) air.name += '_';
    std::string const what = fmt::format("voxels of colour {} are air", format_colour(*colour));
    auto const found = std::ranges::find(table.colours, colour);
    if (found != table.colours.end()) {
        Material& material = table.materials[static_cast<std::size_t>(found - table.colours.begin())];
        std::string const before = std::exchange(material, std::move(air)).name;
        return fmt::format("{}, not '{}': no extinction, the box's index of refraction", what, before);
    }
    if (!table.has_all_colours())
        fail_usage(fmt::format("--air {}: no material of {} has that colour", colour_or_name, where),
                   "give the name of a material, or every material of the table a colour");
    add_material(table, std::move(air), colour, where);
    return what + ": no extinction, the box's index of refraction";
}

void drop_air(MaterialTable& table)
{
    for (std::size_t i = table.materials.size(); i-- > 0;)
        if (is_air(table.materials[i])) take_material(table, i);
}

} // namespace volpt
