// Reads sensors of Mitsuba scenes.
#include "formats/mitsuba/camera.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <numbers>

namespace volpt {
namespace {

using Triple = std::array<double, 3>;

constexpr double kDegree = std::numbers::pi / 180;

double length(Triple const& v)
{
    return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

void read_film(MitsubaTree const& tree, MitsubaNode const& sensor, SceneHints& hints)
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
    if (!fov || !(*fov > 1e-6 && *fov < 179.9))
        fail_input(fmt::format("the field of view is {} along '{}'", read_number(sensor, "fov", 0), axis), sensor.where,
                   "angles lie between 0 and 180, axes are x, y, diagonal, smaller and larger", "correct it");
    return *fov;
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

void read_mitsuba_sensor(MitsubaTree const& tree, MitsubaNode const& sensor, SceneHints& hints,
                         std::vector<std::string>& notices)
{
    sensor.is_used = true;
    read_film(tree, sensor, hints);
    bool const parallel = sensor.type == "orthographic" || sensor.type == "telecentric";
    if (!parallel && sensor.type != "perspective" && sensor.type != "thinlens") {
        notices.push_back(
            fmt::format("the {} is no camera that the renderer has: it frames the volume", sensor.describe()));
        return;
    }
    if (sensor.type == "thinlens" || sensor.type == "telecentric")
        notices.push_back(fmt::format("the {} is rendered without its lens", sensor.describe()));
    Matrix4 const to_world = read_to_world(sensor);
    // Mitsuba's camera looks along +z with +y up and +x to the left of the picture.
    Triple const left = transform_vector(to_world, {1, 0, 0});
    Triple const up = transform_vector(to_world, {0, 1, 0});
    Triple const forward = transform_vector(to_world, {0, 0, 1});
    Triple const true_left{up[1] * forward[2] - up[2] * forward[1], up[2] * forward[0] - up[0] * forward[2],
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
    hints.camera = camera;
}

} // namespace volpt
