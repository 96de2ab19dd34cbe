#include "libvolpt/job/presets/scene_preset.h"

#include "libvolpt/scene/camera_view.h"
#include "libvolpt/scene/scene_enums.h"
#include "libvolpt/scene/vectors.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"
#include "libvolpt/sys/text/nearest_name.h"
#include "libvolpt/volume/emitters/emitter_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <numbers>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;
constexpr std::uint32_t kPlusZ = 4; // of the axes 0 to 5: +x -x +y -y +z -z

/// One scene's JSON, for messages.
class SceneReader {
public:
    SceneReader(std::string_view json, std::string where) : where_(std::move(where))
    {
        root_ = Json::parse(json, nullptr, false);
        if (!root_.is_object()) refuse("", "it is no JSON object");
    }

    ScenePreset read() const
    {
        check_keys(root_, {"description", "from", "fill", "ground", "env", "env_below", "lights"});
        ScenePreset preset;
        preset.name = where_;
        if (root_.contains("description")) preset.description = read_text(root_["description"], "description");
        if (root_.contains("from")) {
            std::vector<float> const angles = read_numbers(root_["from"], "from");
            if (angles.size() != 2) refuse("from", "it is not two angles, azimuth and elevation");
            preset.from_deg = {{angles[0], angles[1]}};
        }
        if (root_.contains("fill")) {
            preset.fill = read_numbers(root_["fill"], "fill").at(0);
            if (!(preset.fill > 0 && preset.fill <= 10))
                refuse("fill", fmt::format("{} is not from 0 to 10", preset.fill));
        }
        if (root_.contains("ground")) preset.ground = read_ground(root_["ground"]);
        if (root_.contains("env")) preset.radiance = read_numbers(root_["env"], "env");
        if (root_.contains("env_below")) preset.below = read_numbers(root_["env_below"], "env_below");
        if (preset.below && !preset.radiance)
            refuse("env_below", "it needs an env, which is then the upper hemisphere");
        if (root_.contains("lights")) {
            if (!root_["lights"].is_array()) refuse("lights", "it is no list of texts");
            for (Json const& light : root_["lights"]) preset.emitters.push_back(read_light(light));
        }
        return preset;
    }

private:
    [[noreturn]] void refuse(std::string_view key, std::string const& what) const
    {
        fail_input(key.empty() ? what : fmt::format("\"{}\": {}", key, what), where_, "the scene cannot be built",
                   "docs/formats/scenes.md has the keys; --list-scenes names the built-in ones");
    }

    void check_keys(Json const& object, std::vector<std::string_view> const& known) const
    {
        for (auto const& [key, value] : object.items()) {
            if (std::ranges::find(known, key) != known.end()) continue;
            std::string_view const nearest = find_nearest_name(key, known);
            refuse(key, nearest.empty() ? fmt::format("there is no such key; there are {}", fmt::join(known, ", "))
                                        : fmt::format("there is no such key; did you mean \"{}\"?", nearest));
        }
    }

    std::string read_text(Json const& value, std::string_view key) const
    {
        if (!value.is_string()) refuse(key, "it is no text");
        return value.get<std::string>();
    }

    /// A number, or a list of one to any number of them.
    std::vector<float> read_numbers(Json const& value, std::string_view key) const
    {
        std::vector<float> numbers;
        for (Json const& one : value.is_array() ? value : Json::array({value})) {
            if (!one.is_number()) refuse(key, "it is neither a number nor a list of numbers");
            numbers.push_back(one.get<float>());
            if (!std::isfinite(numbers.back())) refuse(key, "a number is too large");
        }
        if (numbers.empty()) refuse(key, "the list is empty");
        return numbers;
    }

