#include "libvolpt/scene/scene_hints.h"

#include "libvolpt/core/volume_view.hd.h"
#include "libvolpt/medium/materials.h"
#include "libvolpt/scene/light_image.h"
#include "libvolpt/scene/scene_fields.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

/// Reads the members of an object; errors name the member.
class Members {
public:
    Members(Json const& object, std::string where, std::string path)
        : object_(object), where_(std::move(where)), path_(std::move(path))
    {
        if (!object.is_object()) refuse("", "an object");
    }

    bool has(char const* key) const { return object_.contains(key); }
    Members child(char const* key) const { return {object_.at(key), where_, path_ + key + "."}; }

    double number(char const* key, NumberRange range) const
    {
        Json const value = object_.value(key, Json());
        double const number = value.is_number() ? value.get<double>() : std::nan("");
        if (!range.contains(number)) refuse(key, "a number from " + describe_range(range));
        return number;
    }
    std::vector<double> numbers(char const* key, std::size_t low_count, std::size_t high_count, NumberRange range) const
    {
        Json const list = object_.value(key, Json());
        std::vector<double> numbers;
        if (list.is_array() && list.size() >= low_count && list.size() <= high_count)
            for (auto const& element : list)
                if (element.is_number() && range.contains(element.get<double>()))
                    numbers.push_back(element.get<double>());
        if (numbers.size() < low_count || numbers.size() != list.size())
            refuse(key, fmt::format("{} numbers from {}", low_count, describe_range(range)));
        return numbers;
    }
    Vec3d triple(char const* key, NumberRange range) const
    {
        auto const n = numbers(key, 3, 3, range);
        return {n[0], n[1], n[2]};
    }
    std::string text(char const* key) const
    {
        Json const value = object_.value(key, Json());
        if (!value.is_string()) refuse(key, "a text");
        return value.get<std::string>();
    }
    /// Any word of the enum, or one of `values` if there are some.
    template <HasWords Enum>
    Enum word(char const* key, std::initializer_list<Enum> values = {}) const
    {
        std::string const name = text(key);
        auto const value = find_word<Enum>(name);
        if (!value || (values.size() != 0 && std::ranges::find(values, *value) == values.end()))
            refuse(key, fmt::format("a known name: '{}' is not one", name));
        return *value;
    }
    std::uint32_t axis(char const* key) const
    {
        std::string const name = text(key);
        auto const found = std::ranges::find(kAxisNames, name);
        if (found == kAxisNames.end()) refuse(key, fmt::format("a known name: '{}' is not one", name));
        return static_cast<std::uint32_t>(found - kAxisNames.begin());
    }

private:
    [[noreturn]] void refuse(char const* key, std::string const& wanted) const
    {
        fail_input(fmt::format("scene hint {}{} is not {}", path_, key, wanted), where_,
                   "the file was made by another program or damaged", "pack the source again or give --hints off");
    }

    Json const& object_;
    std::string where_;
    std::string path_;
};

CameraSpec parse_camera(Members const& members)
{
    CameraSpec camera;
    camera.kind = members.word<CameraKind>("kind", {CameraKind::perspective, CameraKind::orthographic});
    camera.origin_world = members.triple("origin_world_mm", scene_range("camera.origin_world"));
    camera.target_world = members.triple("target_world_mm", scene_range("camera.target_world"));
    camera.up_world = members.triple("up_world", scene_range("camera.up_world"));
    if (camera.kind == CameraKind::orthographic) {
        camera.ortho_width_mm = members.number("ortho_width_mm", scene_range("camera.ortho_width_mm"));
        return camera;
    }
    camera.fov_x_deg = members.number("fov_x_deg", scene_range("camera.fov_x_deg"));
    if (members.has("lens_radius_mm")) {
        camera.lens_radius_mm = members.number("lens_radius_mm", scene_range("camera.lens_radius_mm"));
        camera.focus_distance_mm = members.number("focus_distance_mm", scene_range("camera.focus_distance_mm"));
    }
    return camera;
}

EnvironmentHint parse_environment(Members const& members)
{
    EnvironmentHint light;
    light.kind = members.word<EnvironmentKind>("kind", {EnvironmentKind::constant, EnvironmentKind::image});
    light.radiance.clear();
    for (double const value : members.numbers("radiance", 1, kMaxBands, scene_range("environment.radiance")))
        light.radiance.push_back(static_cast<float>(value));
    if (light.kind != EnvironmentKind::image) return light;
    light.image_file = members.text("image_file");
    light.folder = members.text("folder");
    light.up_axis = members.axis("up_axis");
    light.rotate_deg = members.number("rotate_deg", scene_range("environment.rotate_deg"));
    return light;
}

BoundarySpec parse_boundary(Members const& members)
{
    BoundarySpec boundary;
    boundary.kind = members.word<BoundaryKind>("kind");
    if (boundary.kind == BoundaryKind::none) return boundary;
    boundary.int_ior = members.number("int_ior", scene_range("boundary.int_ior"));
    boundary.ext_ior = members.number("ext_ior", scene_range("boundary.ext_ior"));
    if (boundary.kind != BoundaryKind::rough) return boundary;
    boundary.alpha = members.number("alpha", scene_range("boundary.alpha"));
    if (members.has("microfacets")) boundary.microfacets = members.word<Microfacets>("microfacets");
    return boundary;
}

