// The table of indices of refraction.
#include "formats/mitsuba/ior.h"

#include <algorithm>
#include <cctype>

namespace volpt {
namespace {

struct NamedIor {
    std::string_view name;
    double ior;
};

constexpr NamedIor kNamedIors[] = {{"vacuum", 1.0},      {"helium", 1.000036},        {"hydrogen", 1.000132},
                                   {"air", 1.000277},    {"carbon dioxide", 1.00045}, {"water", 1.333},
                                   {"acetone", 1.36},    {"ethanol", 1.361},          {"carbon tetrachloride", 1.461},
                                   {"glycerol", 1.4729}, {"benzene", 1.501},          {"silicone oil", 1.52045},
                                   {"bromine", 1.661},   {"water ice", 1.31},         {"fused quartz", 1.458},
                                   {"pyrex", 1.47},      {"acrylic glass", 1.49},     {"polypropylene", 1.49},
                                   {"bk7", 1.5046},      {"sodium chloride", 1.544},  {"amber", 1.55},
                                   {"pet", 1.575},       {"diamond", 2.419}};

} // namespace

std::optional<double> find_ior(std::string_view name)
{
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (auto const& entry : kNamedIors)
        if (entry.name == lower) return entry.ior;
    return std::nullopt;
}

std::string list_ior_names()
{
    std::string list;
    for (auto const& entry : kNamedIors) list += (list.empty() ? "" : ", ") + std::string(entry.name);
    return list;
}

} // namespace volpt