    GroundRequest read_ground(Json const& value) const
    {
        if (!value.is_object()) refuse("ground", "it is no object with a \"kind\"");
        check_keys(value, {"kind", "albedo", "other_albedo", "check_mm"});
        GroundRequest ground;
        std::string const word = value.contains("kind") ? read_text(value["kind"], "kind") : "";
        ground.kind = find_word<GroundKind>(word);
        if (!ground.kind)
            refuse("kind", fmt::format("'{}' is not {}", word, fmt::join(spell_words<GroundKind>(), ", ")));
        if (value.contains("albedo")) ground.albedo = read_numbers(value["albedo"], "albedo");
        if (value.contains("other_albedo")) ground.other_albedo = read_numbers(value["other_albedo"], "other_albedo");
        if (value.contains("check_mm")) ground.check_mm = read_numbers(value["check_mm"], "check_mm").at(0);
        return ground;
    }

    Emitter read_light(Json const& value) const
    {
        std::string const text = read_text(value, "lights");
        if (is_photometric(text))
            refuse("lights", fmt::format("'{}' has an amount in lm, cd, lx or cd/m^2, but a scene is sized to the "
                                         "volume: give power or radiance",
                                         text));
        try {
            return parse_emitter(text, "light");
        } catch (Error const& error) {
            refuse("lights", error.what());
        }
    }

    std::string where_;
    Json root_;
};

std::string read_file(std::string const& file)
{
    FileBytes const bytes(file);
    if (bytes.size_bytes() > kMostBytes)
        fail_input(fmt::format("it has {} bytes, and a scene at most {}", bytes.size_bytes(), kMostBytes), file,
                   "it is no scene", "name a file like those of --list-scenes --json");
    std::string text(bytes.size_bytes(), '\0');
    bytes.read_at(0, std::as_writable_bytes(std::span(text)));
    return text;
}

/// `v`, given with +z up, where `up_axis` is up; a rotation.
Vec3d turn_up(Vec3d const& v, std::uint32_t up_axis)
{
    auto const [x, y, z] = v;
    Vec3d const turned[] = {{z, y, -x}, {-z, y, x}, {x, z, -y}, {x, -z, y}, {x, y, z}, {x, -y, -z}};
    return turned[up_axis];
}

Vec3d normalise(Vec3d const& v)
{
    double const length = measure_length(v);
    return {v[0] / length, v[1] / length, v[2] / length};
}

/// Of the volume's box, in mm of the world.
std::vector<Vec3d> list_box_corners(VolumeMeta const& meta)
{
    std::vector<Vec3d> corners;
    for (unsigned corner = 0; corner < 8; ++corner) {
        Vec3d at = meta.placement.origin_world_mm;
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (std::size_t row = 0; (corner >> axis & 1u) != 0 && row < 3; ++row)
                at[row] += meta.placement.rotation[3 * row + axis] * meta.dims[axis] *
                           static_cast<double>(meta.pitch_mm[axis]);
        corners.push_back(at);
    }
    return corners;
}

/// How much larger the box may be than frame_volume_from shows it, until its corners fill so much of the picture's
/// width or height. `aspect` is height / width.
double find_zoom(VolumeMeta const& meta, std::array<double, 2> const& from_deg, double aspect, double fill)
{
    Vec3d const from = find_view_direction(from_deg[0], from_deg[1]);
    CameraSpec const camera = frame_volume_from(meta, aspect, from, kDefaultFovDeg);
    Vec3d const forward = normalise(find_difference(camera.target_world, camera.origin_world));
    Vec3d const right = normalise(find_cross(forward, camera.up_world));
    Vec3d const up = find_cross(right, forward);
    double const half_width = std::tan(kDefaultFovDeg * std::numbers::pi / 360);
    double most = 0;
    for (Vec3d const& corner : list_box_corners(meta)) {
        Vec3d const seen = find_difference(corner, camera.origin_world);
        double const depth = find_dot(seen, forward) * half_width;
        most =
            std::max({most, std::abs(find_dot(seen, right)) / depth, std::abs(find_dot(seen, up)) / (depth * aspect)});
    }
    return std::clamp(fill / most, kLeastZoom, kMostZoom);
}