GatesHint parse_gates(Members const& members)
{
    return {static_cast<std::uint32_t>(members.number("count", NumberRange::closed(1, 65535))),
            members.number("width_ns", NumberRange::closed(1e-9, 1e9)), members.number("index", kIorRange)};
}

DetectorSpec parse_disc(Members const& members)
{
    DetectorSpec disc;
    disc.center_world = members.triple("center_world_mm", NumberRange::closed(-1e9, 1e9));
    disc.radius_mm = members.number("radius_mm", NumberRange::closed(1e-9, 1e9));
    return disc;
}

std::vector<DetectorSpec> parse_detectors(Json const& list, std::string const& where)
{
    if (!list.is_array())
        fail_input("scene hint detectors is not a list", where, "the file was made by another program or damaged",
                   "pack the source again or give --hints off");
    std::vector<DetectorSpec> detectors;
    for (std::size_t i = 0; i < list.size(); ++i)
        detectors.push_back(parse_disc({list[i], where, fmt::format("detectors[{}].", i)}));
    return detectors;
}

Json format_detectors(std::vector<DetectorSpec> const& detectors)
{
    Json list = Json::array();
    for (DetectorSpec const& disc : detectors)
        list.push_back({{"center_world_mm", disc.center_world.value()}, {"radius_mm", disc.radius_mm}});
    return list;
}

Json format_camera(CameraSpec const& camera)
{
    Json json{{"kind", to_word(camera.kind)},
              {"origin_world_mm", camera.origin_world},
              {"target_world_mm", camera.target_world},
              {"up_world", camera.up_world}};
    if (camera.kind == CameraKind::perspective)
        json["fov_x_deg"] = camera.fov_x_deg;
    else
        json["ortho_width_mm"] = camera.ortho_width_mm;
    if (camera.lens_radius_mm > 0) {
        json["lens_radius_mm"] = camera.lens_radius_mm;
        json["focus_distance_mm"] = camera.focus_distance_mm;
    }
    return json;
}

Json format_environment(EnvironmentHint const& light)
{
    Json json{{"kind", to_word(light.kind)}, {"radiance", light.radiance}};
    if (light.kind != EnvironmentKind::image) return json;
    json["image_file"] = light.image_file;
    json["folder"] = light.folder;
    json["up_axis"] = kAxisNames[light.up_axis];
    json["rotate_deg"] = light.rotate_deg;
    return json;
}

Json format_boundary(BoundarySpec const& boundary)
{
    Json json{{"kind", to_word(boundary.kind)}};
    if (boundary.kind == BoundaryKind::none) return json;
    json["int_ior"] = boundary.int_ior;
    json["ext_ior"] = boundary.ext_ior;
    if (boundary.kind != BoundaryKind::rough) return json;
    json["alpha"] = boundary.alpha;
    json["microfacets"] = to_word(boundary.microfacets);
    return json;
}

} // namespace

std::string format_scene_hints(SceneHints const& hints)
{
    if (hints.is_empty()) return "{}";
    Json json{{"source", hints.source}};
    if (hints.camera) json["camera"] = format_camera(*hints.camera);
    if (hints.resolution) json["resolution"] = *hints.resolution;
    if (hints.samples) json["samples"] = *hints.samples;
    if (hints.environment) json["environment"] = format_environment(*hints.environment);
    if (hints.boundary) json["boundary"] = format_boundary(*hints.boundary);
    if (!hints.material_ior.empty()) json["material_ior"] = hints.material_ior;
    if (hints.integrator) json["integrator"] = to_word(*hints.integrator);
    if (hints.gates)
        json["gates"] = {
            {"count", hints.gates->count}, {"width_ns", hints.gates->width_ns}, {"index", hints.gates->index}};
    if (!hints.detectors.empty()) json["detectors"] = format_detectors(hints.detectors);
    return format_json(json);
}

SceneHints parse_scene_hints(std::string const& json, std::string const& where)
{
    Json const parsed = parse_json(json);
    Members const members(parsed, where, "");
    SceneHints hints;
    if (members.has("source")) hints.source = members.text("source");
    auto const has_kind = [&](char const* key) { return members.has(key) && members.child(key).has("kind"); };
    if (has_kind("camera")) hints.camera = parse_camera(members.child("camera"));
    if (members.has("resolution")) {
        auto const size = members.numbers("resolution", 2, 2, scene_range("width"));
        hints.resolution = {static_cast<std::uint32_t>(size[0]), static_cast<std::uint32_t>(size[1])};
    }
    if (members.has("samples"))
        hints.samples = static_cast<std::uint32_t>(members.number("samples", NumberRange::closed(1, 4294967294.0)));
    if (has_kind("environment")) hints.environment = parse_environment(members.child("environment"));
    if (has_kind("boundary")) hints.boundary = parse_boundary(members.child("boundary"));
    if (members.has("material_ior"))
        for (double const ior : members.numbers("material_ior", 1, kMaxMaterials, scene_range("material_ior")))
            hints.material_ior.push_back(static_cast<float>(ior));
    if (members.has("integrator")) hints.integrator = members.word<Integrator>("integrator");
    if (members.has("gates")) hints.gates = parse_gates(members.child("gates"));
    if (members.has("detectors")) hints.detectors = parse_detectors(parsed.at("detectors"), where);
    return hints;
}

