#include "formats/mitsuba/boundary.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

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

std::string list_ior_names()
{
    std::string list;
    for (auto const& entry : kNamedIors) list += (list.empty() ? "" : ", ") + std::string(entry.name);
    return list;
}

double read_alpha(MitsubaNode const& bsdf, std::vector<std::string>& notices)
{
    std::string const distribution = read_string(bsdf, "distribution", "beckmann");
    if (distribution != "ggx")
        notices.push_back(fmt::format("the {}'s {} distribution is rendered as ggx of the same alpha", bsdf.describe(),
                                      distribution));
    double alpha = 0.1;
    if (bsdf.find("alpha_u") != nullptr || bsdf.find("alpha_v") != nullptr) {
        double const u = read_number(bsdf, "alpha_u", 0.1);
        double const v = read_number(bsdf, "alpha_v", 0.1);
        alpha = std::sqrt(std::abs(u * v));
        if (u != v) notices.push_back(fmt::format("roughness is the same along both axes: alpha {:.4g}", alpha));
    } else {
        alpha = read_number(bsdf, "alpha", 0.1);
    }
    if (!(alpha >= 0 && alpha <= 1))
        fail_input(fmt::format("alpha is {}", alpha), bsdf.where, "it lies between 0 and 1", "correct it");
    return alpha;
}

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

double read_mitsuba_ior(MitsubaNode const& bsdf, char const* name, char const* fallback)
{
    auto const* node = bsdf.find(name);
    bool const number = node != nullptr && node->tag == "float";
    std::string const material = number ? "" : read_string(bsdf, name, fallback);
    auto const ior = number ? std::optional(read_number(bsdf, name, 1)) : find_ior(material);
    if (!ior)
        fail_input(fmt::format("{} '{}' is no material that is known", name, material), bsdf.where,
                   "known: " + list_ior_names(), "give the index of refraction as <float>");
    if (!(*ior >= 0.1 && *ior <= 10))
        fail_input(fmt::format("{} is {}", name, *ior), bsdf.where, "it lies between 0.1 and 10", "correct it");
    return *ior;
}

MitsubaNode const* find_mitsuba_bsdf(MitsubaTree const& tree, MitsubaNode const& shape)
{
    for (auto const& child : shape.children)
        if (child->tag == "bsdf" || (child->tag == "ref" && tree.resolve(*child).tag == "bsdf"))
            return &tree.resolve(*child);
    return nullptr;
}

BoundarySpec read_mitsuba_dielectric(MitsubaNode const& bsdf, std::vector<std::string>& notices)
{
    BoundarySpec boundary;
    boundary.int_ior = read_mitsuba_ior(bsdf, "int_ior", "bk7");
    boundary.ext_ior = read_mitsuba_ior(bsdf, "ext_ior", "air");
    if (bsdf.type == "roughdielectric") boundary.alpha = read_alpha(bsdf, notices);
    boundary.kind = boundary.alpha > 0 ? BoundaryKind::rough : BoundaryKind::smooth;
    return boundary;
}

BoundarySpec read_mitsuba_boundary(MitsubaTree const& tree, MitsubaNode const& shape, std::vector<std::string>& notices)
{
    BoundarySpec boundary;
    auto const* bsdf = find_mitsuba_bsdf(tree, shape);
    if (bsdf == nullptr || bsdf->type == "null") {
        if (bsdf == nullptr && !tree.is_legacy)
            notices.push_back(
                fmt::format("the {} has no bsdf: nothing, instead of Mitsuba 3's diffuse surface, bounds the "
                            "medium",
                            shape.describe()));
        return boundary;
    }
    if (bsdf->type != "roughdielectric" && bsdf->type != "dielectric") {
        bsdf->mark_all_used();
        notices.push_back(
            fmt::format("the {} is no surface that the renderer has: nothing bounds the medium", bsdf->describe()));
        return boundary;
    }
    return read_mitsuba_dielectric(*bsdf, notices);
}

} // namespace volpt
