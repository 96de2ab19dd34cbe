#include "formats/mitsuba/bsdf.h"

#include "formats/mitsuba/boundary.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

struct NamedConductor {
    std::string_view name;
    MitsubaVector eta;
    MitsubaVector extinction;
    std::string_view source;
};

/// At the measured wavelengths nearest to 650, 550 and 450 nm.
constexpr NamedConductor kNamedConductors[] = {
    {"Au", {0.14, 0.43, 1.38}, {3.697, 2.455, 1.914}, "660, 549 and 451 nm (Johnson and Christy 1972)"},
    {"Ag", {0.05, 0.06, 0.04}, {4.483, 3.586, 2.657}, "660, 549 and 451 nm (Johnson and Christy 1972)"},
    {"Cu", {0.22, 1.02, 1.24}, {3.747, 2.577, 2.397}, "660, 549 and 451 nm (Johnson and Christy 1972)"},
    {"Al", {1.5724, 1.0728, 0.6079}, {7.7354, 6.7839, 5.3676}, "652, 564 and 443 nm (Rakić 1995)"}};

bool has_three_values(MitsubaVector const& colour)
{
    return colour[0] != colour[1] || colour[1] != colour[2];
}

/// Mitsuba 0.x gives eta and k in vacuum, and the index outside apart.
bool read_index(MitsubaTree const& tree, MitsubaNode const& node, MitsubaBsdf& bsdf, std::string& reason)
{
    bsdf.eta = {0, 0, 0};
    bsdf.extinction = {1, 1, 1};
    double const outside = node.find("ext_eta") != nullptr ? read_mitsuba_ior(node, "ext_eta", "air") : 1;
    for (auto const& [name, values] : {std::pair("eta", &bsdf.eta), std::pair("k", &bsdf.extinction)}) {
        auto const* found = node.find(name);
        if (found == nullptr) continue;
        auto const colour = read_surface_colour(tree.resolve(*found), 0, 100, reason);
        if (!colour) return false;
        *values = *colour;
        for (double& value : *values) value /= outside;
    }
    return true;
}

std::optional<MitsubaBsdf> read_conductor(MitsubaTree const& tree, MitsubaNode const& node,
                                          std::vector<std::string>& notices, std::string& reason)
{
    MitsubaBsdf bsdf;
    bsdf.kind = BsdfKind::conductor;
    auto const factor = read_mitsuba_texture(tree, node, "specular_reflectance", 1, notices, reason);
    if (!factor) return std::nullopt;
    bsdf.diffuse = *factor;
    if (node.find("eta") != nullptr || node.find("k") != nullptr) {
        bsdf.has_fresnel = true;
        return read_index(tree, node, bsdf, reason) ? std::optional(bsdf) : std::nullopt;
    }
    std::string const material = read_string(node, "material", tree.is_legacy ? "Cu" : "none");
    if (material == "none") return bsdf;
    auto const* const found = std::find_if(std::begin(kNamedConductors), std::end(kNamedConductors),
                                           [&](NamedConductor const& known) { return known.name == material; });
    if (found == std::end(kNamedConductors))
        fail_input(fmt::format("the conductor '{}' is not known", material), node.where, "known: none, Au, Ag, Cu, Al",
                   "give eta and k as <rgb>");
    bsdf.has_fresnel = true;
    bsdf.eta = found->eta;
    bsdf.extinction = found->extinction;
    notices.push_back(
        fmt::format("the {}: red, green and blue of {} are its index at {}", node.describe(), material, found->source));
    return bsdf;
}

/// Weights of both lobes stay below 1: their sum is scaled down if it is larger.
std::optional<MitsubaBsdf> read_phong(MitsubaTree const& tree, MitsubaNode const& node,
                                      std::vector<std::string>& notices, std::string& reason)
{
    MitsubaBsdf bsdf;
    bsdf.kind = BsdfKind::phong;
    auto const diffuse = read_mitsuba_texture(tree, node, "diffuse_reflectance", 0.5, notices, reason);
    if (!diffuse) return std::nullopt;
    bsdf.diffuse = *diffuse;
    bsdf.specular = {0.2, 0.2, 0.2};
    if (auto const* found = node.find("specular_reflectance")) {
        auto const colour = read_surface_colour(tree.resolve(*found), 0, 1, reason);
        if (!colour) return std::nullopt;
        bsdf.specular = *colour;
    }
    bsdf.exponent = read_number(node, "exponent", 30);
    if (!(bsdf.exponent >= 0 && bsdf.exponent <= 1e6))
        fail_input(fmt::format("exponent is {}", bsdf.exponent), node.where, "it lies between 0 and 1e6", "correct it");
    double const gain = (bsdf.exponent + 2) / (bsdf.exponent + 1);
    double const d = bsdf.diffuse.find_largest();
    double const s = *std::max_element(bsdf.specular.begin(), bsdf.specular.end()) * gain;
    if (d + s > 1) {
        bsdf.diffuse.scale(1 / (d + s));
        for (double& value : bsdf.specular) value /= d + s;
        notices.push_back(
            fmt::format("the {} reflects up to {:.4g} of the light: both reflectances are divided by that",
                        node.describe(), d + s));
    }
    bsdf.specular_share = d + s > 0 ? s / (d + s) : 0;
    return bsdf;
}