std::optional<std::filesystem::path> find_hint_image(EnvironmentHint const& hint,
                                                     std::filesystem::path const& volume_path)
{
    std::filesystem::path const name = hint.image_file;
    std::filesystem::path const home = volume_path.parent_path();
    std::filesystem::path const folder = hint.folder;
    for (auto const& candidate : {home / folder / name, folder / name, home / name, name}) {
        std::error_code ignored;
        if (std::filesystem::is_regular_file(candidate, ignored)) return candidate;
    }
    return std::nullopt;
}

void apply_scene_hints(SceneHints const& hints, LightImage const* image, Scene& scene)
{
    if (hints.camera) scene.camera = *hints.camera;
    if (hints.resolution) {
        scene.width = (*hints.resolution)[0];
        scene.height = (*hints.resolution)[1];
    }
    if (hints.boundary) scene.boundary = *hints.boundary;
    scene.material_ior = hints.material_ior;
    if (hints.integrator) scene.integrator = *hints.integrator;
    if (!hints.environment) return;
    EnvironmentHint const& light = *hints.environment;
    if (light.kind == EnvironmentKind::image && image == nullptr) return;
    scene.environment.kind = light.kind;
    scene.environment.radiance = light.radiance;
    // Values for three bands cannot serve another number of bands; their mean keeps the brightness.
    if (light.radiance.size() != 1 && light.radiance.size() != scene.bands) {
        float sum = 0;
        for (float const value : light.radiance) sum += value;
        scene.environment.radiance = {sum / static_cast<float>(light.radiance.size())};
    }
    if (image == nullptr || light.kind != EnvironmentKind::image) return;
    scene.environment.image_checksum = image->checksum;
    scene.environment.up_axis = light.up_axis;
    scene.environment.rotate_deg = light.rotate_deg;
}

std::string list_scene_hints(SceneHints const& hints)
{
    std::string list;
    auto const add = [&](bool there, char const* name) {
        if (there) list += (list.empty() ? "" : ", ") + std::string(name);
    };
    add(hints.camera.has_value(), "camera");
    add(hints.resolution.has_value(), "resolution");
    add(hints.samples.has_value(), "samples");
    add(hints.environment.has_value(), "environment");
    add(hints.boundary.has_value(), "boundary");
    add(!hints.material_ior.empty(), "interfaces");
    add(hints.integrator.has_value(), "integrator");
    add(hints.gates.has_value(), "time gates");
    add(!hints.detectors.empty(), "detectors");
    return list;
}

std::string make_material_hints(MaterialTable const& table, std::string const& origin)
{
    std::optional<double> common = table.ior;
    for (Material const& material : table.materials) {
        auto const own = table.iors.find(material.name);
        if (own == table.iors.end()) continue;
        if (!common) common = own->second;
        if (own->second != *common)
            fail_input(
                fmt::format("'{}' has ior {}, others have {}", material.name, own->second, *common), origin,
                "a volume has one index of refraction, unless light is refracted between its materials",
                "give all materials the same ior, or leave it out; a volume of labels takes --interfaces voxels");
    }
    if (!common) return "{}";
    SceneHints hints;
    hints.source = origin;
    hints.boundary.emplace();
    hints.boundary->kind = *common == 1 ? BoundaryKind::none : BoundaryKind::smooth;
    hints.boundary->int_ior = *common;
    hints.boundary->ext_ior = 1;
    return format_scene_hints(hints);
}

std::string make_interface_hints(MaterialTable const& table, std::string const& origin)
{
    SceneHints hints;
    hints.source = origin;
    for (Material const& material : table.materials) {
        auto const own = table.iors.find(material.name);
        bool const is_air = std::ranges::all_of(material.sigma_t, [](float sigma_t) { return sigma_t == 0; });
        if (own == table.iors.end() && !is_air && !table.ior)
            fail_input(fmt::format("'{}' has no ior", material.name), origin,
                       "--interfaces needs the index of refraction of every material",
                       R"(give it an "ior", or the table one for all that have none)");
        double const ior = own != table.iors.end() ? own->second : is_air ? 1 : *table.ior;
        hints.material_ior.push_back(static_cast<float>(ior));
    }
    hints.boundary.emplace();
    hints.boundary->kind = BoundaryKind::smooth;
    hints.boundary->int_ior = double{*std::ranges::max_element(hints.material_ior)};
    return format_scene_hints(hints);
}

} // namespace volpt
