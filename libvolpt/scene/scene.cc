#include "libvolpt/scene/scene.h"

#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/scene/scene_fields.h"
#include "libvolpt/volume/emitters/check_emitter.h"
#include "libvolpt/volume/emitters/emitter_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <concepts>

namespace volpt {
namespace {

template <HasWords Enum>
std::string to_text(Enum value)
{
    return to_word(value);
}
std::string to_text(Hash128 hash)
{
    return to_hex(hash);
}
std::string to_text(bool value)
{
    return value ? "yes" : "no";
}
std::string to_text(std::floating_point auto value)
{
    return fmt::format("{}", value);
}
std::string to_text(std::uint32_t value)
{
    return fmt::format("{}", value);
}

std::string describe_emitters(std::vector<double> const& records)
{
    std::string text;
    auto const emitters = read_emitter_records(records);
    if (!emitters) return "no records of emitters";
    for (Emitter const& emitter : *emitters) text += (text.empty() ? "" : "; ") + describe_emitter(emitter);
    return text;
}

template <class Values>
std::string join_values(Values values)
{
    std::string text;
    for (auto const& value : values) text += (text.empty() ? "" : ", ") + to_text(value);
    return text;
}

template <class Field>
std::string describe_field(Field const& field)
{
    // Only emitters are a list of doubles.
    if constexpr (std::is_same_v<Field, std::vector<double>>)
        return describe_emitters(field);
    else
        return join_values(values_of(field));
}

void drop_negative_zeros(auto values)
{
    using Value = typename decltype(values)::value_type;
    if constexpr (std::is_floating_point_v<Value>)
        for (Value& value : values)
            if (value == 0) value = 0;
}

void join_equal_bands(std::vector<float>& by_band)
{
    if (by_band.size() > 1 && std::all_of(by_band.begin(), by_band.end(), [&](float v) { return v == by_band[0]; }))
        by_band.erase(by_band.begin() + 1, by_band.end());
}

std::optional<SceneProblem> find_range_problem(Scene const& scene)
{
    std::optional<SceneProblem> problem;
    visit_scene_fields(scene, [&](std::string_view name, auto get, FieldRange range, bool) {
        using Value = std::remove_cvref_t<decltype(values_of(get(scene))[0])>;
        if constexpr (!std::is_same_v<Value, Hash128>)
            for (auto const& value : values_of(get(scene)))
                if (!problem && !range.contains(static_cast<double>(value)))
                    problem = {std::string(name),
                               fmt::format("{} is not in {}", to_text(value), describe_range(range))};
    });
    return problem;
}

std::optional<SceneProblem> find_band_problem(Scene const& scene)
{
    EnvironmentSpec const& environment = scene.environment;
    auto const fits = [&](std::vector<float> const& values) {
        return values.size() == 1 || values.size() == scene.bands;
    };
    auto const wrong = [&](char const* field, std::vector<float> const& values) {
        return SceneProblem{field, fmt::format("{} values for {} bands", values.size(), scene.bands)};
    };
    if (!fits(environment.radiance)) return wrong("environment.radiance", environment.radiance);
    if (environment.kind == EnvironmentKind::hemispheres && !fits(environment.below))
        return wrong("environment.below", environment.below);
    if (!fits(scene.ground.albedo)) return wrong("ground.albedo", scene.ground.albedo);
    if (!fits(scene.ground.other_albedo)) return wrong("ground.other_albedo", scene.ground.other_albedo);
    auto const& wavelengths = scene.wavelengths_nm;
    if (!wavelengths.empty() && wavelengths.size() != scene.bands) return wrong("wavelengths_nm", wavelengths);
    if (std::adjacent_find(wavelengths.begin(), wavelengths.end(), std::greater_equal<>()) != wavelengths.end())
        return SceneProblem{"wavelengths_nm", "do not ascend"};
    return std::nullopt;
}

std::optional<SceneProblem> find_steps_problem(Scene const& scene)
{
    if (scene.long_steps != LongSteps::plain && scene.majorant == MajorantKind::global)
        return SceneProblem{"long_steps", "they need local majorants, not a global one"};
    if (scene.long_steps == LongSteps::layers && scene.depth_limit != 0)
        return SceneProblem{"long_steps", "layers give numbers of collisions only roughly, and take no depth limit"};
    return std::nullopt;
}

std::optional<SceneProblem> find_interface_problem(Scene const& scene)
{
    if (scene.material_ior.size() > static_cast<std::size_t>(kMaxMaterials))
        return SceneProblem{"material_ior", fmt::format("{} indices of refraction, more than {}",
                                                        scene.material_ior.size(), kMaxMaterials)};
    if (has_interfaces(scene) && scene.long_steps != LongSteps::plain)
        return SceneProblem{"material_ior", "long steps have no interfaces between materials: leave out --long-steps, "
                                            "or give --interfaces none"};
    return std::nullopt;
}

std::optional<SceneProblem> find_light_problem(Scene const& scene)
{
    auto const emitters = read_emitter_records(scene.emitters);
    if (!emitters) return SceneProblem{"emitters", "are not records of emitters"};
    for (std::size_t i = 0; i < emitters->size(); ++i) {
        Emitter const& emitter = (*emitters)[i];
        std::string problem = find_emitter_problem(emitter);
        if (problem.empty() && emitter.amount.size() != 1 && emitter.amount.size() != scene.bands)
            problem = fmt::format("{} amounts for {} bands", emitter.amount.size(), scene.bands);
        if (!problem.empty())
            return SceneProblem{"emitters", fmt::format("emitter {} ({}): {}", i, to_word(emitter.kind), problem)};
    }
    if (scene.long_steps != LongSteps::plain && connects_emitters(scene))
        return SceneProblem{
            "long_steps",
            "they pass over the collisions from which paths are connected to emitters, and where the medium emits"};
    return std::nullopt;
}

std::optional<SceneProblem> find_camera_problem(CameraSpec const& camera)
{
    Vec3d view{};
    for (std::size_t axis = 0; axis < 3; ++axis) view[axis] = camera.target_world[axis] - camera.origin_world[axis];
    Vec3d const& up = camera.up_world;
    Vec3d const side{view[1] * up[2] - view[2] * up[1], view[2] * up[0] - view[0] * up[2],
                     view[0] * up[1] - view[1] * up[0]};
    auto const length = [](Vec3d const& v) { return std::hypot(v[0], v[1], v[2]); };
    if (length(view) == 0) return SceneProblem{"camera.target_world", "equals camera.origin_world"};
    if (!(length(side) > 1e-9 * length(view) * length(up)))
        return SceneProblem{"camera.up_world", "is zero or lies along the viewing direction"};
    return std::nullopt;
}

} // namespace

Scene normalize_scene(Scene scene)
{
    BoundarySpec& boundary = scene.boundary;
    if (boundary.kind == BoundaryKind::rough && boundary.alpha == 0) boundary.kind = BoundaryKind::smooth;
    if (boundary.int_ior == boundary.ext_ior && !has_interfaces(scene)) boundary.kind = BoundaryKind::none;
    join_equal_bands(scene.environment.radiance);
    join_equal_bands(scene.environment.below);
    join_equal_bands(scene.ground.albedo);
    join_equal_bands(scene.ground.other_albedo);

    if (scene.camera.kind == CameraKind::probe) scene.environment = {};
    if (auto const emitters = read_emitter_records(scene.emitters)) scene.emitters = to_emitter_records(*emitters);
    static Scene const defaults;
    visit_scene_fields(scene, [&](std::string_view, auto get, FieldRange, bool matters) {
        if (!matters) get(scene) = get(defaults);
        drop_negative_zeros(values_of(get(scene)));
    });
    return scene;
}

std::optional<SceneProblem> find_scene_problem(Scene const& scene)
{
    if (auto problem = find_range_problem(scene)) return problem;
    if (auto problem = find_band_problem(scene)) return problem;
    if (auto problem = find_steps_problem(scene)) return problem;
    if (auto problem = find_interface_problem(scene)) return problem;
    if (auto problem = find_light_problem(scene)) return problem;
    return find_camera_problem(scene.camera);
}

float find_largest_radiance(Scene const& given, float image_peak)
{
    if (given.camera.kind == CameraKind::probe && has_emitters(given)) return 0;
    EnvironmentSpec const light = normalize_scene(given).environment;
    float largest = 0;
    for (float const radiance : light.radiance) largest = std::max(largest, radiance);
    for (float const radiance : light.below) largest = std::max(largest, radiance);
    return light.kind == EnvironmentKind::image ? largest * image_peak : largest;
}

int find_sample_log2(Scene const& scene)
{
    return scene.integrator == Integrator::mlt ? kPassLog2 : kSampleLog2;
}

int choose_sum_log2(float largest_radiance)
{
    // No sample is brighter than the light: throughput never grows past 1. The smallest power of two that covers it
    // maps to 2^kSampleLog2.
    int exponent = 0;
    if (largest_radiance > 0) {
        float const fraction = std::frexp(largest_radiance, &exponent);
        if (fraction == 0.5f) --exponent;
    }
    return kSampleLog2 - std::max(exponent, -40); // keeps the scale far inside the range of floats
}

std::vector<SceneDifference> compare_scenes(Scene const& left_given, Scene const& right_given)
{
    Scene const left = normalize_scene(left_given);
    Scene const right = normalize_scene(right_given);
    std::vector<SceneDifference> differences;
    visit_scene_fields(left, [&](std::string_view name, auto get, FieldRange, bool) {
        if (get(left) == get(right)) return;
        differences.push_back({std::string(name), describe_field(get(left)), describe_field(get(right))});
    });
    return differences;
}

std::vector<std::pair<std::string, std::string>> describe_scene(Scene const& given)
{
    Scene const scene = normalize_scene(given);
    std::vector<std::pair<std::string, std::string>> lines;
    visit_scene_fields(scene, [&](std::string_view name, auto get, FieldRange, bool matters) {
        if (matters) lines.emplace_back(name, describe_field(get(scene)));
    });
    return lines;
}

} // namespace volpt
