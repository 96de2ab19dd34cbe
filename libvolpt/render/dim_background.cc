#include "libvolpt/render/dim_background.h"

#include "libvolpt/core/path_events.hd.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

/// Of so many samples: fewer show as noise at edges and in thin media, more take time. On a white ball of 12/mm, 64
/// samples per pixel took 17 % longer with these 32, 33 % with all.
std::uint64_t count_needed(std::uint64_t samples)
{
    return std::max<std::uint64_t>(32, samples / 8);
}

bool is_dark(std::vector<float> const& radiance)
{
    return std::ranges::all_of(radiance, [](float value) { return value == 0; });
}

bool sees_environment_alone(Scene const& scene)
{
    EnvironmentSpec const& light = scene.environment;
    return scene.camera.kind != CameraKind::probe && light.background == Background::shown &&
           scene.integrator == Integrator::path && !has_emitters(scene) &&
           !(is_dark(light.radiance) && is_dark(light.below));
}

/// The first of `ranges`, `count` in all.
SampleRanges take_samples(SampleRanges const& ranges, std::uint64_t count)
{
    SampleRanges taken;
    for (SampleRange const& range : ranges) {
        if (count == 0) break;
        taken.push_back({range.first, std::min(range.count, count)});
        count -= taken.back().count;
    }
    return taken;
}

Film render_first_samples(RenderScene const& scene, Film const& film, RenderOptions const& options)
{
    Film first = make_film(scene, film.seed());
    std::vector<SampleRanges> samples;
    for (SampleRanges const& ranges : film.tile_ranges)
        samples.push_back(take_samples(ranges, count_needed(count_samples(ranges))));
    RenderReport const report = render_ranges(scene, first, samples, options);
    if (report.end != RenderEnd::finished)
        fail_system(report.failure, "the background of a picture", "give --backdrop 1, which needs no device");
    return first;
}

bool may_reflect_outside(SceneView const& scene)
{
    return has_faces(scene) || has_interfaces(scene) || scene.surface.on != 0u;
}

/// What the samples see without an event. Long steps, which change no expectation, would take banks of outcomes.
Film render_background(Film const& film, PackedVolume const& volume, LightImage const* light,
                       RenderOptions const& options)
{
    Scene scene = film.scene();
    scene.depth_limit = 1; // ends paths inside after their first event
    scene.long_steps = LongSteps::plain;
    RenderScene const shown(scene, volume, light, film.seed());
    Film background = render_first_samples(shown, film, options);
    if (!may_reflect_outside(shown.view())) return background;
    scene.environment.background = Background::hidden;
    Film const reflected = render_first_samples(RenderScene(scene, volume, light, film.seed()), film, options);
    for (std::size_t i = 0; i < background.sums.size(); ++i) background.sums[i] -= reflected.sums[i];
    return background;
}

} // namespace

double choose_backdrop(Scene const& scene, std::optional<double> factor)
{
    bool const is_seen = sees_environment_alone(scene);
    if (factor && !(*factor >= 0 && *factor <= 1))
        fail_usage(fmt::format("the factor of the backdrop is {}", *factor), "give 0 to 1");
    if (factor && !is_seen)
        fail_usage(
            "--backdrop: no environment is seen behind the volume, or it is not the only light",
            "leave it out; it needs a camera, --integrator path, an --env above 0, no --transparent and no emitters");
    return factor.value_or(is_seen && scene.environment.kind == EnvironmentKind::constant ? kDefaultBackdrop : 1);
}

Film dim_background(Film const& film, PackedVolume const& volume, LightImage const* light, double factor,
                    RenderOptions const& options)
{
    Film const background = render_background(film, volume, light, options);
    std::vector<std::uint64_t> const all = count_tile_samples(film), rendered = count_tile_samples(background);
    double const units = (1 - factor) * std::ldexp(1.0, film.sum_log2() - background.sum_log2());
    Film dimmed = film;
    std::size_t i = 0;
    for (std::uint32_t band = 0; band < film.bands(); ++band)
        for (std::uint32_t y = 0; y < film.height(); ++y)
            for (std::uint32_t x = 0; x < film.width(); ++x, ++i) {
                std::size_t const tile = tile_index(film, x, y);
                if (rendered[tile] == 0) continue;
                double const scale = units * static_cast<double>(all[tile]) / static_cast<double>(rendered[tile]);
                auto const excess = std::llround(static_cast<double>(background.sums[i]) * scale);
                dimmed.sums[i] -= std::min(dimmed.sums[i], static_cast<std::uint64_t>(excess));
            }
    return dimmed;
}

} // namespace volpt
