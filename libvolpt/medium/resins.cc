#include "libvolpt/medium/resins.h"

#include "libvolpt/volume/meta.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

namespace volpt {
namespace {

struct Resin {
    ResinColour colour;
    std::string_view table_names;
    std::uint32_t table_colour, vero_colour;
    std::string_view job_names;
};

constexpr std::array kResins{
#define VOLPT_RESIN(colour, table_names, table_colour, vero_colour, job_names)                                         \
    Resin{ResinColour::colour, table_names, table_colour, vero_colour, job_names},
#include "libvolpt/medium/resins.def"
#undef VOLPT_RESIN
};

Resin const& get_resin(ResinColour colour)
{
    return kResins[static_cast<std::size_t>(colour)];
}

std::string normalise(std::string_view name)
{
    std::string letters;
    for (char const c : name) {
        auto const code = static_cast<unsigned char>(c);
        if (std::isalnum(code) != 0) letters += static_cast<char>(std::tolower(code));
    }
    return letters;
}

bool is_among(std::string_view names, std::string_view name)
{
    std::string const wanted = normalise(name);
    std::istringstream words{std::string(names)};
    for (std::string word; words >> word;)
        if (normalise(word) == wanted) return true;
    return false;
}

} // namespace

std::optional<ResinColour> find_resin(std::string_view job_name)
{
    for (Resin const& resin : kResins)
        if (is_among(resin.job_names, job_name)) return resin.colour;
    return std::nullopt;
}

std::optional<ResinColour> find_resin_of_colour(std::uint32_t colour)
{
    for (Resin const& resin : kResins)
        if (resin.vero_colour != 0 && resin.vero_colour >> 8 == colour >> 8) return resin.colour;
    return std::nullopt;
}

std::optional<std::uint32_t> find_vero_colour(ResinColour resin)
{
    std::uint32_t const colour = get_resin(resin).vero_colour;
    return colour == 0 ? std::nullopt : std::optional(colour);
}

std::optional<std::size_t> find_resin_material(MaterialTable const& table, ResinColour colour)
{
    Resin const& resin = get_resin(colour);
    bool const is_support = colour == ResinColour::support;
    auto const may_be = [&](std::size_t i) { return is_support || !is_air(table.materials[i]); };
    for (std::string_view const names : {resin.job_names, resin.table_names})
        for (std::size_t i = 0; i < table.materials.size(); ++i)
            if (may_be(i) && is_among(names, table.materials[i].name)) return i;
    for (std::size_t i = 0; i < table.materials.size(); ++i) {
        if (!may_be(i)) continue;
        bool const is_of_colour = resin.table_colour != 0 && table.colours[i] == resin.table_colour;
        bool const is_of_kind = (colour == ResinColour::clear && is_clear(table, i)) ||
                                (is_support && std::ranges::count(table.support, table.materials[i].name) > 0);
        if (is_of_colour || is_of_kind) return i;
    }
    return std::nullopt;
}

std::optional<std::string> find_printer_name(std::string_view material)
{
    for (Resin const& resin : kResins)
        if (resin.colour != ResinColour::support && is_among(resin.table_names, material))
            return std::string(resin.job_names.substr(0, resin.job_names.find(' ')));
    return std::nullopt;
}

} // namespace volpt
