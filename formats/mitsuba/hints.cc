#include "formats/mitsuba/hints.h"

#include "formats/mitsuba/surroundings/emitters.h"
#include "libvolpt/scene/scene_fields.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <numbers>

namespace volpt {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

double length(MitsubaVector const& v)
{
    return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// How a picture is stored, and where its random numbers come from: neither changes its expectation.
void pass_storage(MitsubaNode const& node)
{
    for (char const* const name :
         {"pixel_format", "component_format", "file_format", "banner", "compress", "attach_log", "seed"})
        node.find(name);
    for (auto const& child : node.children)
        if (child->tag == "rfilter" && child->type == "box" && child->children.empty()) child->is_used = true;
}

/// Methods that render all light have its expectation; only a limit of their depth changes the picture.
void read_integrator(MitsubaTree const& tree, MitsubaNode const& given, std::vector<std::string>& notices)
{
    MitsubaNode const& node = tree.resolve(given);
    bool const holds_another = node.type == "moment" || node.type == "aov" || node.type == "adaptive";
    bool const is_complete = node.type == "path" || node.type == "volpath" || node.type == "volpathmis" ||
                             node.type == "volpath_simple" || node.type == "bdpt" || node.type == "mlt" ||
                             node.type == "pssmlt" || node.type == "prbvolpath" || node.type == "ptracer";
    if (!holds_another && !is_complete) {
        node.is_used = given.is_used = false;
        return;
    }
    for (auto const& child : node.children)
        if (child->tag == "integrator" || child->tag == "ref") read_integrator(tree, *child, notices);
    if (holds_another) return;
    node.find("rr_depth"); // of roulette, which has the same expectation
    double const depth = read_number(node, "max_depth", -1);
    if (depth >= 0)
        notices.push_back(fmt::format("the {} ends paths at max_depth {:g}, volrender only with --depth-limit {:g}",
                                      node.describe(), depth, depth));
}

void read_film(MitsubaTree const& tree, MitsubaNode const& sensor, SceneHints& hints, std::vector<std::string>& notices)
{
    for (auto const& child : sensor.children) {
        if (child->tag != "film" && child->tag != "sampler" && child->tag != "ref") continue;
        MitsubaNode const& node = tree.resolve(*child);
        auto const count = [&](char const* name, double fallback, double high) {
            double const number = read_number(node, name, fallback);
            if (!(number >= 1 && number <= high && number == std::floor(number)))
                fail_input(fmt::format("{} is {}", name, number), node.where,
                           fmt::format("it is a whole number from 1 to {}", high), "correct it");
            return static_cast<std::uint32_t>(number);
        };
        pass_storage(node);
        auto const is_filter = [](auto const& part) { return part->tag == "rfilter"; };
        if (node.tag == "film" && std::ranges::none_of(node.children, is_filter))
            notices.push_back("the film has no rfilter, in Mitsuba a gaussian: pixels are means over their own area");
        if (node.tag == "film") hints.resolution = {count("width", 768, 65536), count("height", 576, 65536)};
        if (node.tag == "sampler") hints.samples = count("sample_count", 4, 4294967294.0);
    }
}

double read_fov(MitsubaNode const& sensor, std::array<std::uint32_t, 2> size)
{
    double const width = size[0];
    double const height = size[1];
    std::string const axis = read_string(sensor, "fov_axis", "x");
    std::string const focal = sensor.find("fov") == nullptr ? read_string(sensor, "focal_length", "50mm") : "";
    std::optional<double> fov;
    if (focal.empty()) {
        fov = find_fov_x_deg(read_number(sensor, "fov", 0), axis, width, height);
    } else {
        // Of 35 mm film, across its diagonal.
        double const focal_mm = std::strtod(focal.c_str(), nullptr);
        if (!(focal_mm >= 1e-3 && focal_mm <= 1e9))
            fail_input(fmt::format("focal_length is '{}'", focal), sensor.where, "it is a length in mm", "correct it");
        fov = find_fov_x_deg(2 * std::atan(std::hypot(36.0, 24.0) / 2 / focal_mm) / kDegree, "diagonal", width, height);
    }
    if (!fov || !scene_range("camera.fov_x_deg").contains(*fov))
        fail_input(fmt::format("the field of view is {} along '{}'", read_number(sensor, "fov", 0), axis), sensor.where,
                   "angles lie between 0 and 180, axes are x, y, diagonal, smaller and larger", "correct it");
    return *fov;
}

/// Mitsuba: without a focus distance, the far clipping plane is sharp.
void read_lens(MitsubaNode const& sensor, CameraSpec& camera)
{
    double const radius = read_number(sensor, "aperture_radius", 0);
    double const focus = read_number(sensor, "focus_distance", read_number(sensor, "far_clip", 10000));
    if (!scene_range("camera.lens_radius_mm").contains(radius) ||
        !scene_range("camera.focus_distance_mm").contains(focus))
        fail_input(fmt::format("aperture_radius is {}, focus_distance {}", radius, focus), sensor.where,
                   "a lens has a radius and a distance of its sharp plane", "correct them");
    camera.lens_radius_mm = radius;
    if (radius > 0) camera.focus_distance_mm = focus;
}

/// Fills camera, resolution and samples. `notices` say what the renderer's camera cannot do: mirroring, lenses, other
/// sensors.
void read_sensor(MitsubaTree const& tree, MitsubaNode const& sensor, SceneHints& hints,
                 std::vector<std::string>& notices)
{
    sensor.is_used = true;
    read_film(tree, sensor, hints, notices);
    bool const parallel = sensor.type == "orthographic" || sensor.type == "telecentric";
    if (!parallel && sensor.type != "perspective" && sensor.type != "thinlens") {
        notices.push_back(
            fmt::format("the {} is no camera that the renderer has: it frames the volume", sensor.describe()));
        return;
    }
    if (sensor.type == "telecentric")
        notices.push_back(fmt::format("the {} is rendered without its lens", sensor.describe()));
    Matrix4 const to_world = read_to_world(sensor);
    // Mitsuba's camera looks along +z with +y up and +x to the left of the picture.
    MitsubaVector const left = transform_vector(to_world, {1, 0, 0});
    MitsubaVector const up = transform_vector(to_world, {0, 1, 0});
    MitsubaVector const forward = transform_vector(to_world, {0, 0, 1});
    MitsubaVector const true_left{up[1] * forward[2] - up[2] * forward[1], up[2] * forward[0] - up[0] * forward[2],
                                  up[0] * forward[1] - up[1] * forward[0]};
    if (!(length(true_left) > 1e-12 && length(left) > 1e-12))
        fail_input("the camera has no direction", sensor.where, "its transform is singular", "correct it");
    if (left[0] * true_left[0] + left[1] * true_left[1] + left[2] * true_left[2] < 0)
        notices.push_back("the camera mirrors its picture, the renderer's does not: flip the picture left to right");
    if (std::abs(length(left) - length(up)) > 1e-3 * length(up))
        notices.push_back("the camera stretches its picture, the renderer's does not");
    CameraSpec camera;
    camera.kind = parallel ? CameraKind::orthographic : CameraKind::perspective;
    camera.origin_world = transform_point(to_world, {0, 0, 0});
    camera.up_world = up;
    for (std::size_t i = 0; i < 3; ++i) {
        camera.target_world[i] = camera.origin_world[i] + forward[i] / length(forward);
        camera.up_world[i] /= length(up);
    }
    if (parallel)
        camera.ortho_width_mm = 2 * length(left);
    else
        camera.fov_x_deg = read_fov(sensor, hints.resolution.value_or(std::array<std::uint32_t, 2>{768, 576}));
    if (sensor.type == "thinlens") read_lens(sensor, camera);
    hints.camera = camera;
}

bool is_near(MitsubaVector const& a, MitsubaVector const& b)
{
    return std::abs(a[0] - b[0]) < 1e-4 && std::abs(a[1] - b[1]) < 1e-4 && std::abs(a[2] - b[2]) < 1e-4;
}

/// Up axis and turn for a light whose picture frame (x, y up, z) has these directions in the world; false if it has
/// none. EnvironmentSpec's frame for each world axis as up (docs/formats/vpf.md): x, y up, z of the picture.
bool find_turn(MitsubaVector const& x, MitsubaVector const& y, MitsubaVector const& z, EnvironmentHint& light)
{
    static constexpr std::array<std::array<MitsubaVector, 3>, 6> kFrames{{
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
        MitsubaVector turned{};
        for (std::size_t i = 0; i < 3; ++i) turned[i] = sine * frame[0][i] + cosine * frame[2][i];
        if (!is_near(turned, z)) return false;
        light.up_axis = axis;
        light.rotate_deg = std::atan2(sine, cosine) * 180 / std::numbers::pi;
        return true;
    }
    return false;
}

/// A constant or envmap emitter; absent for any other, which stays unread. `notices` say if it is not turned about a
/// world axis.
std::optional<EnvironmentHint> read_emitter(MitsubaTree const& tree, MitsubaNode const& emitter,
                                            std::vector<std::string>& notices)
{
    EnvironmentHint light;
    if (emitter.type == "constant") {
        emitter.is_used = true;
        light.radiance = read_mitsuba_light(emitter, "radiance");
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

} // namespace

std::optional<double> find_fov_x_deg(double fov_deg, std::string const& axis, double width, double height)
{
    double const half = std::tan(fov_deg / 2 * kDegree);
    double factor = 1;
    if (axis == "y" || (axis == "smaller" && height < width) || (axis == "larger" && height > width))
        factor = width / height;
    else if (axis == "diagonal")
        factor = width / std::hypot(width, height);
    else if (axis != "x" && axis != "smaller" && axis != "larger")
        return std::nullopt;
    return 2 * std::atan(half * factor) / kDegree;
}

SceneHints read_mitsuba_hints(MitsubaTree const& tree, std::vector<std::string>& notices)
{
    SceneHints hints;
    hints.source = tree.path.filename().string();
    for (auto const& child : tree.root->children) {
        if ((child->tag == "sensor" || child->tag == "camera") && !hints.camera && !hints.resolution)
            read_sensor(tree, *child, hints, notices);
        if (child->tag == "integrator") read_integrator(tree, *child, notices);
        if (child->tag == "emitter" && !hints.environment) hints.environment = read_emitter(tree, *child, notices);
    }
    return hints;
}

} // namespace volpt
