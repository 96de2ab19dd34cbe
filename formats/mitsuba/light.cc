// Reads emitters and dielectric surfaces of Mitsuba scenes.
#include "formats/mitsuba/light.h"

#include "formats/mitsuba/ior.h"
#include "libvolpt/sys/error.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace volpt {
namespace {

using Triple = std::array<double, 3>;

bool is_near(Triple const& a, Triple const& b)
{
    return std::abs(a[0] - b[0]) < 1e-4 && std::abs(a[1] - b[1]) < 1e-4 && std::abs(a[2] - b[2]) < 1e-4;
}

/// Up axis and turn for a light whose picture frame (x, y up, z) has these directions in the world; false if it has
/// none. EnvironmentSpec's frame for each world axis as up (docs/formats/vpf.md): x, y up, z of the picture.
bool find_turn(Triple const& x, Triple const& y, Triple const& z, EnvironmentHint& light)
{
    static constexpr std::array<std::array<Triple, 3>, 6> kFrames{{
        {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}},
        {{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}},
        {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}},
        {{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}},
        {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}},
    }};
    for (std::uint32_t axis = 0; axis < 6; ++axis) {
        auto const& frame = kFrames[axis];
        if (!is_near(frame[1], y)) continue;
        double cosine = 0;
        double sine = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            cosine += x[i] * frame[0][i];
            sine -= x[i] * frame[2][i];
        }
        Triple turned{};
        for (std::size_t i = 0; i < 3; ++i) turned[i] = sine * frame[0][i] + cosine * frame[2][i];
        if (!is_near(turned, z)) return false;
        light.up_axis = axis;
        light.rotate_deg = std::atan2(sine, cosine) * 180 / std::numbers::pi;
        return true;
    }
    return false;
}

std::vector<float> read_radiance(MitsubaNode const& emitter)
{
    auto const* node = emitter.find("radiance");
    if (node == nullptr) return {1.0f};
    std::vector<float> radiance;
    for (double const value : parse_colour(*node)) {
        if (!(value >= 0 && value <= 1e9))
            fail_input(fmt::format("radiance is {}", value), node->where, "it lies between 0 and 1e9", "correct it");
        radiance.push_back(static_cast<float>(value));
    }
    return radiance;
}

double read_ior(MitsubaNode const& bsdf, char const* name, char const* fallback)
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

MitsubaNode const* find_bsdf(MitsubaTree const& tree, MitsubaNode const& shape)
{
    for (auto const& child : shape.children)
        if (child->tag == "bsdf" || (child->tag == "ref" && tree.resolve(*child).tag == "bsdf"))
            return &tree.resolve(*child);
    return nullptr;
}

} // namespace

std::optional<EnvironmentHint> read_mitsuba_emitter(MitsubaTree const& tree, MitsubaNode const& emitter,
                                                    std::vector<std::string>& notices)
{
    EnvironmentHint light;
    if (emitter.type == "constant") {
        emitter.is_used = true;
        light.radiance = read_radiance(emitter);
        return light;
    }
    if (emitter.type != "envmap") return std::nullopt;
    emitter.is_used = true;
    light.kind = EnvironmentKind::image;
    double const scale = read_number(emitter, "scale", 1);
    if (!(scale >= 0 && scale <= 1e9))
        fail_input(fmt::format("the light's scale is {}", scale), emitter.where, "it lies between 0 and 1e9");
    light.radiance = {static_cast<float>(scale)};
    light.image_file = read_string(emitter, "filename", "");
    auto const found = tree.find_file(light.image_file);
    std::string const whole = found.string();
    light.folder = whole.ends_with(light.image_file) ? whole.substr(0, whole.size() - light.image_file.size()) : "";
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(found, ignored))
        notices.push_back(fmt::format("the light image {} is not there: volrender will look for it again", whole));
    Matrix4 const to_world = read_to_world(emitter);
    auto const frame = find_box_frame(to_world);
    light.up_axis = 2;
    bool const turned = frame && find_turn({frame->rotation[0], frame->rotation[3], frame->rotation[6]},
                                           {frame->rotation[1], frame->rotation[4], frame->rotation[7]},
                                           {frame->rotation[2], frame->rotation[5], frame->rotation[8]}, light);
    if (!turned)
        notices.push_back(
            "the light image is turned by something else than a rotation with an axis of the world up: it is "
            "rendered unturned, +y up");
    return light;
}

BoundarySpec read_mitsuba_boundary(MitsubaTree const& tree, MitsubaNode const& shape, std::vector<std::string>& notices)
{
    BoundarySpec boundary;
    auto const* bsdf = find_bsdf(tree, shape);
    if (bsdf == nullptr || bsdf->type == "null") {
        if (bsdf == nullptr && !tree.is_legacy)
            notices.push_back(
                fmt::format("the {} has no bsdf: nothing, instead of Mitsuba 3's diffuse surface, bounds the "
                            "medium",
                            shape.describe()));
        return boundary;
    }
    bool const rough = bsdf->type == "roughdielectric";
    if (!rough && bsdf->type != "dielectric") {
        bsdf->mark_all_used();
        notices.push_back(
            fmt::format("the {} is no surface that the renderer has: nothing bounds the medium", bsdf->describe()));
        return boundary;
    }
    boundary.int_ior = read_ior(*bsdf, "int_ior", "bk7");
    boundary.ext_ior = read_ior(*bsdf, "ext_ior", "air");
    if (rough) boundary.alpha = read_alpha(*bsdf, notices);
    boundary.kind = boundary.alpha > 0 ? BoundaryKind::rough : BoundaryKind::smooth;
    return boundary;
}

} // namespace volpt