/// The box around which a scene is built, in mm of the world.
struct SceneFrame {
    Vec3d center;
    double half_diagonal = 1;
    std::uint32_t up_axis = kPlusZ;

    SceneFrame(VolumeMeta const& meta, std::uint32_t up) : up_axis(up)
    {
        auto const corners = list_box_corners(meta);
        for (std::size_t axis = 0; axis < 3; ++axis) center[axis] = (corners.front()[axis] + corners.back()[axis]) / 2;
        half_diagonal = measure_length(find_difference(corners.back(), corners.front())) / 2;
    }

    Vec3d place(Vec3d const& v, bool is_point) const
    {
        Vec3d placed = turn_up(v, up_axis);
        for (std::size_t axis = 0; axis < 3; ++axis)
            placed[axis] = placed[axis] * half_diagonal + (is_point ? center[axis] : 0);
        return placed;
    }

    Emitter place(Emitter emitter) const
    {
        emitter.origin_world = place(emitter.origin_world, true);
        emitter.direction_world = turn_up(emitter.direction_world, up_axis);
        emitter.u_axis_mm = place(emitter.u_axis_mm, false);
        emitter.v_axis_mm = place(emitter.v_axis_mm, false);
        emitter.radius_mm *= half_diagonal;
        if (emitter.unit == EmitterUnit::power || emitter.unit == EmitterUnit::intensity)
            for (auto& amount : emitter.amount) amount = static_cast<float>(amount * half_diagonal * half_diagonal);
        return emitter;
    }
};

} // namespace

ScenePreset find_scene_preset(std::string const& name_or_file)
{
    std::vector<std::string_view> names;
    for (SceneText const& scene : list_scene_texts()) {
        if (scene.name == name_or_file) return SceneReader(scene.json, name_or_file).read();
        names.push_back(scene.name);
    }
    if (name_or_file.ends_with(".json")) return SceneReader(read_file(name_or_file), name_or_file).read();
    std::string_view const nearest = find_nearest_name(name_or_file, names);
    fail_usage(fmt::format("there is no scene '{}'{}", name_or_file,
                           nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)),
               fmt::format("give {}, or a .json file", fmt::join(names, ", ")));
}

SceneRequest apply_preset(SceneRequest request, VolumeMeta const& meta)
{
    if (request.preset.empty()) return request;
    if (request.probe.is_given())
        fail_usage("a probe has its own view and light, but --scene is given", "leave one of the two out");
    ScenePreset const preset = find_scene_preset(request.preset);
    SceneFrame const frame(meta, request.ground.up_axis.value_or(kPlusZ));
    CameraRequest place = request.camera;
    place.zoom.reset();
    if (preset.from_deg && !place.names_view() && frame.up_axis == kPlusZ) {
        double aspect = 1;
        if (auto const& size = request.camera.resolution) aspect = static_cast<double>((*size)[1]) / (*size)[0];
        request.camera.from_deg = preset.from_deg;
        request.camera.zoom = find_zoom(meta, *preset.from_deg, aspect, preset.fill) * request.camera.zoom.value_or(1);
    }
    if (!request.ground.kind) {
        auto const up_axis = preset.ground.kind ? request.ground.up_axis : std::nullopt;
        request.ground = preset.ground;
        request.ground.up_axis = up_axis;
    }
    if (!request.light.names_light() && preset.radiance) {
        request.light.radiance = preset.radiance;
        request.light.below = preset.below;
        if (preset.below) request.light.up_axis = frame.up_axis;
    }
    std::vector<Emitter> emitters;
    for (Emitter const& emitter : preset.emitters) emitters.push_back(frame.place(emitter));
    request.emitters.emitters.insert(request.emitters.emitters.begin(), emitters.begin(), emitters.end());
    return request;
}

} // namespace volpt