std::optional<MitsubaBsdf> read_two_sided(MitsubaTree const& tree, MitsubaNode const& node,
                                          std::vector<std::string>& notices, std::string& reason)
{
    std::vector<MitsubaNode const*> nested;
    for (auto const& child : node.children) {
        if (child->tag != "bsdf" && child->tag != "ref") continue;
        if (MitsubaNode const& object = tree.resolve(*child); object.tag == "bsdf") nested.push_back(&object);
    }
    if (nested.empty()) fail_input("a twosided without a bsdf", node.where, {}, "add it");
    if (nested.size() > 1) {
        reason = fmt::format("the {} has two different sides", node.describe());
        return std::nullopt;
    }
    if (nested[0]->type == "twosided") fail_input("a twosided in a twosided", node.where, {}, "remove one");
    auto bsdf = read_mitsuba_bsdf(tree, *nested[0], notices, reason);
    if (bsdf && !bsdf->is_opaque()) {
        reason = fmt::format("a twosided around a {}, which has two sides", nested[0]->describe());
        return std::nullopt;
    }
    if (bsdf) bsdf->is_two_sided = true;
    return bsdf;
}

/// Exact for greys, which scenes of one band have.
float to_band(MitsubaVector const& colour, std::size_t bands, std::size_t band)
{
    if (bands == 3) return static_cast<float>(colour[band]);
    bool const is_grey = !has_three_values(colour);
    return static_cast<float>(is_grey ? colour[0] : 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]);
}

TextureView make_texture_view(MitsubaTexture const& texture, std::size_t bands, std::vector<float>& texels)
{
    TextureView view;
    for (std::size_t band = 0; band < bands; ++band)
        for (std::size_t i = 0; i < 2; ++i) view.colour[i][band] = to_band(texture.colours[i], bands, band);
    if (texture.is_checkerboard) view.checks_u = view.checks_v = 2;
    view.width = texture.width;
    view.height = texture.height;
    texels.clear();
    texels.reserve(texture.texels.size() / 3 * bands);
    for (std::size_t i = 0; i < texture.texels.size(); i += 3) {
        MitsubaVector const colour{static_cast<double>(texture.texels[i]), static_cast<double>(texture.texels[i + 1]),
                                   static_cast<double>(texture.texels[i + 2])};
        for (std::size_t band = 0; band < bands; ++band) texels.push_back(to_band(colour, bands, band));
    }
    return view;
}

} // namespace

bool MitsubaBsdf::is_coloured() const
{
    return diffuse.is_coloured() || has_three_values(specular) || has_three_values(eta) || has_three_values(extinction);
}

std::optional<MitsubaBsdf> read_mitsuba_bsdf(MitsubaTree const& tree, MitsubaNode const& node,
                                             std::vector<std::string>& notices, std::string& reason)
{
    node.is_used = true;
    MitsubaBsdf bsdf;
    if (node.type == "twosided") return read_two_sided(tree, node, notices, reason);
    if (node.type == "phong") return read_phong(tree, node, notices, reason);
    if (node.type == "conductor") return read_conductor(tree, node, notices, reason);
    if (node.type == "diffuse") {
        bool const is_old_name = node.find("reflectance") == nullptr && node.find("diffuse_reflectance") != nullptr;
        auto const texture =
            read_mitsuba_texture(tree, node, is_old_name ? "diffuse_reflectance" : "reflectance", 0.5, notices, reason);
        if (!texture) return std::nullopt;
        bsdf.diffuse = *texture;
    } else if (node.type == "dielectric" || node.type == "roughdielectric" || node.type == "thindielectric") {
        bsdf.kind = node.type == "thindielectric" ? BsdfKind::thin_dielectric : BsdfKind::dielectric;
        bsdf.boundary = read_mitsuba_dielectric(node, notices);
    } else if (node.type == "null") {
        bsdf.kind = BsdfKind::null;
    } else {
        reason = fmt::format("the {} is not supported", node.describe());
        return std::nullopt;
    }
    return bsdf;
}

BsdfView make_bsdf_view(MitsubaBsdf const& bsdf, std::size_t bands, std::vector<float>& texels)
{
    BsdfView view;
    view.kind = bsdf.kind;
    view.two_sided = bsdf.is_two_sided ? 1 : 0;
    texels.clear();
    if (bsdf.is_opaque()) view.diffuse = make_texture_view(bsdf.diffuse, bands, texels);
    view.exponent = static_cast<float>(bsdf.exponent);
    view.specular_share = static_cast<float>(bsdf.specular_share);
    view.has_fresnel = bsdf.has_fresnel ? 1 : 0;
    for (std::size_t band = 0; band < bands; ++band) {
        view.specular[band] = to_band(bsdf.specular, bands, band);
        view.eta[band] = to_band(bsdf.eta, bands, band);
        view.extinction[band] = to_band(bsdf.extinction, bands, band);
    }
    if (bsdf.kind != BsdfKind::dielectric && bsdf.kind != BsdfKind::thin_dielectric) return view;
    view.boundary.kind = bsdf.boundary.kind;
    view.boundary.int_over_ext = static_cast<float>(bsdf.boundary.int_ior / bsdf.boundary.ext_ior);
    view.boundary.ext_over_int = static_cast<float>(bsdf.boundary.ext_ior / bsdf.boundary.int_ior);
    view.boundary.alpha = static_cast<float>(bsdf.boundary.alpha);
    return view;
}

} // namespace volpt
